package summary

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/causes"
	"github.com/openshift/cluster-version-operator/pkg/estimate"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// MaxBytes is the size of a status as JSON that a summary stays below, whatever the names in the cluster: the object stays
// below 16 KiB with its metadata.
const MaxBytes = 12 << 10

// Input is what a summary is made of.
type Input struct {
	// Status is the status of the UpdateStatus, without anything left out.
	Status *updatev1alpha1.UpdateStatusStatus
	// History are the records of earlier updates.
	History estimate.History
	// Previous is the summary before, nil if there is none.
	Previous *updatev1alpha1.UpdateStatusSummaryStatus
	Now      time.Time
}

// Of returns the summary of a status. It does not set observedAt.
func Of(in Input) *updatev1alpha1.UpdateStatusSummaryStatus {
	if in.Previous == nil {
		in.Previous = &updatev1alpha1.UpdateStatusSummaryStatus{}
	}
	c := readCluster(in.Status)
	attend := serious(c.causes)
	made := &updatev1alpha1.UpdateStatusSummaryStatus{Health: countHealth(c.health), Attention: attention(attend)}
	if c.version != nil {
		made.StartedAt = c.version.StartedAt.DeepCopy()
		made.Versions = versionsOf(c.version)
		made.ControlPlane = &updatev1alpha1.ControlPlaneSummary{
			Assessment: c.version.Assessment, Completion: c.version.Completion,
			EstimatedCompletedAt: c.version.EstimatedCompletedAt.DeepCopy(), Operators: c.countOperators(),
		}
	}
	if all := c.all(); all.Total > 0 {
		made.Nodes = &all.SummaryNodes
	}
	updating := updatingCondition(c)
	expected := estimateAll(c, in, updating.Status)
	if expected.missing != "" {
		updating.Message += "; no estimate: " + expected.missing
	}
	made.Estimate = expected.whole
	if made.ControlPlane != nil {
		made.ControlPlane.Estimate = expected.controlPlane
	}
	made.WorkerPools, made.OtherPools = workerPools(c.pools, expected.pools)
	made.Conditions = keepTimes([]metav1.Condition{updating, needsAttention(attend), available(in.Status)}, in)
	made.WaitingFor = waitingFor(c, updating, in.Now)
	complete(made, c, in)
	return bound(made)
}

func versionsOf(version *updatev1alpha1.ClusterVersionInsight) (versions updatev1alpha1.SummaryVersions) {
	if version.Versions.Previous != nil {
		versions.Previous = version.Versions.Previous.Version
	}
	if version.Versions.Target != nil {
		versions.Target = version.Versions.Target.Version
	}
	return versions
}

// workerPools returns the first pools, those that are not complete first, and the number of the others.
func workerPools(pools []pool, expected map[string]*updatev1alpha1.SummaryEstimate) (listed []updatev1alpha1.WorkerPoolSummary, others int32) {
	pools = slices.Clone(pools)
	slices.SortStableFunc(pools, func(a, b pool) int {
		return cmp.Or(-cmp.Compare(min(a.nodes.behind, 1), min(b.nodes.behind, 1)), cmp.Compare(a.name, b.name))
	})
	for _, one := range pools[:min(len(pools), updatev1alpha1.SummaryMaxPools)] {
		summarized := updatev1alpha1.WorkerPoolSummary{
			Name: one.name, Nodes: one.nodes.SummaryNodes, Assessment: updatev1alpha1.AssessmentUnknown, Estimate: expected[one.name],
		}
		if one.insight != nil {
			summarized.Assessment, summarized.Completion = one.insight.Assessment, one.insight.Completion
			summarized.EstimatedCompletedAt = one.insight.EstimatedCompletedAt.DeepCopy()
		}
		listed = append(listed, summarized)
	}
	return listed, int32(len(pools) - len(listed))
}

func countHealth(insights []causes.Insight) *updatev1alpha1.SummaryHealth {
	counts := &updatev1alpha1.SummaryHealth{}
	for _, one := range insights {
		switch one.Health.Impact.Level {
		case updatev1alpha1.LevelCritical:
			counts.Critical++
		case updatev1alpha1.LevelError:
			counts.Error++
		case updatev1alpha1.LevelWarning:
			counts.Warning++
		case updatev1alpha1.LevelInfo:
			counts.Info++
		default:
			counts.Unknown++
		}
	}
	return counts
}

// serious returns the causes of level Warning or higher, the worst first.
func serious(groups []causes.Group) []causes.Group {
	warning := slices.Index(insight.Levels(), updatev1alpha1.LevelWarning)
	return slices.DeleteFunc(slices.Clone(groups), func(group causes.Group) bool {
		return slices.Index(insight.Levels(), group.Level()) < warning
	})
}

// attention returns the first causes.
func attention(groups []causes.Group) []updatev1alpha1.SummaryAttention {
	var listed []updatev1alpha1.SummaryAttention
	for _, group := range groups[:min(len(groups), updatev1alpha1.SummaryMaxAttention)] {
		first, resources := group.Members[0], group.Resources()
		listed = append(listed, updatev1alpha1.SummaryAttention{
			UID: first.UID, Level: group.Level(), Since: group.Since().DeepCopy(), Summary: group.Summary(),
			Consequences: int32(group.CountConsequences()),
			Resources:    resources[:min(len(resources), updatev1alpha1.SummaryMaxResources)],
			Reference:    first.Health.Remediation.Reference,
		})
	}
	return listed
}

// bound lists fewer resources, and then fewer pools, until a summary is small enough: names can have 253 characters.
func bound(made *updatev1alpha1.UpdateStatusSummaryStatus) *updatev1alpha1.UpdateStatusSummaryStatus {
	for at := len(made.Attention) - 1; at >= 0 && size(made) > MaxBytes; at-- {
		one := &made.Attention[at]
		one.Resources = one.Resources[:min(len(one.Resources), 1)]
	}
	for size(made) > MaxBytes && len(made.WorkerPools) > 0 {
		made.WorkerPools = made.WorkerPools[:len(made.WorkerPools)-1]
		made.OtherPools++
	}
	return made
}

func size(made *updatev1alpha1.UpdateStatusSummaryStatus) int {
	encoded, err := json.Marshal(made)
	if err != nil {
		panic(err) //nolint:forbidigo // it has only strings, numbers and times
	}
	return len(encoded)
}
