package status

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
)

// addSlow adds health insights about operators that an update waits for longer than usual, and about a control plane that makes no progress:
// their sources know neither the records of earlier updates nor whether something else explains it.
func (m merger) addSlow(parts informersByPart, view ledger.SourceView) {
	at := slices.IndexFunc(parts[insight.ControlPlane], func(one updatev1alpha1.Informer) bool { return one.Name == string(m.source) })
	all := contentsOf(parts)
	all.Nodes = insight.Read(parts[insight.ControlPlane]).Nodes // those of other pools wait for the control plane
	version := all.Version
	if at < 0 || version == nil || !meta.IsStatusConditionTrue(version.Conditions, updatev1alpha1.ConditionUpdating) {
		return
	}
	informer := &parts[insight.ControlPlane][at]
	isStandard := slices.ContainsFunc(informer.Insights, func(one updatev1alpha1.Insight) bool { return one.ClusterVersion != nil })
	if !isStandard {
		return
	}
	found := m.slowOperators(all, view)
	explained := len(found) > 0 || slices.ContainsFunc(all.Health, explains)
	if !explained && !isMoving(all) {
		found = append(found, m.standstill(all)...)
	}
	for i := range found {
		informer.Insights = append(informer.Insights, m.finish(&found[i], m.start(&found[i])))
	}
	slices.SortStableFunc(informer.Insights, compareInsights)
	m.setStalled(informer.Insights, explained || len(found) > 0)
}

// contentsOf returns the insights of all parts.
func contentsOf(parts informersByPart) insight.Contents {
	var informers []updatev1alpha1.Informer
	for _, part := range parts {
		informers = append(informers, part...)
	}
	return insight.Read(informers)
}

// slowOperators returns health insights about the operators that the update waits for.
func (m merger) slowOperators(all insight.Contents, view ledger.SourceView) []insight.ScopedInsight {
	var found []insight.ScopedInsight
	pods := podsOf(view)
	for _, operator := range all.Operators {
		since, isWaited := controlplane.WaitedSince(all.Version, operator)
		if !isWaited {
			continue
		}
		one := controlplane.Slow{
			Operator: operator, Since: since, Started: assess.TimeOf(all.Version.StartedAt), Took: m.history.Operator(operator.Name),
		}
		if operator.Name == controlplane.MachineConfigOperator {
			one.NodesMoved, one.NodesPatience = m.nodesMoved(all.Nodes)
		}
		found = append(found, check(m, controlplane.SlowChecks, one, assess.Subject{Resource: operator.Resource, Pods: pods[operator.Name]})...)
	}
	return found
}

// podsOf returns the pods that say why operators do not get on, by operator.
func podsOf(view ledger.SourceView) map[string]*assess.Pods {
	pods := map[string]*assess.Pods{}
	for _, one := range view.Insights {
		if operator := one.Insight.ClusterOperator; operator != nil && (one.Pod != nil || one.PodsUnread != "") {
			pods[operator.Name] = &assess.Pods{Worst: one.Pod, Unread: one.PodsUnread}
		}
	}
	return pods
}

// check runs checks about an object of the control plane.
func check[F any](m merger, checks []assess.Check[F], facts F, of assess.Subject) []insight.ScopedInsight {
	of.Part = insight.ControlPlane
	health, nextCheck := assess.CheckHealth(checks, facts, of, m.clock.Time.Time)
	m.nextCheck = assess.Earliest(m.nextCheck, wholeSecondFrom(nextCheck))
	return health
}

// nodesMoved returns when a node of the control plane was last observed to get on, and how long that may take: machine-config waits for them, and
// for other pools that it requires only once these are done.
func (m merger) nodesMoved(nodes []*updatev1alpha1.NodeInsight) (moved time.Time, patience time.Duration) {
	patience = controlplane.NodesPatience
	for _, node := range nodes {
		moved = assess.Later(moved, movedAt(node))
		for _, phase := range node.Phases {
			patience = max(patience, 2*m.longest(node.Pool, insight.NodePhase(phase.Phase)))
		}
	}
	return moved, patience
}

// explains returns whether a health insight may be why the control plane makes no progress.
func explains(one insight.Health) bool {
	health := one.Health
	return insight.NeedsAttention(health.Impact.Level) && health.Impact.Type != updatev1alpha1.ImpactNone &&
		slices.Contains(insight.Watching(), insight.Source(one.Informer))
}

// isMoving returns whether something is updated at present that the control plane waits for.
func isMoving(all insight.Contents) bool {
	for _, operator := range all.Operators {
		if _, isWaited := controlplane.WaitedSince(all.Version, operator); isWaited {
			return true
		}
	}
	return slices.ContainsFunc(all.Nodes, func(node *updatev1alpha1.NodeInsight) bool {
		return meta.IsStatusConditionTrue(node.Conditions, updatev1alpha1.ConditionUpdating)
	})
}

// standstill returns a health insight about a control plane that makes no progress.
func (m merger) standstill(all insight.Contents) []insight.ScopedInsight {
	facts := controlplane.Standstill{Version: all.Version, Operators: len(all.Operators), LongestStep: m.history.LongestOperator()}
	for _, operator := range all.Operators {
		if insight.OperatorStateOf(operator).Progress == insight.OperatorUpdated {
			facts.Updated++
		}
	}
	return check(m, controlplane.StandstillChecks, facts, assess.Subject{Resource: all.Version.Resource})
}

// stall makes a control plane stalled that an error stalls, by the levels that insights have with their causes: everything that is derived of it then
// says the same (update.Stalling).
func (b *Builder) stall(informers []updatev1alpha1.Informer, view ledger.View, clock evalTime) {
	var stalls bool
	for _, one := range insight.Read(informers).Health {
		isStalling := one.Health.Impact.Type == updatev1alpha1.ImpactUpdateStalled && one.Health.Reason != insight.ReasonUpdateNotAccepted
		stalls = stalls || insight.IsError(one.Health.Impact.Level) && (isStalling || insight.StalledControlPlane(one.Insight) != "")
	}
	if !stalls || !view[insight.ControlPlaneInformer].Complete {
		return
	}
	for _, informer := range informers {
		for at := range informer.Insights {
			one := &informer.Insights[at]
			if version := one.ClusterVersion; version == nil || !meta.IsStatusConditionTrue(version.Conditions, updatev1alpha1.ConditionUpdating) {
				continue
			}
			b.setAssessment(one, cacheKey{insight.Source(informer.Name), one.UID}, updatev1alpha1.AssessmentStalled, clock)
		}
	}
}

// setAssessment changes the assessment of a control plane, unless it is so already.
func (b *Builder) setAssessment(one *updatev1alpha1.Insight, key cacheKey, want updatev1alpha1.Assessment, clock evalTime) {
	if one.ClusterVersion.Assessment == want {
		return
	}
	changed := *one.ClusterVersion
	changed.Assessment = want
	one.ClusterVersion = &changed
	if before := b.previousVersion(); before != nil {
		acquire(one, before, clock)
	}
	b.cache[key].merged = *one
}

// previousVersion returns the insight about the control plane in the previous status, nil if there is none.
func (b *Builder) previousVersion() *updatev1alpha1.Insight {
	for _, informer := range informersOf(b.previous)[insight.ControlPlane] {
		for at := range informer.Insights {
			if informer.Insights[at].ClusterVersion != nil {
				return &informer.Insights[at]
			}
		}
	}
	return nil
}

// setStalled makes a control plane whose estimate has passed, and of which nothing is known to stall it, slow: it is stalled only where a health
// insight says why, or that nothing says why.
func (m merger) setStalled(insights []updatev1alpha1.Insight, isExplained bool) {
	for at := range insights {
		one := &insights[at]
		if one.ClusterVersion == nil {
			continue
		}
		entry := m.cache[cacheKey{m.source, one.UID}]
		want := entry.reported.ClusterVersion.Assessment
		if want == updatev1alpha1.AssessmentStalled && !isExplained {
			want = updatev1alpha1.AssessmentProgressingSlow
		}
		m.setAssessment(one, cacheKey{m.source, one.UID}, want, m.clock)
	}
}
