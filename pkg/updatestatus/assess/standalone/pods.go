package standalone

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/podstate"
)

// PodsWanted returns whose pods may say why something fails: the operators with a health insight of a certain age, the retrieval of a release
// that is requested, and a Cluster Version Operator that is silent. The message is that of the control plane.
func PodsWanted(message insight.Message, operators []*configv1.ClusterOperator, now time.Time) []podstate.Wanted {
	var wanted []podstate.Wanted
	version := versionIn(message)
	for _, report := range message.Reports {
		operator := operatorNamed(report.Subject.Name, operators)
		switch {
		case report.Subject == ClusterVersionSubject():
			if isRetrieving(report) {
				wanted = append(wanted, podstate.Wanted{Operator: podstate.ReleaseRetrieval, Namespaces: []string{podstate.VersionNamespace}})
			}
			if isSilent(report) {
				wanted = append(wanted, podstate.Wanted{Operator: podstate.VersionOperator, Namespaces: []string{podstate.VersionNamespace}})
			}
		case operator == nil || report.Subject != assess.OperatorSubject(operator.Name) || !hasFailed(report, now) && !isSlow(report, version, now):
		default:
			if namespaces := podstate.Namespaces(operator); len(namespaces) > 0 {
				wanted = append(wanted, podstate.Wanted{Operator: operator.Name, Namespaces: namespaces, Message: degradedMessage(operator)})
			}
		}
	}
	return wanted
}

// isRetrieving returns whether an update is requested that has not begun: its release may be retrieved.
func isRetrieving(report insight.Report) bool {
	isRequested := func(one insight.ScopedInsight) bool {
		return one.Insight.ClusterVersion != nil && one.Insight.ClusterVersion.Requested != nil
	}
	return slices.ContainsFunc(report.Insights, isRequested)
}

// isSilent returns whether the Cluster Version Operator has stopped.
func isSilent(report insight.Report) bool {
	return slices.ContainsFunc(report.Insights, func(one insight.ScopedInsight) bool {
		return one.Insight.Health != nil && one.Insight.Health.Reason == assess.ReasonOf(silentCheck.Name)
	})
}

// hasFailed returns whether an operator has failed for long enough.
func hasFailed(report insight.Report, now time.Time) bool {
	return slices.ContainsFunc(report.Insights, func(one insight.ScopedInsight) bool {
		health := one.Insight.Health
		return health != nil && (health.StartedAt == nil || now.Sub(health.StartedAt.Time) >= podstate.FailingFor)
	})
}

// isSlow returns whether an update has waited for an operator for so long that it may be slow.
func isSlow(report insight.Report, version *updatev1alpha1.ClusterVersionInsight, now time.Time) bool {
	return version != nil && slices.ContainsFunc(report.Insights, func(one insight.ScopedInsight) bool {
		if one.Insight.ClusterOperator == nil {
			return false
		}
		since, isWaited := controlplane.WaitedSince(version, one.Insight.ClusterOperator)
		return isWaited && now.Sub(assess.Later(since, assess.TimeOf(version.StartedAt))) >= controlplane.UsualPatience
	})
}

// versionIn returns the insight about the control plane as a whole, nil if there is none.
func versionIn(message insight.Message) *updatev1alpha1.ClusterVersionInsight {
	for _, report := range message.Reports {
		for _, one := range report.Insights {
			if one.Insight.ClusterVersion != nil {
				return one.Insight.ClusterVersion
			}
		}
	}
	return nil
}

func degradedMessage(operator *configv1.ClusterOperator) string {
	if degraded := controlplane.FindCondition(operator.Status.Conditions, configv1.OperatorDegraded); controlplane.IsTrue(degraded) {
		return degraded.Message
	}
	return ""
}

// PodsToRead returns whose pods may say why something fails in a cluster, and what its sources would report. Without an update it is nothing.
func PodsToRead(in Input, now time.Time) ([]podstate.Wanted, ledger.View) {
	cluster := NewCluster(assess.Observed{})
	cluster.isSnapshot = true
	controlPlane, nodes := cluster.watched(in, now)
	return podsToRead(in, controlPlane, nodes, now)
}

func podsToRead(in Input, controlPlane, nodes insight.Message, now time.Time) ([]podstate.Wanted, ledger.View) {
	reported := ledger.New()
	reported.Apply(controlPlane)
	reported.Apply(nodes)
	view := reported.View()
	if !view.Update().Unfinished {
		return nil, view
	}
	return PodsWanted(controlPlane, in.ClusterOperators, now), view
}

// podsOf returns what the pods of files say.
func podsOf(all []*corev1.Pod, wanted []podstate.Wanted, away podstate.Away, now time.Time) map[string]*assess.Pods {
	pods := map[string]*assess.Pods{}
	for _, one := range wanted {
		known := slices.DeleteFunc(slices.Clone(all), func(pod *corev1.Pod) bool { return !slices.Contains(one.Namespaces, pod.Namespace) })
		switch {
		case len(known) == 0:
			pods[one.Operator] = &assess.Pods{Unread: one.First()}
		case one.Operator == podstate.ReleaseRetrieval:
			pods[one.Operator] = &assess.Pods{Worst: podstate.Retrieval(known, now)}
		default:
			worst := podstate.Worst(podstate.Input{Pods: known, Away: away, OperatorMessage: one.Message}, now)
			pods[one.Operator] = &assess.Pods{Worst: worst}
		}
	}
	return pods
}
