package summary_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/summary"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// TestPoolsOfHostedClusters: nodes that are to join a pool in place of others are none of its nodes yet, and a pool can be complete
// with a version of its own.
func TestPoolsOfHostedClusters(t *testing.T) {
	for _, tc := range []struct {
		name    string
		nodes   []string
		pool    metav1.ConditionStatus
		version string
		// unknown is how many nodes the pool counts that are not known.
		unknown int
		want    string
	}{
		{"complete", []string{"w-0 Completed"}, metav1.ConditionFalse, "4.20.2", 0, "False/Completed 4.20.2"},
		{"another node is to join", []string{"w-0 Completed"}, metav1.ConditionTrue, "4.20.2", 0, "True/Workers "},
		{"all nodes are to join", nil, metav1.ConditionTrue, "", 0, "True/Workers "},
		{"its nodes are not known", nil, metav1.ConditionTrue, "", 3, "True/Workers "},
		{"a pool without nodes", nil, metav1.ConditionFalse, "", 0, "False/Completed 4.20.2"},
		{"complete, with another version", []string{"w-0 Completed"}, metav1.ConditionFalse, "4.19.9", 0, "False/Completed "},
	} {
		f := completedControlPlane()
		f.pools["worker"] = tc.nodes
		status := f.status()
		status.WorkerPools = status.WorkerPools[:1]
		all := insight.Read(status.WorkerPools[0].Informers)
		all.Pools[0].Summaries = []updatev1alpha1.NodeSummary{{Type: updatev1alpha1.NodesTotal, Count: int32(len(tc.nodes) + tc.unknown)}}
		all.Pools[0].Conditions = []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: tc.pool}}
		for _, node := range all.Nodes {
			node.Version = tc.version
		}
		made := summary.Of(summary.Input{Update: update.Read(status), Now: at(80).Time})
		updating := meta.FindStatusCondition(made.Conditions, updatev1alpha1.ConditionUpdating)
		if got := string(updating.Status) + "/" + updating.Reason + " " + made.CompletedVersion; got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// TestTracks: the summary has both tracks of a hosted cluster with what its columns show, and none of another cluster.
func TestTracks(t *testing.T) {
	f := running()
	status := f.status()
	one := &status.ControlPlane.Informers[0].Insights[0]
	made := func() *updatev1alpha1.ControlPlaneSummary {
		return summary.Of(summary.Input{Update: update.Read(status), Now: at(80).Time}).ControlPlane
	}
	if cp := made(); cp.Management != nil || cp.DataPlane != nil {
		t.Errorf("a standalone cluster has %+v and %+v", cp.Management, cp.DataPlane)
	}
	hosted := &updatev1alpha1.HostedClusterInsight{
		ClusterVersionInsight: *one.ClusterVersion,
		Management:            &updatev1alpha1.ControlPlaneTrack{Version: "4.22.4", State: updatev1alpha1.TrackCompleted, StartedAt: ref(1), CompletedAt: ref(9)},
		DataPlane:             &updatev1alpha1.ControlPlaneTrack{State: updatev1alpha1.TrackPending},
	}
	one.ClusterVersion, one.HostedCluster = nil, hosted
	want := &updatev1alpha1.ControlPlaneSummary{Management: hosted.Management.DeepCopy(), DataPlane: hosted.DataPlane.DeepCopy()}
	want.Management.Progress, want.DataPlane.Progress = "4.22.4 Completed", "Pending"
	cp := made()
	if diff := cmp.Diff(want.Management, cp.Management) + cmp.Diff(want.DataPlane, cp.DataPlane); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if hosted.Management.Progress+hosted.DataPlane.Progress != "" {
		t.Error("the insights were changed")
	}
	hosted.Management = nil
	if cp := made(); cp.Management != nil || cp.DataPlane == nil {
		t.Errorf("of a release that does not report its components: %+v and %+v", cp.Management, cp.DataPlane)
	}
}

// TestUnknownRelease: an update whose version is not known yet is told without one.
func TestUnknownRelease(t *testing.T) {
	f := running()
	f.version.Versions.Target = nil
	updating := meta.FindStatusCondition(f.summary(nil, 1).Conditions, updatev1alpha1.ConditionUpdating)
	if want := "The control plane is being updated to a release of unknown version"; updating.Message != want {
		t.Errorf("%q, want %q", updating.Message, want)
	}
}
