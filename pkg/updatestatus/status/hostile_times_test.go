package status_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
)

// TestHostileTimes sets each time of each object of a cluster to one that cannot be true: the status is as if the object did not
// have that time, and the insights about other objects do not change.
func TestHostileTimes(t *testing.T) {
	t.Parallel()
	expectHostileTimesIgnored(t, builders.OneHostileTime)
}

// TestLongHostileTimes is TestHostileTimes with each time that cannot be true, for each time of each object.
func TestLongHostileTimes(t *testing.T) {
	t.Parallel()
	expectHostileTimesIgnored(t, builders.EachHostileTime)
}

func expectHostileTimesIgnored(t *testing.T, hostileTimes func(now time.Time, path int) []time.Time) {
	t.Helper()
	for name, cluster := range builders.TimedClusters {
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
			for at, path := range paths {
				without := with(path, time.Time{})
				expectKnownTimes(t, without)
				for _, hostile := range hostileTimes(noon, at) {
					// A difference takes much longer to compute than an answer.
					if got := with(path, hostile); !reflect.DeepEqual(without, got) {
						t.Errorf("%s (-without +%s):\n%s", path, hostile, cmp.Diff(without, got))
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
	for _, hostile := range builders.HostileTimes(noon) {
		all := ledger.New()
		for _, message := range standalone.Assess(builders.TimedCluster(), noon) {
			for _, report := range message.Reports {
				for at := range report.Insights {
					for _, time := range builders.Times(&report.Insights[at].Insight) {
						*time = hostile
					}
				}
			}
			all.Apply(message)
		}
		built := status.NewBuilder().Build(all.View(), noon)
		expectKnownTimes(t, built)
	}
}

// nameOf returns the name of the object that a path leads into.
func nameOf(path string, in standalone.Input) string {
	for prefix, name := range map[string]string{
		".ClusterVersion": "version", ".Alerts": "A", ".MachineConfigOperator": "", ".Pods": in.Nodes[2].Name, ".MachineConfigNodes": in.Nodes[2].Name,
	} {
		if strings.HasPrefix(path, prefix+".") || strings.HasPrefix(path, prefix+"[") {
			return name
		}
	}
	_, index, isListed := strings.Cut(path, "[")
	if !isListed {
		return ""
	}
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
			isOf := func(ref updatev1alpha1.HealthResource) bool { return ref.Name == name }
			return name == "version" || slices.ContainsFunc(one.Health.Scope.Resources, isOf)
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
	expectStoredTimesIgnored(t, builders.OneHostileTime)
}

// TestLongHostileTimesStored is TestHostileTimesStored with each time that cannot be true.
func TestLongHostileTimesStored(t *testing.T) {
	t.Parallel()
	expectStoredTimesIgnored(t, builders.EachHostileTime)
}

func expectStoredTimesIgnored(t *testing.T, hostileTimes func(now time.Time, path int) []time.Time) {
	t.Helper()
	all := ledger.New()
	for _, message := range standalone.Assess(builders.TimedCluster(), noon) {
		all.Apply(message)
	}
	stored := func() *updatev1alpha1.UpdateStatusStatus {
		built := status.NewBuilder().Build(all.View(), noon.Add(-time.Minute)).DeepCopy()
		built.ControlPlane.Informers = append(built.ControlPlane.Informers, updatev1alpha1.Informer{
			Name: "other", Insights: []updatev1alpha1.Insight{*built.ControlPlane.Informers[0].Insights[0].DeepCopy()},
		})
		return built
	}
	for at, path := range slices.Sorted(maps.Keys(builders.Times(stored()))) {
		for _, hostile := range hostileTimes(noon, at) {
			read := stored()
			*builders.Times(read)[path] = hostile
			insight.DropUnknownTimes(read, noon, metav1.NewTime(noon))
			builder := status.NewBuilder()
			builder.Stored(read)
			for _, view := range []ledger.View{{}, all.View()} {
				built := builder.Build(view, noon)
				expectKnownTimes(t, built)
			}
		}
	}
}
