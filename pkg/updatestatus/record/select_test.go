package record_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/record"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

func storedRecord(name string, started *metav1.Time, target string) updatev1alpha1.UpdateRecord {
	return updatev1alpha1.UpdateRecord{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Status: updatev1alpha1.UpdateRecordStatus{
			RecordTimes: updatev1alpha1.RecordTimes{StartedAt: started}, Versions: updatev1alpha1.SummaryVersions{Target: target},
		},
	}
}

// TestFor checks which record is about the newest update of a status.
func TestFor(t *testing.T) {
	inProgress, complete := updating(5, "Draining", 1), seen{minute: 9, from: "1", to: "2", completed: 3, worker: "Completed", since: 6}
	unknown := seen{minute: 5, to: "2", worker: "Pending"}
	of, before, empty := storedRecord("of", ref(0), "2"), storedRecord("before", ref(-60), "1"), storedRecord("empty", nil, "")
	for _, test := range []struct {
		name   string
		status seen
		stored []updatev1alpha1.UpdateRecord
		want   string
	}{
		{name: "its record", status: inProgress, stored: []updatev1alpha1.UpdateRecord{of, before}, want: "of, stored"},
		{name: "no record of it", status: inProgress, stored: []updatev1alpha1.UpdateRecord{before}, want: "20260302-080000-2"},
		{name: "no record", status: inProgress, want: "20260302-080000-2"},
		{name: "its record after the update", status: complete, stored: []updatev1alpha1.UpdateRecord{of, before}, want: "of, stored"},
		{name: "only the update before was recorded", status: complete, stored: []updatev1alpha1.UpdateRecord{before}, want: "before, stored"},
		{name: "an installation", status: unknown, stored: []updatev1alpha1.UpdateRecord{before}, want: "before, stored"},
		{name: "no update and no record", status: complete},
		{name: "a record that was created and not written", status: complete, stored: []updatev1alpha1.UpdateRecord{empty}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.status.from == "" {
				test.status.started = 5
			}
			found, isStored := record.For(update.Read(test.status.status()), test.stored, at(test.status.minute).Time)
			got := ""
			if found != nil {
				got = found.Name
			}
			if isStored {
				got += ", stored"
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	if found, _ := record.For(update.Read(&updatev1alpha1.UpdateStatusStatus{}), []updatev1alpha1.UpdateRecord{of}, at(5).Time); found == nil || found.Name != "of" {
		t.Errorf("for a status without insights got %v", found)
	}
}

// TestOf checks what is known of a cluster that is looked at once: what the ClusterVersion tells, and a gap from the start on. Nodes
// that are listed by name are nodes too.
func TestOf(t *testing.T) {
	status := ready(9, "Draining", 4).status()
	if got, want := text(record.Of(update.Read(status), at(9).Time)), "1-2 InProgress 0-?, control plane 0-3, worker ?-?, gap 0-9"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	listed := seen{minute: 9, from: "1", to: "2", completed: 3, worker: "Completed", since: 6}.status()
	listed.WorkerPools[0].Informers[0].Insights[0].MachineConfigPool.NodeGroups = []updatev1alpha1.NodeGroup{{Phase: "Pending", Version: "1", Names: []string{"worker-1"}}}
	if record.Of(update.Read(listed), at(9).Time) == nil {
		t.Error("an update is complete although a node that is listed by name is behind")
	}
}

// TestFind checks that the name of a record wins over the version of another one, and that the newest of a version is found.
func TestFind(t *testing.T) {
	records := []updatev1alpha1.UpdateRecord{storedRecord("c", ref(3), "2"), storedRecord("2", ref(2), "1"), storedRecord("a", ref(1), "1")}
	for name, want := range map[string]string{"a": "a", "1": "2", "2": "2", "c": "c", "4": ""} {
		got := ""
		if found := record.Find(records, name); found != nil {
			got = found.Name
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
