package update_test

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// nodesIn returns a node in each of some phases.
func nodesIn(pool, phases string) []updatev1alpha1.Informer {
	var insights []updatev1alpha1.Insight
	for _, phase := range strings.Fields(phases) {
		status := metav1.ConditionFalse
		if phase == string(insight.PhaseUpdating) {
			status = metav1.ConditionTrue
		}
		insights = append(insights, updatev1alpha1.Insight{Type: updatev1alpha1.InsightNode, Node: &updatev1alpha1.NodeInsight{
			Name: pool + phase, Pool: pool, Version: "4.20.1", Conditions: []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: status, Reason: phase}},
		}})
	}
	return []updatev1alpha1.Informer{{Insights: insights}}
}

// TestState has a case for each state, and for what decides between two of them.
func TestState(t *testing.T) {
	for name, test := range map[string]struct {
		// updating is the status and the reason of the control plane, masters the phases of its nodes, and previous its version before.
		updating, masters, previous string
		// pools are the phases of the nodes of each pool.
		pools []string
		want  update.State
	}{
		"unknown":                               {"Unknown CannotDetermine", "Completed", "4.20.1", []string{"Completed"}, update.Unknown},
		"installed":                             {"False NotUpdating", "Completed", "", []string{"Completed"}, update.NotUpdating},
		"completed":                             {"False Completed", "Completed", "4.20.1", []string{"Completed", "Completed"}, update.Completed},
		"control plane":                         {"True Progressing", "Pending", "4.20.1", []string{"Pending"}, update.UpdatingControlPlane},
		"control plane, no nodes yet":           {"True Progressing", "Completed", "4.20.1", []string{"Pending"}, update.UpdatingControlPlane},
		"its nodes are left":                    {"False Completed", "Completed Pending", "4.20.1", []string{"Completed"}, update.UpdatingControlPlane},
		"both":                                  {"True Progressing", "Pending", "4.20.1", []string{"Updating"}, update.UpdatingBoth},
		"both, by the first of two pools":       {"True Progressing", "Pending", "4.20.1", []string{"Updating", "Pending"}, update.UpdatingBoth},
		"both, by the second of two pools":      {"True Progressing", "Pending", "4.20.1", []string{"Pending", "Updating"}, update.UpdatingBoth},
		"both, by the pool after one without":   {"True Progressing", "Pending", "4.20.1", []string{"", "Updating"}, update.UpdatingBoth},
		"workers":                               {"False Completed", "Completed", "4.20.1", []string{"Updating"}, update.UpdatingWorkers},
		"workers, by the first of two pools":    {"False Completed", "Completed", "4.20.1", []string{"Pending", "Completed"}, update.UpdatingWorkers},
		"workers before what is requested":      {"False Requested", "Completed", "4.20.1", []string{"Pending"}, update.UpdatingWorkers},
		"paused":                                {"False Completed", "Completed", "4.20.1", []string{"Paused"}, update.Paused},
		"paused, by the first of two pools":     {"False Completed", "Completed", "4.20.1", []string{"Paused", "Completed"}, update.Paused},
		"paused, and others not":                {"False Completed", "Completed", "4.20.1", []string{"Paused", "Pending"}, update.UpdatingWorkers},
		"requested":                             {"False Requested", "Completed", "4.20.1", []string{"Completed"}, update.Requested},
		"requested while a pool is paused":      {"False Requested", "Completed", "4.20.1", []string{"Paused"}, update.Requested},
		"not accepted after the installation":   {"False NotAccepted", "Completed", "", []string{"Completed"}, update.NotAccepted},
		"paused before the first update is one": {"False NotUpdating", "Completed", "", []string{"Paused"}, update.Paused},
	} {
		status, reason, _ := strings.Cut(test.updating, " ")
		version := &updatev1alpha1.ClusterVersionInsight{Versions: updatev1alpha1.ControlPlaneVersions{Target: &updatev1alpha1.Version{Version: "4.20.2"}}}
		if test.previous != "" {
			version.Versions.Previous = &updatev1alpha1.Version{Version: test.previous}
		}
		us := &updatev1alpha1.UpdateStatusStatus{ControlPlane: &updatev1alpha1.ControlPlane{
			Resource:   refTo("clusterversions", "version"),
			Conditions: []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: metav1.ConditionStatus(status), Reason: reason}},
			Informers:  append(nodesIn("master", test.masters), updatev1alpha1.Informer{Insights: []updatev1alpha1.Insight{{Type: updatev1alpha1.InsightClusterVersion, ClusterVersion: version}}}),
		}}
		for number, phases := range test.pools {
			pool := string(rune('a' + number))
			us.WorkerPools = append(us.WorkerPools, updatev1alpha1.WorkerPool{Name: pool, Informers: nodesIn(pool, phases)})
		}
		if got := update.Read(us).State; got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}
