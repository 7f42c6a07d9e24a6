package api_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/record"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/summary"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/truncate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// long is a message.
var long = strings.Repeat("<message>\n", 3277)

// TestBoundedObjects: the largest and the oddest clusters give objects that the server takes, and that stay below the
// bound with all that the server adds to them.
func TestBoundedObjects(t *testing.T) {
	testBounded(t, map[string]*builders.Fleet{
		"100 nodes in 10 pools": {Pools: 10, Operators: 33, Name: strings.Repeat("long.", 45) + "node", Message: long, Nodes: []byte(strings.Repeat("cpppppdu!D", 10))},
	})
}

// TestLongBoundedObjects has more of them.
func TestLongBoundedObjects(t *testing.T) {
	testBounded(t, map[string]*builders.Fleet{
		"5,000 nodes in 500 pools":   {Pools: 500, Operators: 33, Name: strings.Repeat("long.", 45) + "node", Message: long, Nodes: []byte(strings.Repeat("cpppppdu!D", 500))},
		"one pool of 5,000 nodes":    {Pools: 1, Operators: 33, Name: "ip-10-0-128-7.ec2.internal", Message: long, Nodes: []byte(strings.Repeat("cpppppdu!D", 500))},
		"500 pools of one node":      {Pools: 500, Operators: 33, Name: "ip-10-0-128-7.ec2.internal", Nodes: []byte(strings.Repeat("p", 500))},
		"1,200 pools":                {Pools: 1200, Operators: 33, Name: "node", Nodes: []byte(strings.Repeat("pc", 1200))},
		"5,000 nodes not ready":      {Pools: 3, Operators: 33, Name: "node", Message: long, Nodes: []byte(strings.Repeat("!", 5000))},
		"100 operators who say much": {Pools: 3, Operators: 100, Name: "node", Message: long, Nodes: []byte(strings.Repeat("cp", 500))},
	})
}

func testBounded(t *testing.T, fleets map[string]*builders.Fleet) {
	t.Helper()
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for name, of := range fleets {
		t.Run(name, func(t *testing.T) {
			pool.Emptied(t)
			builder := status.NewBuilder()
			built := builder.Build(builders.View(standalone.Assess(of.Cluster(now), now)), now)
			expectSmallSummary(t, built, now)
			expectSmallRecord(t, built, now)
			object := &updatev1alpha1.UpdateStatus{
				TypeMeta:   metav1.TypeMeta{APIVersion: updatev1alpha1.SchemeGroupVersion.String(), Kind: "UpdateStatus"},
				ObjectMeta: metav1.ObjectMeta{Name: updatev1alpha1.SingletonName},
				Status:     *builder.Fit().Status,
			}
			content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
			if err != nil {
				t.Fatal(err)
			}
			written, err := createWithStatus(t, updateStatus, &unstructured.Unstructured{Object: content})
			if err != nil {
				t.Fatal(err)
			}
			stored, err := json.Marshal(written.Object)
			if err != nil {
				t.Fatal(err)
			}
			managed, err := json.Marshal(written.GetManagedFields())
			if err != nil {
				t.Fatal(err)
			}
			truncated := meta.FindStatusCondition(object.Status.Conditions, updatev1alpha1.ConditionInsightsComplete)
			t.Logf("%d bytes, of them managedFields %d, %d worker pools: %v", len(stored), len(managed), len(object.Status.WorkerPools), truncated)
			if len(stored) > truncate.MaxObjectBytes || len(managed) < 1000 {
				t.Errorf("the object has %d bytes, of them managedFields %d", len(stored), len(managed))
			}
		})
	}
}

// expectSmallSummary checks that the API server accepts the summary of a status, and that it stays below 16 KiB.
func expectSmallSummary(t *testing.T, built *updatev1alpha1.UpdateStatusStatus, now time.Time) {
	t.Helper()
	expectSmall(t, updateStatusSummary, 16<<10, &updatev1alpha1.UpdateStatusSummary{
		TypeMeta:   metav1.TypeMeta{APIVersion: updatev1alpha1.SchemeGroupVersion.String(), Kind: "UpdateStatusSummary"},
		ObjectMeta: metav1.ObjectMeta{Name: updatev1alpha1.SingletonName},
		Status:     *summary.Of(summary.Input{Update: update.Read(built), Now: now}),
	})
}

// expectSmallRecord checks that the API server accepts a record of a status, and that it stays below 64 KiB.
func expectSmallRecord(t *testing.T, built *updatev1alpha1.UpdateStatusStatus, now time.Time) {
	t.Helper()
	fold := record.Resume(nil)
	fold.Observe(update.Read(built), now)
	made := fold.Record()
	expectSmall(t, updateRecord, 64<<10, &updatev1alpha1.UpdateRecord{
		TypeMeta:   metav1.TypeMeta{APIVersion: updatev1alpha1.SchemeGroupVersion.String(), Kind: "UpdateRecord"},
		ObjectMeta: metav1.ObjectMeta{Name: made.Name}, Status: made.Status,
	})
}

func expectSmall(t *testing.T, of kind, most int, object any) {
	t.Helper()
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		t.Fatal(err)
	}
	written, err := createWithStatus(t, of, &unstructured.Unstructured{Object: content})
	if err != nil {
		t.Fatal(err)
	}
	stored, err := json.Marshal(written.Object)
	if err != nil || len(stored) > most {
		t.Errorf("%s has %d bytes, error %v", of.name, len(stored), err)
	}
}
