package summary

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// MaxBytes is the size of a status as JSON that a summary stays below, whatever the names in the cluster: the object stays
// below 16 KiB with its metadata.
const MaxBytes = 12 << 10

// minLength is the length to which texts are shortened at most.
const minLength = 32

// Input is what a summary is made of.
type Input struct {
	// Update is the status of the UpdateStatus, without anything left out.
	Update *update.Update
	// History are the records of earlier updates.
	History estimate.History
	// Previous is the summary before, nil if there is none.
	Previous *updatev1alpha1.UpdateStatusSummaryStatus
	// Generation is that of the object that the summary is for, 0 if it is for none.
	Generation int64
	Now        time.Time
}

// Of returns the summary of a status. It does not set observedAt.
func Of(in Input) *updatev1alpha1.UpdateStatusSummaryStatus {
	if in.Previous == nil {
		in.Previous = &updatev1alpha1.UpdateStatusSummaryStatus{}
	}
	u := in.Update
	problems := u.NeedAttention()
	result := &updatev1alpha1.UpdateStatusSummaryStatus{
		ObservedGeneration: in.Generation, Health: countHealth(u.Health), Attention: attention(problems),
	}
	if version := u.ControlPlane.Version; version != nil {
		result.StartedAt = version.StartedAt.DeepCopy()
		result.Versions, result.Requested = versionsOf(version), version.Requested.DeepCopy()
		result.ControlPlane = &updatev1alpha1.ControlPlaneSummary{
			Assessment: version.Assessment, Completion: version.Completion,
			Operators: u.CountOperators(), Manifests: version.Manifests.DeepCopy(),
			Management: withProgress(u.ControlPlane.Management), DataPlane: withProgress(u.ControlPlane.DataPlane),
		}
	}
	if all := nodesOf(u.Counts()); all.Total > 0 {
		all.Progress = fmt.Sprintf("%d/%d", all.Completed, all.Total)
		result.Nodes = &all
	}
	updating := updatingCondition(u)
	expected := estimateAll(u, in)
	switch {
	case expected.missing != nil:
		updating.Message += "; finish unknown: " + expected.missing.Message
	case expected.whole != nil && expected.uncertain != "":
		updating.Message += "; finish uncertain: " + shorten(expected.uncertain)
		expected.whole.Uncertain = shorten(expected.uncertain)
	}
	result.Estimate, result.NoEstimate = expected.whole, expected.missing
	if result.ControlPlane != nil {
		result.ControlPlane.Estimate = expected.controlPlane
	}
	result.WorkerPools = workerPools(u.Pools, expected.pools)
	result.Conditions = keepTimes(append([]metav1.Condition{updating, upToDate(result, u), attentionCondition(problems), available(u)}, kstatusConditions(u)...), in)
	result.WaitingFor = waitingFor(u, in.Now)
	complete(result, u, in)
	return bound(result)
}

// withProgress returns a track with what its columns show, nil if it is not known.
func withProgress(track *updatev1alpha1.ControlPlaneTrack) *updatev1alpha1.ControlPlaneTrack {
	if track == nil {
		return nil
	}
	track = track.DeepCopy()
	track.Progress = insight.TrackProgress(track)
	return track
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

// workerPools returns the first pools, those that are not complete first.
func workerPools(pools []*update.Pool, expected map[string]*updatev1alpha1.SummaryEstimate) (listed []updatev1alpha1.WorkerPoolSummary) {
	pools = slices.DeleteFunc(slices.Clone(pools), func(one *update.Pool) bool { return !one.HasNodes() })
	slices.SortStableFunc(pools, func(a, b *update.Pool) int {
		return cmp.Or(update.CompareCompletion(a, b), cmp.Compare(a.Name, b.Name))
	})
	for _, one := range pools[:min(len(pools), updatev1alpha1.SummaryMaxPools)] {
		summarized := updatev1alpha1.WorkerPoolSummary{
			Name: one.Name, Nodes: nodesOf(one.Counts), Assessment: updatev1alpha1.AssessmentUnknown, Estimate: expected[one.Name],
		}
		if one.Insight != nil {
			summarized.Assessment, summarized.Completion = one.Insight.Assessment, one.Insight.Completion
		}
		listed = append(listed, summarized)
	}
	return listed
}

func nodesOf(counts insight.NodeCounts) updatev1alpha1.SummaryNodes {
	return updatev1alpha1.SummaryNodes{
		Total: counts.Total, Completed: counts.Completed, Updating: counts.Updating, Excluded: counts.Excluded, Pending: counts.Pending + counts.Unknown,
		Degraded: counts.Degraded, Unavailable: counts.Unavailable(),
	}
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

// attention returns the first causes.
func attention(groups []causes.Group) []updatev1alpha1.SummaryAttention {
	var listed []updatev1alpha1.SummaryAttention
	for _, group := range causes.Foremost(groups, updatev1alpha1.SummaryMaxAttention) {
		first, resources := group.Members[0], group.Resources()
		listed = append(listed, updatev1alpha1.SummaryAttention{
			UID: first.UID, Reason: first.Health.Reason, Level: group.Level(), Since: group.Since().DeepCopy(), Summary: group.Summary(),
			Consequences: int32(group.CountConsequences()),
			Resources:    refsOf(resources[:min(len(resources), updatev1alpha1.SummaryMaxResources)]),
			Reference:    first.Health.Remediation.Reference,
		})
	}
	return listed
}

func refsOf(resources []updatev1alpha1.HealthResource) []updatev1alpha1.ResourceRef {
	var refs []updatev1alpha1.ResourceRef
	for _, one := range resources {
		refs = append(refs, one.ResourceRef)
	}
	return refs
}

// bound lists fewer resources, then fewer pools and fewer causes, and then shortens texts, until a summary is small enough: names can have 253
// characters, and JSON has six bytes for one such as <.
func bound(result *updatev1alpha1.UpdateStatusSummaryStatus) *updatev1alpha1.UpdateStatusSummaryStatus {
	for at := len(result.Attention) - 1; at >= 0 && size(result) > MaxBytes; at-- {
		one := &result.Attention[at]
		one.Resources = one.Resources[:min(len(one.Resources), 1)]
	}
	for size(result) > MaxBytes && len(result.WorkerPools) > 0 {
		result.WorkerPools = result.WorkerPools[:len(result.WorkerPools)-1]
	}
	for size(result) > MaxBytes && len(result.Attention) > 1 {
		result.Attention = result.Attention[:len(result.Attention)-1]
	}
	for length := messageLength / 2; length >= minLength && size(result) > MaxBytes; length /= 2 {
		for _, text := range texts(result) {
			*text = insight.Shorten(*text, length)
		}
	}
	return result
}

// texts returns the texts of a summary that are no names.
func texts(result *updatev1alpha1.UpdateStatusSummaryStatus) []*string {
	all := []*string{&result.WaitingFor}
	for at := range result.Conditions {
		all = append(all, &result.Conditions[at].Message)
	}
	for at := range result.Attention {
		all = append(all, &result.Attention[at].Summary)
	}
	if result.Estimate != nil {
		all = append(all, &result.Estimate.Uncertain)
	}
	if result.NoEstimate != nil {
		all = append(all, &result.NoEstimate.Message)
	}
	return all
}

func size(result *updatev1alpha1.UpdateStatusSummaryStatus) int {
	encoded, err := json.Marshal(result)
	if err != nil {
		panic(err) //nolint:forbidigo // it has only strings, numbers and times
	}
	return len(encoded)
}
