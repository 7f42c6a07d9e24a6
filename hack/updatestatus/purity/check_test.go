package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

const module = "example.com/operator"

func architecture(t *testing.T) house {
	t.Helper()
	layers, err := readLayers("../../../" + table)
	if err != nil {
		t.Fatal(err)
	}
	return house{module, layers}
}

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name    string
		path    string
		imports []string
		deps    []string
		source  string
		want    []string
	}{
		{
			name:    "a pure package may import pure packages and anything outside",
			path:    "pkg/updatestatus/assess",
			imports: []string{"time", "k8s.io/api/core/v1", module + "/pkg/updatestatus/insight"},
			deps:    []string{"k8s.io/klog/v2", "net/http"},
			source:  "var now = func() {}",
		},
		{
			name:    "a package below a pure one is pure",
			path:    "pkg/updatestatus/assess/health",
			imports: []string{module + "/pkg/updatestatus/source"},
			want:    []string{"pkg/updatestatus/assess/health: imports example.com/operator/pkg/updatestatus/source, which is not pure"},
		},
		{
			name:    "rules of hosted clusters must not know those of standalone ones",
			path:    "pkg/updatestatus/assess/hosted",
			imports: []string{module + "/pkg/updatestatus/assess", module + "/pkg/updatestatus/assess/nodestate", module + "/pkg/updatestatus/assess/standalone"},
			want: []string{
				"pkg/updatestatus/assess/hosted: imports example.com/operator/pkg/updatestatus/assess/standalone, which has the rules of another kind of cluster",
			},
		},
		{
			name: "a package below wiring is another one",
			path: "pkg/updatestatus/assessor",
			want: []string{"pkg/updatestatus/assessor: not in the table of ARCHITECTURE.md"},
		},
		{
			name: "a longer name is another package",
			path: "pkg/assessor",
			want: []string{"pkg/assessor: not in the table of ARCHITECTURE.md"},
		},
		{
			name:    "a pure package must not import generated clients",
			path:    "pkg/updatestatus/status",
			imports: []string{module + "/pkg/generated/clientset/versioned"},
			want:    []string{"pkg/updatestatus/status: imports example.com/operator/pkg/generated/clientset/versioned, which is not pure"},
		},
		{
			name: "a pure package must not reach a client",
			path: "pkg/updatestatus/ledger",
			deps: []string{"k8s.io/client-go/tools/cache", "k8s.io/client-go/util/workqueue", "k8s.io/client-gone"},
			want: []string{"pkg/updatestatus/ledger: pure, but reaches k8s.io/client-go/tools/cache"},
		},
		{
			name:   "a pure package must not start goroutines",
			path:   "pkg/updatestatus/describe",
			source: "func write() {\n\tdefer write()\n\tgo write()\n}",
			want:   []string{"pkg/updatestatus/describe/source.go:5: pure, but starts a goroutine or has a channel"},
		},
		{
			name:   "a pure package must not have channels",
			path:   "pkg/updatestatus/insight",
			source: "type queue struct{ reports chan<- int }",
			want:   []string{"pkg/updatestatus/insight/source.go:3: pure, but starts a goroutine or has a channel"},
		},
		{
			name:    "a package that reads a status with pkg/updatestatus/update must not walk it",
			path:    "pkg/updatestatus/describe",
			imports: []string{module + "/pkg/updatestatus/update"},
			source:  "func count(i Informer) int {\n\treturn len(i.Insights) + len(i.Insight)\n}",
			want:    []string{"pkg/updatestatus/describe/source.go:4: imports pkg/updatestatus/update, but walks the insights of a status itself"},
		},
		{
			name:   "another package may walk it",
			path:   "pkg/updatestatus/status",
			source: "func count(i Informer) int {\n\treturn len(i.Insights)\n}",
		},
		{
			name:    "a shell may import pure packages, generated ones, clients and itself, and start goroutines",
			path:    "pkg/updatestatus/source",
			imports: []string{module + "/pkg/updatestatus/assess", module + "/pkg/generated/clientset", module + "/pkg/updatestatus/source/cache"},
			deps:    []string{"k8s.io/client-go/kubernetes"},
			source:  "func run() { go run() }",
		},
		{
			name:    "a shell must not import another one",
			path:    "pkg/updatestatus/source",
			imports: []string{module + "/pkg/updatestatus/alerts"},
			want:    []string{"pkg/updatestatus/source: imports example.com/operator/pkg/updatestatus/alerts, which is another shell"},
		},
		{
			name:    "a shell must not import wiring",
			path:    "pkg/updatestatus/source",
			imports: []string{module + "/pkg/updatestatus"},
			want:    []string{"pkg/updatestatus/source: imports example.com/operator/pkg/updatestatus, which is another shell"},
		},
		{
			name:    "wiring may import shells",
			path:    "pkg/updatestatus",
			imports: []string{module + "/pkg/updatestatus/alerts", module + "/pkg/updatestatus/controller"},
		},
		{
			name:    "a pure package must not import a shell",
			path:    "pkg/updatestatus/status",
			imports: []string{module + "/pkg/updatestatus/controller"},
			want:    []string{"pkg/updatestatus/status: imports example.com/operator/pkg/updatestatus/controller, which is not pure"},
		},
		{
			name:    "nothing imports what is for tests",
			path:    "cmd/oc-update-status",
			imports: []string{module + "/pkg/updatestatus/cli", module + "/test/builders"},
			want:    []string{"cmd/oc-update-status: imports example.com/operator/test/builders, which is no part of the binaries"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := goPackage{ImportPath: module + "/" + test.path, Dir: t.TempDir(), Imports: test.imports, Deps: test.deps}
			p.GoFiles = []string{"source.go"}
			source := "package source\n\n" + test.source + "\n"
			if err := os.WriteFile(filepath.Join(p.Dir, "source.go"), []byte(source), 0o600); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, architecture(t).check(p)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestTestDependencies: the tests of a pure package may need some packages more than the package, those of a shell any number.
func TestTestDependencies(t *testing.T) {
	of := architecture(t)
	of.layers = slices.DeleteFunc(of.layers, func(l layer) bool { return l.path != "pkg/updatestatus/assess" && l.path != "pkg/updatestatus/source" })
	packages := func(path string, added int) []goPackage {
		deps := []string{"fmt", "strings"}
		return []goPackage{
			{ImportPath: module + "/" + path, Deps: deps},
			{ImportPath: module + "/" + path + ".test", Deps: slices.Concat(slices.Repeat([]string{"example.com/client"}, added), []string{"testing"}, deps)},
		}
	}
	got := of.checkAll(slices.Concat(packages("pkg/updatestatus/assess", 61), packages("pkg/updatestatus/source", 600)))
	want := []string{"pkg/updatestatus/assess: pure, but its tests add 61 packages to those that it needs, more than 60: what needs clients is tested in test/"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := of.checkAll(slices.Concat(packages("pkg/updatestatus/assess", 60), packages("pkg/updatestatus/source", 600))); got != nil {
		t.Error(got)
	}
}

func TestMissingPackages(t *testing.T) {
	of := architecture(t)
	var packages []goPackage
	for _, l := range of.layers {
		packages = append(packages, goPackage{ImportPath: module + "/" + l.path})
	}
	if got := of.checkAll(packages); got != nil {
		t.Error(got)
	}
	packages[5].ImportPath += "/below"
	packages[6].ImportPath += "-not"
	want := []string{
		of.layers[6].path + "-not: not in the table of ARCHITECTURE.md",
		of.layers[6].path + ": in the table of ARCHITECTURE.md, but does not exist",
	}
	if diff := cmp.Diff(want, of.checkAll(packages)); diff != "" {
		t.Error(diff)
	}
}

func purePackages(t *testing.T) []string {
	t.Helper()
	var paths []string
	for _, l := range architecture(t).layers {
		if l.kind == pure {
			paths = append(paths, l.path)
		}
	}
	slices.Sort(paths)
	return paths
}

// The linters check of the same packages what they import from outside the module, and that they read no clock.
func TestLintersKnowThePurePackages(t *testing.T) {
	var config struct {
		Linters struct {
			Settings struct {
				Depguard struct {
					Rules map[string]struct {
						Files []string `json:"files"`
					} `json:"rules"`
				} `json:"depguard"`
			} `json:"settings"`
			Exclusions struct {
				Rules []struct {
					PathExcept string `json:"path-except"`
				} `json:"rules"`
			} `json:"exclusions"`
		} `json:"linters"`
	}
	if err := yaml.Unmarshal(read(t, "../../../.golangci.yml"), &config); err != nil {
		t.Fatal(err)
	}

	var guarded []string
	for _, file := range config.Linters.Settings.Depguard.Rules["pure"].Files {
		if path, found := strings.CutPrefix(file, "${base-path}/"); found {
			guarded = append(guarded, strings.TrimSuffix(path, "/**"))
		}
	}
	slices.Sort(guarded)
	if diff := cmp.Diff(purePackages(t), guarded); diff != "" {
		t.Error("depguard:", diff)
	}

	want := "^(" + strings.Join(purePackages(t), "|") + ")/"
	found := false
	for _, rule := range config.Linters.Exclusions.Rules {
		found = found || rule.PathExcept == want
	}
	if !found {
		t.Errorf("forbidigo: no path-except is %q", want)
	}
}

func TestReadLayersRefuses(t *testing.T) {
	for name, page := range map[string]string{
		"a page without a table": "# Architecture\n",
		"an unknown kind":        "| pkg/updatestatus/source | sometimes | sources |\n",
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), table)
			if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
				t.Fatal(err)
			}
			if layers, err := readLayers(file); err == nil {
				t.Errorf("read %v", layers)
			}
		})
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
