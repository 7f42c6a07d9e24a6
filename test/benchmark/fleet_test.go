package main

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/openshift/cluster-version-operator/test/hosted"
)

// TestFleetWrites: each hosted cluster has as many components and nodes as the document says, in its own namespaces.
func TestFleetWrites(t *testing.T) {
	of := fleetCluster(7)
	names := map[string]map[string]bool{}
	for _, write := range fleetWrites(time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)) {
		object, err := inNamespaces(write.Object, of)
		if err != nil {
			t.Fatal(err)
		}
		kind := object.GetObjectKind().GroupVersionKind().Kind
		if kind == "" && !write.IsHosted {
			t.Errorf("%s has no kind", object.GetName())
		}
		if write.IsHosted {
			kind = "hosted " + kind
		} else if namespace := object.GetNamespace(); namespace != of.Namespace && namespace != of.ControlPlaneNamespace {
			t.Errorf("%s %s is in %s", kind, object.GetName(), namespace)
		}
		if names[kind] == nil {
			names[kind] = map[string]bool{}
		}
		names[kind][object.GetName()] = true
		content, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		if text := string(content); strings.Contains(text, `"`+hosted.Namespace+`"`) || strings.Contains(text, hosted.Namespace+"/") || strings.Contains(text, hosted.ControlPlaneNamespace) {
			t.Errorf("%s %s names another namespace: %s", kind, object.GetName(), content)
		}
	}
	got := map[string]int{}
	for _, kind := range []string{"HostedCluster", "NodePool", "ControlPlaneComponent", "Machine", "hosted Node"} {
		got[kind] = len(names[kind])
	}
	want := map[string]int{"HostedCluster": 1, "NodePool": 1, "ControlPlaneComponent": fleetComponents, "Machine": fleetNodes, "hosted Node": fleetNodes}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestWritten: each stored version counts, without managed fields, and leases of others don't.
func TestWritten(t *testing.T) {
	object := func(name string) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{"name": name, "managedFields": []any{map[string]any{"manager": "a"}}}}}
	}
	size := len(`{"metadata":{"name":"` + leaseName + `"}}`)
	w := &written{bytes: map[string]int{}}
	for _, event := range []struct {
		resource string
		kind     watch.EventType
		name     string
	}{
		{leases, watch.Added, leaseName},
		{leases, watch.Modified, leaseName},
		{leases, watch.Modified, "apiserver"},
		{summaries, watch.Modified, "east"},
		{summaries, watch.Deleted, leaseName},
		{summaries, watch.Bookmark, leaseName},
	} {
		w.count(event.resource, watch.Event{Type: event.kind, Object: object(event.name)})
	}
	w.count(summaries, watch.Event{Type: watch.Error})
	if diff := cmp.Diff(map[string]int{leases: 2 * size, summaries: size - len(leaseName) + len("east")}, w.reset()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if again := w.reset(); len(again) != 0 {
		t.Errorf("after a reset: %v", again)
	}
}

func TestInvalidHostedFlags(t *testing.T) {
	for flags, want := range map[string]string{
		"--controllers=0": "--controllers must be", "--controllers=3 --stored=2": "--controllers must be", "--idle=59s": "--controllers must be", "more": "more",
	} {
		command := newCommand()
		command.SetArgs(append([]string{"hosted"}, strings.Fields(flags)...))
		command.SetOut(io.Discard)
		command.SetErr(io.Discard)
		if err := command.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got the error %v, want %s", flags, err, want)
		}
	}
}
