package snapshot

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

const updateInformer = `apiVersion: update.openshift.io/v1alpha1
kind: UpdateInformer
metadata:
  managedFields:
  - manager: ceph
  name: ceph
  namespace: openshift-storage
spec: {}
status:
  insights:
  - impact: UpdateSpeed
    level: Warning
    name: storage-rebuilding
    reason: StorageRebuilding
    resources:
    - name: worker-3
      resource: nodes
    startedAt: "2025-03-01T11:00:00Z"
    summary: Ceph rebuilds 12 of 96 placement groups
  renewedAt: "2025-03-01T11:59:00Z"
`

// updateInformers is a list of several namespaces, as oc get --all-namespaces --output=yaml writes it.
const updateInformers = `apiVersion: v1
items:
- apiVersion: update.openshift.io/v1alpha1
  kind: UpdateInformer
  metadata: {name: migrations, namespace: virtualization}
  status: {renewedAt: "2025-03-01T11:59:00Z"}
- apiVersion: update.openshift.io/v1alpha1
  kind: UpdateInformer
  metadata: {name: ceph, namespace: other}
kind: List
`

// TestUpdateInformers: those of several namespaces are read from must-gathers, in which each has a file, and from lists.
func TestUpdateInformers(t *testing.T) {
	s := load(t, write(t, map[string]string{
		"image/namespaces/openshift-storage/update.openshift.io/updateinformers/ceph.yaml": updateInformer,
		"informers.yaml": updateInformers,
	}))
	want := []string{"updateinformer/openshift-storage/ceph", "updateinformer/other/ceph", "updateinformer/virtualization/migrations"}
	if diff := cmp.Diff(want, names(s)); diff != "" || len(s.Problems) > 0 {
		t.Errorf("problems %v (-want +got):\n%s", s.Problems, diff)
	}
	var got []string
	for _, informer := range s.UpdateInformers {
		got = append(got, "updateinformer/"+informer.Namespace+"/"+informer.Name)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	ceph := s.UpdateInformers[0]
	renewed := ceph.Status.RenewedAt
	if renewed == nil || !renewed.Time.Equal(time.Date(2025, time.March, 1, 11, 59, 0, 0, time.UTC)) || ceph.ManagedFields != nil {
		t.Errorf("renewed at %v, managed fields %v", renewed, ceph.ManagedFields)
	}
	if len(ceph.Status.Insights) != 1 || ceph.Status.Insights[0].Level != updatev1alpha1.InformerWarning || ceph.Status.Insights[0].Resources[0].Name != "worker-3" {
		t.Errorf("insights %+v", ceph.Status.Insights)
	}
}

// TestDamagedUpdateInformers: a file that is cut off anywhere after its first insight is reported as a problem, and others are read
// whatever was edited in one.
func TestDamagedUpdateInformers(t *testing.T) {
	for end := strings.Index(updateInformer, "insights:") + len("insights:\n  - "); end < len(updateInformer); end++ {
		s, err := Decode("a.yaml", strings.NewReader(updateInformer[:end]))
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Problems) == 0 {
			t.Errorf("no problem with a file that ends with %q", updateInformer[end-10:end])
		}
	}
	for name, test := range map[string]struct{ old, changed, problem string }{
		"a time that is none":   {`renewedAt: "2025-03-01T11:59:00Z"`, "renewedAt: now", "a.yaml:1: decoding UpdateInformer"},
		"a list that is a text": {"resources:\n    - name: worker-3\n      resource: nodes", "resources: nodes", "a.yaml:1: decoding UpdateInformer"},
		"a text that is a map":  {"reason: StorageRebuilding", "reason: {}", "a.yaml:1: decoding UpdateInformer"},
		"an unknown level":      {"level: Warning", "level: Fatal", ""},
		"an unknown field":      {"level: Warning", "level: Warning\n    phase: Rebuilding", ""},
		"another version":       {"openshift.io/v1alpha1", "openshift.io/v1beta7", ""},
		"another group":         {"update.openshift.io", "update.example.com", ""},
	} {
		dir := write(t, map[string]string{"a.yaml": strings.Replace(updateInformer, test.old, test.changed, 1), "b.yaml": updateInformers})
		s := load(t, dir)
		if got := strings.Join(problems(s, dir), "\n"); !strings.HasPrefix(got, test.problem) || (got == "") != (test.problem == "") {
			t.Errorf("%s: problems %q, want %q", name, got, test.problem)
		}
		want := 3
		if test.problem != "" || name == "another group" {
			want = 2
		}
		if len(s.UpdateInformers) != want {
			t.Errorf("%s: %d informers, want %d", name, len(s.UpdateInformers), want)
		}
	}
}
