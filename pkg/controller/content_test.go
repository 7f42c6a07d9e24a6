package controller

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
	"github.com/openshift/cluster-version-operator/pkg/status"
	"github.com/openshift/cluster-version-operator/test/builders"
)

// TestContent: an object that is put together from its parts is the one that is encoded as a whole.
func TestContent(t *testing.T) {
	full := updatev1alpha1.UpdateStatus{
		ObjectMeta: metav1.ObjectMeta{
			Name: "cluster", ResourceVersion: "7", UID: "u", CreationTimestamp: metav1.Unix(5, 0), Labels: map[string]string{"<a>": "&\""},
		},
		Status: updatev1alpha1.UpdateStatusStatus{Conditions: []metav1.Condition{{
			Type: "Available", Message: "<\u2028>\x00\"\n", LastTransitionTime: metav1.NewTime(time.Unix(6, 0).UTC()),
		}}},
	}
	for name, object := range map[string]updatev1alpha1.UpdateStatus{"empty": {}, "full": full} {
		t.Run(name, func(t *testing.T) {
			checkContent(t, &object, content{})
		})
	}
}

// checkContent compares the content of an object, of which some is as it was before, with what json.Marshal makes of it.
func checkContent(t *testing.T, object *updatev1alpha1.UpdateStatus, before content) content {
	t.Helper()
	got, err := contentOf(object, before)
	if err != nil {
		t.Fatal(err)
	}
	typed := *object
	typed.SetGroupVersionKind(updatev1alpha1.SchemeGroupVersion.WithKind("UpdateStatus"))
	want, err := json.Marshal(typed)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got.whole)); diff != "" {
		t.Errorf("the object (-want +got):\n%s", diff)
	}
	wantStatus, err := json.Marshal(object.Status)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(wantStatus), string(got.status)); diff != "" {
		t.Errorf("its status (-want +got):\n%s", diff)
	}
	return got
}

// TestContentOfWhatChanges: of an object most is as it was before, some is other, has gone or is new, or in another place.
func TestContentOfWhatChanges(t *testing.T) {
	of := &builders.Fleet{Operators: 4, Pools: 3, Name: "node", Nodes: []byte("cpdurD!pc"), Message: "<it> can't"}
	next := statuses(of)
	object := &updatev1alpha1.UpdateStatus{ObjectMeta: metav1.ObjectMeta{Name: "cluster"}}
	var last content
	for minute, nodes := range []string{"cpdurD!pc", "cpdurD!pc", "ccdurDcpr", "cc", "ccD!ppppppp"} {
		of.Nodes = []byte(nodes)
		object.Status = next(minute)
		last = checkContent(t, object, last)
		if got, want := len(last.insights), len(insightsOf(&object.Status)); got != want || want == 0 {
			t.Errorf("minute %d: %d insights are known by their place, %d are there", minute, got, want)
		}
	}
}

// statuses returns the statuses of a fleet, one after the other.
func statuses(of *builders.Fleet) func(minute int) updatev1alpha1.UpdateStatusStatus {
	said, memory := ledger.New(), status.NewMemory()
	var made updatev1alpha1.UpdateStatusStatus
	noon := time.Unix(12*60*60, 0)
	return func(minute int) updatev1alpha1.UpdateStatusStatus {
		now := noon.Add(time.Duration(minute) * time.Minute)
		for _, message := range assess.Cluster(of.Cluster(noon), now) {
			said.Apply(message)
		}
		made = status.Build(status.Input{
			Previous: &made, Memory: memory, Ledger: said.View(), Now: now, Observing: true, Bounded: true,
		})
		return made
	}
}

func insightsOf(status *updatev1alpha1.UpdateStatusStatus) []updatev1alpha1.Insight {
	informers := slices.Clone(status.ControlPlane.Informers)
	for _, pool := range status.WorkerPools {
		informers = append(informers, pool.Informers...)
	}
	var insights []updatev1alpha1.Insight
	for _, informer := range informers {
		insights = append(insights, informer.Insights...)
	}
	return insights
}

// BenchmarkContentNext is what it costs to encode an object of which one node is another one.
func BenchmarkContentNext(b *testing.B) {
	of := builders.Large()
	next := statuses(of)
	var objects [2]updatev1alpha1.UpdateStatus
	for at, phase := range []byte("ud") {
		of.Nodes[0] = phase
		objects[at].Status = next(at)
	}
	var last content
	at := 0
	b.ReportAllocs()
	for b.Loop() {
		at = 1 - at
		var err error
		if last, err = contentOf(&objects[at], last); err != nil {
			b.Fatal(err)
		}
	}
}
