package simulator_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-version-operator/test/simulator"
)

var recordedFiles = map[string]string{
	"-cv.yaml": `
apiVersion: config.openshift.io/v1
kind: ClusterVersion
metadata:
  name: version
  resourceVersion: "7"
  uid: 95080674-6c97-49ba-a90c-83d977db7d3f
status:
  conditions:
  - {type: Progressing, status: "True", lastTransitionTime: "2026-01-02T03:00:00Z", message: "since 2026-01-02T03:00:00Z"}
  history:
  - {state: Partial, startedTime: "2026-01-02T02:59:00Z", completionTime: null}
`,
	"-co.yaml": `
apiVersion: v1
kind: List
items:
- apiVersion: config.openshift.io/v1
  kind: ClusterOperator
  metadata: {name: etcd, creationTimestamp: "2025-01-02T03:00:00Z", annotations: {a: b}}
  status:
    conditions:
    - {type: Progressing, status: "True", lastTransitionTime: "2026-01-02T03:00:30Z"}
`,
	"-mcp.yaml":  "{apiVersion: v1, kind: List, items: []}",
	"-mc.yaml":   "{apiVersion: v1, kind: List, items: []}",
	"-node.yaml": "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Node, metadata: {name: a}}]}",
}

func TestReadRecorded(t *testing.T) {
	folder := t.TempDir()
	for suffix, content := range recordedFiles {
		if err := os.WriteFile(filepath.Join(folder, "some"+suffix), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	recorded, err := simulator.ReadRecorded(filepath.Join(folder, "some"))
	if err != nil {
		t.Fatal(err)
	}
	newest := time.Date(2026, 1, 2, 3, 0, 30, 0, time.UTC)
	if got := recorded.Newest(); !got.Equal(newest) {
		t.Errorf("newest is %s", got)
	}
	recorded.Shift(time.Hour + time.Millisecond)
	if got := recorded.Newest(); !got.Equal(newest.Add(time.Hour)) {
		t.Errorf("newest is %s after it was moved by an hour", got)
	}
	var got []map[string]any
	for _, object := range recorded.Objects {
		got = append(got, object.Object)
	}
	want := []map[string]any{{
		"apiVersion": "config.openshift.io/v1",
		"kind":       "ClusterVersion",
		"metadata":   map[string]any{"name": "version"},
		"status": map[string]any{
			"conditions": []any{map[string]any{
				"type": "Progressing", "status": "True", "lastTransitionTime": "2026-01-02T04:00:00Z",
				"message": "since 2026-01-02T03:00:00Z",
			}},
			"history": []any{map[string]any{
				"state": "Partial", "startedTime": "2026-01-02T03:59:00Z", "completionTime": nil,
			}},
		},
	}, {
		"apiVersion": "config.openshift.io/v1",
		"kind":       "ClusterOperator",
		"metadata":   map[string]any{"name": "etcd", "annotations": map[string]any{"a": "b"}},
		"status": map[string]any{"conditions": []any{map[string]any{
			"type": "Progressing", "status": "True", "lastTransitionTime": "2026-01-02T04:00:30Z",
		}}},
	}, {
		"apiVersion": "v1", "kind": "Node", "metadata": map[string]any{"name": "a"},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
}

func TestReadRecordedMissingFile(t *testing.T) {
	if _, err := simulator.ReadRecorded(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("no error")
	}
}
