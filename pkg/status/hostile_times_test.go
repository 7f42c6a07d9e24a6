package status_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
	"github.com/openshift/cluster-version-operator/pkg/status"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/invariants"
)

// timedCluster returns a cluster in an update whose objects have every time that assessments read.
func timedCluster() assess.ClusterInput {
	hourAgo := noon.Add(-time.Hour)
	of := &builders.Fleet{Operators: 2, Name: "node", Nodes: []byte("cpdurD!"), Message: "a message"}
	in := of.Cluster(noon)
	in.ClusterVersion = builders.ClusterVersion(
		builders.Completed("4.20.0", noon.Add(-90*24*time.Hour), noon.Add(-89*24*time.Hour)),
		builders.Completed(builders.Before, noon.Add(-72*time.Hour), noon.Add(-71*time.Hour)), builders.Partial(builders.Target, hourAgo),
		builders.VersionCondition(configv1.ClusterOperatorStatusCondition{
			Type: "Failing", Status: configv1.ConditionTrue, LastTransitionTime: metav1.NewTime(hourAgo), Reason: "Why", Message: "a message",
		}),
		builders.VersionCondition(configv1.ClusterOperatorStatusCondition{
			Type: configv1.OperatorProgressing, Status: configv1.ConditionTrue, LastTransitionTime: metav1.NewTime(hourAgo),
		}))
	in.ClusterOperators = append(in.ClusterOperators, builders.ClusterOperator("unhealthy", builders.OperatorVersion(builders.Before),
		builders.Healthy(hourAgo), builders.Progressing(hourAgo, "Syncing", ""),
		builders.OperatorCondition(configv1.ClusterOperatorStatusCondition{
			Type: configv1.OperatorAvailable, Status: configv1.ConditionFalse, LastTransitionTime: metav1.NewTime(hourAgo),
		})))
	written := metav1.NewTime(hourAgo)
	draining := in.Nodes[2]
	draining.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "kubelet", Time: &written}}
	cordoned := metav1.NewTime(hourAgo)
	draining.Spec.Taints = []corev1.Taint{{Key: corev1.TaintNodeUnschedulable, TimeAdded: &cordoned}}
	in.Pods = []*corev1.Pod{builders.Pod("shop", "db-0", builders.OnNode(draining.Name), builders.Deleted(noon.Add(-time.Minute), time.Minute))}
	in.MachineConfigNodes = []*machineconfigv1.MachineConfigNode{builders.MachineConfigNode(draining.Name,
		draining.Annotations[builders.AnnotationDesiredConfig], builders.Drained(metav1.ConditionUnknown, hourAgo, "evicting"))}
	in.Alerts = []assess.Alert{{
		Labels: map[string]string{"alertname": "A", "severity": "critical"}, State: "firing", ActiveAt: noon.Add(-time.Minute),
	}}
	return in
}

// timedClusters are clusters in different states, in which other rules read times.
var timedClusters = map[string]func() assess.ClusterInput{
	"in progress": timedCluster,
	"just started": func() assess.ClusterInput {
		in := timedCluster()
		in.ClusterVersion.Status.History[0].StartedTime = metav1.NewTime(noon.Add(-time.Minute))
		in.MachineConfigNodes = nil
		return in
	},
	"completed": func() assess.ClusterInput {
		in := timedCluster()
		completed := metav1.NewTime(noon.Add(-time.Minute))
		in.ClusterVersion.Status.History[0].State, in.ClusterVersion.Status.History[0].CompletionTime = configv1.CompletedUpdate, &completed
		for at := range in.ClusterVersion.Status.Conditions {
			in.ClusterVersion.Status.Conditions[at].Status = configv1.ConditionFalse
		}
		return in
	},
}

// TestHostileTimes sets each time of each object of a cluster to one that cannot be true: the status is as if the object did not
// have that time, and the insights about other objects do not change.
func TestHostileTimes(t *testing.T) {
	t.Parallel()
	validator, err := invariants.ReadSchema(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, cluster := range timedClusters {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			honest := cluster()
			unchanged := statusOf(honest)
			paths := slices.Sorted(maps.Keys(builders.Times(&honest)))
			if len(paths) < 40 {
				t.Fatalf("only %v", paths)
			}
			with := func(path string, at time.Time) *updatev1alpha1.UpdateStatusStatus {
				in := cluster()
				*builders.Times(&in)[path] = at
				return statusOf(in)
			}
			for _, path := range paths {
				without := with(path, time.Time{})
				expectValid(t, validator, without)
				expectKnownTimes(t, without)
				for _, hostile := range builders.HostileTimes(noon) {
					if diff := cmp.Diff(without, with(path, hostile)); diff != "" {
						t.Errorf("%s (-without +%s):\n%s", path, hostile, diff)
					}
				}
				expectOthers(t, path, nameOf(path, honest), unchanged, without)
			}
		})
	}
}

// TestHostileTimesReported reports each insight with all of its times set to some that cannot be true, as if an assessment had
// let them pass.
func TestHostileTimesReported(t *testing.T) {
	t.Parallel()
	validator, err := invariants.ReadSchema(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, hostile := range builders.HostileTimes(noon) {
		all := ledger.New()
		for _, message := range assess.Cluster(timedCluster(), noon) {
			for _, report := range message.Reports {
				for at := range report.Insights {
					for _, time := range builders.Times(&report.Insights[at].Insight) {
						*time = hostile
					}
				}
			}
			all.Apply(message)
		}
		built := status.NewBuilder().Build(all.View(), nil, noon)
		expectValid(t, validator, built)
		expectKnownTimes(t, built)
	}
}

// nameOf returns the name of the object that a path leads into.
func nameOf(path string, in assess.ClusterInput) string {
	for prefix, name := range map[string]string{
		".ClusterVersion": "version", ".Alerts": "A", ".MachineConfigOperator": "", ".Pods": in.Nodes[2].Name, ".MachineConfigNodes": in.Nodes[2].Name,
	} {
		if strings.HasPrefix(path, prefix+".") || strings.HasPrefix(path, prefix+"[") {
			return name
		}
	}
	_, index, _ := strings.Cut(path, "[")
	at := int(index[0] - '0')
	switch {
	case strings.HasPrefix(path, ".Nodes"):
		return in.Nodes[at].Name
	case strings.HasPrefix(path, ".ClusterOperators"):
		return in.ClusterOperators[at].Name
	default:
		return ""
	}
}

// expectOthers expects the insights about all but one object. Those of the ClusterVersion and the pool sum others up.
func expectOthers(t *testing.T, path, name string, want, got *updatev1alpha1.UpdateStatusStatus) {
	t.Helper()
	wanted := map[string]string{}
	isAbout := func(one *updatev1alpha1.Insight) bool {
		switch {
		case one.ClusterVersion != nil, one.MachineConfigPool != nil:
			return true
		case one.Health != nil:
			return name == "version" || one.Health.Scope.Resources[0].Name == name
		case one.Node != nil:
			// In files, a drain does not start before the update.
			return one.Node.Name == name || name == "version" && one.Node.DrainStartedAt != nil
		default:
			return one.ClusterOperator.Name == name
		}
	}
	for _, one := range invariants.Insights(want) {
		wanted[one.UID] = string(invariants.JSON(t, one))
	}
	for _, one := range invariants.Insights(got) {
		if content := string(invariants.JSON(t, one)); !isAbout(one) && content != wanted[one.UID] {
			t.Errorf("without %s:\n%s\nand with it:\n%s", path, content, wanted[one.UID])
		}
		delete(wanted, one.UID)
	}
	for _, one := range invariants.Insights(want) {
		if wanted[one.UID] != "" && !isAbout(one) {
			t.Errorf("without %s there is no %s", path, one.UID)
		}
	}
}

func objectOf(built *updatev1alpha1.UpdateStatusStatus) *updatev1alpha1.UpdateStatus {
	return &updatev1alpha1.UpdateStatus{
		TypeMeta:   metav1.TypeMeta{APIVersion: updatev1alpha1.SchemeGroupVersion.String(), Kind: "UpdateStatus"},
		ObjectMeta: metav1.ObjectMeta{Name: updatev1alpha1.SingletonName},
		Status:     *built,
	}
}

func expectValid(t invariants.TB, validator *invariants.Schema, built *updatev1alpha1.UpdateStatusStatus) {
	t.Helper()
	if err := validator.Validate(context.Background(), objectOf(built)); err != nil {
		t.Errorf("an API server refuses it: %v", err)
	}
}

// expectKnownTimes expects all times of a status between 1970 and a day ahead, or a year for estimates.
func expectKnownTimes(t invariants.TB, built *updatev1alpha1.UpdateStatusStatus) {
	t.Helper()
	for path, at := range builders.Times(built) {
		latest := noon.Add(24*time.Hour + time.Hour)
		if strings.HasSuffix(path, ".EstimatedCompletedAt.Time") {
			latest = noon.Add(insight.MaxEstimate)
		}
		if at.Before(time.Unix(0, 0)) || at.After(latest) {
			t.Errorf("%s is %s", path, at)
		}
	}
}

// TestHostileTimesStored starts from a stored status each of whose times was set to one that cannot be true. The next status has
// none of them, and all else.
func TestHostileTimesStored(t *testing.T) {
	t.Parallel()
	validator, err := invariants.ReadSchema(root)
	if err != nil {
		t.Fatal(err)
	}
	all := ledger.New()
	for _, message := range assess.Cluster(timedCluster(), noon) {
		all.Apply(message)
	}
	stored := func() *updatev1alpha1.UpdateStatusStatus {
		built := status.NewBuilder().Build(all.View(), nil, noon.Add(-time.Minute)).DeepCopy()
		built.ControlPlane.Informers = append(built.ControlPlane.Informers, updatev1alpha1.Informer{
			Name: "other", Insights: []updatev1alpha1.Insight{*built.ControlPlane.Informers[0].Insights[0].DeepCopy()},
		})
		return built
	}
	for _, path := range slices.Sorted(maps.Keys(builders.Times(stored()))) {
		for _, hostile := range builders.HostileTimes(noon) {
			read := stored()
			*builders.Times(read)[path] = hostile
			insight.DropUnknownTimes(read, noon, metav1.NewTime(noon))
			builder := status.NewBuilder()
			builder.Stored(read)
			for _, view := range []ledger.View{{}, all.View()} {
				built := builder.Build(view, read, noon)
				expectKnownTimes(t, built)
				expectValid(t, validator, built)
			}
		}
	}
}
