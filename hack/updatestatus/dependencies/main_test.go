package main

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDirect(t *testing.T) {
	var mod goMod
	if err := json.Unmarshal([]byte(`{
		"Require": [
			{"Path": "k8s.io/klog/v2"},
			{"Path": "k8s.io/api"},
			{"Path": "github.com/golang/protobuf", "Indirect": true},
			{"Path": "example.com/tools", "Indirect": true},
			{"Path": "example.com/whole", "Indirect": true},
			{"Path": "example.com/tools/lint", "Indirect": true}
		],
		"Tool": [{"Path": "example.com/tools/lint/cmd/lint"}, {"Path": "example.com/tools/lint/cmd/fix"}, {"Path": "example.com/whole"}]
	}`), &mod); err != nil {
		t.Fatal(err)
	}
	want := []string{"example.com/tools/lint", "example.com/whole", "k8s.io/api", "k8s.io/klog/v2"}
	if diff := cmp.Diff(want, mod.direct()); diff != "" {
		t.Error(diff)
	}
}

func TestCompare(t *testing.T) {
	explained := parse("# Dependencies\n" +
		"## Binaries (`go.mod`)\n\n" +
		"| module | for |\n|---|---|\n" +
		"| k8s.io/api | types |\n" +
		"| k8s.io/client-go | |\n" +
		"| k8s.io/gone | removed |\n" +
		"## Tools (`hack/updatestatus/tools/go.mod`)\n" +
		"| k8s.io/klog/v2 | logs of a tool |\n")
	want := []string{
		"go.mod: k8s.io/client-go has no line in docs/updatestatus/dependencies.md",
		"go.mod: k8s.io/klog/v2 has no line in docs/updatestatus/dependencies.md",
		"go.mod: k8s.io/gone has a line in docs/updatestatus/dependencies.md but is no direct dependency",
	}
	direct := []string{"k8s.io/api", "k8s.io/client-go", "k8s.io/klog/v2"}
	if diff := cmp.Diff(want, compare("go.mod", direct, explained["go.mod"])); diff != "" {
		t.Error(diff)
	}
}
