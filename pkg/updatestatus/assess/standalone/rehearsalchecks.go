package standalone

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/version"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

// checkedAhead is a ClusterVersion before an update.
type checkedAhead struct {
	*configv1.ClusterVersion
	to      string
	singles []drain.Workload
}

// rehearsalChecks are those of what an update in progress has behind it, or shows by itself. No controller reports them.
var rehearsalChecks = []assess.Check[checkedAhead]{
	{Find: refusedAhead, HealthCheck: assess.HealthCheck{
		Name:   "update-would-be-refused",
		Texts:  assess.Texts{assess.NoCase: {Sentence: "The update from {from} to {release} would be refused{reason}", Description: assess.Message}},
		Impact: updatev1alpha1.ImpactUpdateStalled, NextSteps: assess.ReadOnly("oc adm upgrade", "oc describe clusterversion version"),
	}},
	{Find: risksAhead, HealthCheck: assess.HealthCheck{
		Name:   "update-not-recommended",
		Texts:  assess.Texts{assess.NoCase: {Sentence: "The update to {release} is not recommended: {risks}", Description: assess.Message}},
		Impact: updatev1alpha1.ImpactUnknown, NextSteps: assess.ReadOnly("oc adm upgrade --include-not-recommended"),
	}},
	{Find: notOfferedAhead, HealthCheck: assess.HealthCheck{
		Name: "update-not-offered",
		Texts: assess.Texts{assess.NoCase: {
			Sentence:    "The update to {release} is not among the updates that are offered",
			Description: "The Cluster Version Operator looks for a version among the available updates only. Another one is requested by its release image.",
		}},
		Impact: updatev1alpha1.ImpactNone, NextSteps: assess.ReadOnly("oc adm upgrade --include-not-recommended"),
	}},
	{Find: singlesAhead, HealthCheck: assess.HealthCheck{
		Name: "single-replica-interrupted",
		Texts: assess.Texts{assess.NoCase: {
			Sentence:    "{some} with a single replica would be interrupted while a node drains: {named}",
			Description: "The only pod is evicted, and a new one starts on another node. Run a second replica if that is an outage.",
		}},
		Impact: updatev1alpha1.ImpactNone,
	}},
}

// drainNowChecks are those of drains that would be blocked as the pods are now.
var drainNowChecks = []assess.Check[*drain.Prediction]{{Find: notDrainingNow, HealthCheck: assess.HealthCheck{
	Name: "pool-would-not-drain-now",
	Texts: assess.Texts{assess.NoCase: {
		Sentence: "{some} of {nodes} in pool '{name}' would not drain now: {why}",
		Description: "Each of these nodes has a pod that can't be evicted as it and the others of its PodDisruptionBudget are now. Make all of them ready, " +
			"or change the budget, at least during the update. The nodes are {named}, because of {budgets}.",
	}},
	Impact:    updatev1alpha1.ImpactUpdateStalled,
	NextSteps: assess.ReadOnly("oc describe poddisruptionbudget -n NAMESPACE BUDGET", "oc get pods -A -o wide --field-selector spec.nodeName=NODE"),
}}}

// versionAhead returns a report about the update as a whole.
func versionAhead(checked checkedAhead) insight.Report {
	ref := updatev1alpha1.ResourceRef{Group: configv1.GroupName, Resource: "clusterversions", Name: ClusterVersionName}
	health, _ := assess.CheckHealth(rehearsalChecks, checked, assess.Subject{Resource: ref, Part: insight.ControlPlane}, time.Time{})
	return insight.Report{Subject: insight.Subject{Kind: "Rehearsal", Name: ClusterVersionName}, Insights: health}
}

// drainsNow returns a report about the drains of a pool that would be blocked now.
func drainsNow(now *drain.Prediction) insight.Report {
	report := insight.Report{Subject: insight.Subject{Kind: "Rehearsal", Name: now.Pool}}
	report.Insights, _ = assess.CheckHealth(drainNowChecks, now, assess.Subject{Resource: poolRef(now.Pool), Part: PartOf(now.Pool)}, time.Time{})
	return report
}

func notDrainingNow(now *drain.Prediction) *assess.Finding {
	found := poolWillNotDrain(now)
	first := now.Budgets[0]
	found.Words["why"] = fmt.Sprintf("PodDisruptionBudget %s/%s allows %s", first.Namespace, first.Name, insight.Count(int(first.Status.DisruptionsAllowed), "disruption"))
	return found
}

// refusedAhead returns that the Cluster Version Operator refuses an update to another minor version (openshift/cluster-version-operator,
// pkg/payload/precondition/clusterversion/upgradeable.go, Run). One within it is refused for overrides, which have a check of their own.
func refusedAhead(checked checkedAhead) *assess.Finding {
	upgradeable := controlplane.FindCondition(checked.Status.Conditions, configv1.OperatorUpgradeable)
	if upgradeable == nil || upgradeable.Status != configv1.ConditionFalse || !IsMinorUpdate(checked.Status.Desired.Version, checked.to) {
		return nil
	}
	return &assess.Finding{
		Level:     updatev1alpha1.LevelError,
		Words:     assess.Words{"from": checked.Status.Desired.Version, "release": checked.to},
		Reported:  controlplane.Reported(updatev1alpha1.ComponentClusterVersionOperator, upgradeable),
		Reference: reference.UpdateTroubleshooting,
	}
}

// IsMinorUpdate returns whether an update is one to a later minor version.
func IsMinorUpdate(from, to string) bool {
	older, err := version.ParseSemantic(from)
	newer, newErr := version.ParseSemantic(to)
	if err != nil || newErr != nil {
		return false
	}
	return newer.Major() > older.Major() || newer.Major() == older.Major() && newer.Minor() > older.Minor()
}

// recommended is the condition of a conditional update (openshift/api, config/v1/types_cluster_version.go).
const recommended = "Recommended"

func risksAhead(checked checkedAhead) *assess.Finding {
	at := slices.IndexFunc(checked.Status.ConditionalUpdates, func(one configv1.ConditionalUpdate) bool { return one.Release.Version == checked.to })
	if at < 0 || meta.IsStatusConditionTrue(checked.Status.ConditionalUpdates[at].Conditions, recommended) {
		return nil
	}
	conditional := checked.Status.ConditionalUpdates[at]
	var names []string
	for _, risk := range conditional.Risks {
		names = append(names, risk.Name)
	}
	found := &assess.Finding{Words: assess.Words{"release": checked.to, "risks": strings.Join(names, ", ")}, Reference: reference.Updating}
	if why := meta.FindStatusCondition(conditional.Conditions, recommended); why != nil && why.Status != metav1.ConditionTrue {
		found.Reported = &updatev1alpha1.ComponentReport{Component: updatev1alpha1.ComponentClusterVersionOperator, Reason: why.Reason, Message: why.Message}
	}
	return found
}

func notOfferedAhead(checked checkedAhead) *assess.Finding {
	isOffered := slices.ContainsFunc(checked.Status.AvailableUpdates, func(one configv1.Release) bool { return one.Version == checked.to }) ||
		slices.ContainsFunc(checked.Status.ConditionalUpdates, func(one configv1.ConditionalUpdate) bool { return one.Release.Version == checked.to })
	if isOffered {
		return nil
	}
	return &assess.Finding{Level: updatev1alpha1.LevelInfo, Words: assess.Words{"release": checked.to}, Reference: reference.Updating}
}

// namedSingles is how many workloads with a single replica are named.
const namedSingles = 5

func singlesAhead(checked checkedAhead) *assess.Finding {
	if len(checked.singles) == 0 {
		return nil
	}
	var named []string
	for _, one := range checked.singles[:min(len(checked.singles), namedSingles)] {
		named = append(named, fmt.Sprintf("%s %s/%s", one.Kind, one.Namespace, one.Name))
	}
	if more := len(checked.singles) - namedSingles; more > 0 {
		named = append(named, "and "+strconv.Itoa(more)+" more")
	}
	return &assess.Finding{
		Level:     updatev1alpha1.LevelInfo,
		Words:     assess.Words{"some": insight.Count(len(checked.singles), "workload"), "named": strings.Join(named, ", ")},
		Reference: reference.Budgets,
	}
}
