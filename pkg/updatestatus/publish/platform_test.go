package publish

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/fakeapi"
)

var owner = metav1.OwnerReference{Kind: "HostedCluster", Name: "east", UID: "u"}

// newHostedRecords returns a fixture whose RecordWriter writes the records of a hosted cluster.
func newHostedRecords(t *testing.T) *recordFixture {
	t.Helper()
	f := newRecordFixture(t)
	f.restartHosted(func(context.Context) (metav1.OwnerReference, error) { return owner, nil })
	return f
}

func (f *recordFixture) restartHosted(reference func(context.Context) (metav1.OwnerReference, error)) {
	of := Owner{NamespacedName: types.NamespacedName{Namespace: "clusters", Name: "east"}, Reference: reference}
	f.RecordWriter = NewRecordWriter(RecordInput{
		Pace: f.clock, Built: f.built, Store: Hosted(fakeapi.Client(f.client), of, updatev1alpha1.ResourceRef{}).Records,
	})
}

// write writes, and returns the records in all namespaces.
func (f *recordFixture) write() []updatev1alpha1.HostedClusterUpdateRecord {
	f.t.Helper()
	if _, err := f.Write(f.t.Context(), false); err != nil {
		f.t.Fatal(err)
	}
	listed, err := f.client.UpdateV1alpha1().HostedClusterUpdateRecords(metav1.NamespaceAll).List(f.t.Context(), metav1.ListOptions{})
	if err != nil {
		f.t.Fatal(err)
	}
	return listed.Items
}

func TestHostedRecord(t *testing.T) {
	f := newHostedRecords(t)
	written := f.write()
	if len(written) != 1 {
		t.Fatalf("written: %+v", written)
	}
	want := metav1.ObjectMeta{
		Name: "east-20260302-120000-2", Namespace: "clusters", OwnerReferences: []metav1.OwnerReference{owner},
		Labels: map[string]string{"update.openshift.io/hosted-cluster": "east"},
	}
	if diff := cmp.Diff(want, written[0].ObjectMeta); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := written[0].Status; got.Result != updatev1alpha1.ResultInProgress || got.Versions.Target != "2" {
		t.Errorf("the record is %+v", got)
	}
}

// TestHostedRecordIsContinued: after a restart, the record goes on.
func TestHostedRecordIsContinued(t *testing.T) {
	f := newHostedRecords(t)
	f.change("before")
	f.write()
	f.restartHosted(func(context.Context) (metav1.OwnerReference, error) { return owner, nil })
	f.passTime(10 * time.Minute)
	f.complete()
	written := f.write()
	if len(written) != 1 || written[0].Status.Result != updatev1alpha1.ResultCompleted || len(written[0].Labels) != 1 {
		t.Errorf("written: %+v", written)
	}
}

// TestHostedRecordsOfOthers: the records of other hosted clusters in the namespace are neither continued nor deleted, while those of
// this one are pruned.
func TestHostedRecordsOfOthers(t *testing.T) {
	f := newHostedRecords(t)
	client := f.client.UpdateV1alpha1().HostedClusterUpdateRecords("clusters")
	started := metav1.NewTime(start.Add(-time.Hour))
	for hosted, count := range map[string]int{"east": 10, "east-2": 11} {
		for at := range count {
			if _, err := client.Create(t.Context(), &updatev1alpha1.HostedClusterUpdateRecord{
				ObjectMeta: metav1.ObjectMeta{
					Name: fmt.Sprintf("%s-%d", hosted, at), Labels: map[string]string{updatev1alpha1.HostedClusterLabel: hosted},
				},
				Status: updatev1alpha1.UpdateRecordStatus{
					RecordTimes: updatev1alpha1.RecordTimes{StartedAt: &started}, Result: updatev1alpha1.ResultSuperseded,
				},
			}, metav1.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	count := map[string]int{}
	for _, one := range f.write() {
		count[one.Labels[updatev1alpha1.HostedClusterLabel]]++
	}
	if diff := cmp.Diff(map[string]int{"east": 10, "east-2": 11}, count); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
}

func TestHostedRecordWithoutOwner(t *testing.T) {
	f := newRecordFixture(t)
	f.restartHosted(func(context.Context) (metav1.OwnerReference, error) { return owner, errors.New("refused") })
	_, err := f.Write(t.Context(), false)
	want := "creating HostedClusterUpdateRecord/clusters/east-20260302-120000-2: reading HostedCluster clusters/east: refused"
	if err == nil || err.Error() != want {
		t.Errorf("got the error %v, want %s", err, want)
	}
}

// TestHostedSummary: the summary of a hosted cluster has the name of its HostedCluster, which owns it, and no label.
func TestHostedSummary(t *testing.T) {
	f := newSummaryFixture(t)
	of := Owner{
		NamespacedName: types.NamespacedName{Namespace: "clusters", Name: "east"},
		Reference:      func(context.Context) (metav1.OwnerReference, error) { return owner, nil },
	}
	f.in.Platform = Hosted(fakeapi.Client(f.client), of, updatev1alpha1.ResourceRef{})
	f.build("one")
	f.mustSync(0, "create", "updatestatus")
	f.build("two")
	f.mustSync(0, "updatestatus")
	stored, err := f.client.UpdateV1alpha1().HostedClusterUpdateStatusSummaries("clusters").Get(t.Context(), "east", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := metav1.ObjectMeta{Name: "east", Namespace: "clusters", OwnerReferences: []metav1.OwnerReference{owner}}
	if diff := cmp.Diff(want, stored.ObjectMeta); diff != "" || stored.Status.Conditions[0].Message != "two" {
		t.Errorf("stored %+v, metadata (-want +got):\n%s", stored.Status, diff)
	}
}
