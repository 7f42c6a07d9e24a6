package status

import (
	"slices"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
)

// connect gives the health insights of complete sources their causes, and causes the level of what they cause. Those of other
// sources keep theirs.
func (b *Builder) connect(parts informersByPart, getsOn advancing, view ledger.View, clock evalTime) {
	all := b.evidence(parts, getsOn, view)
	if !slices.ContainsFunc(all, func(one causes.Insight) bool { return one.Health != nil }) {
		return
	}
	found := causes.Find(all)
	for _, informers := range parts {
		for _, informer := range informers {
			if !view[insight.Source(informer.Name)].Complete {
				continue
			}
			for at := range informer.Insights {
				if one := &informer.Insights[at]; one.Health != nil {
					ref := updatev1alpha1.HealthCause{Informer: informer.Name, UID: one.UID}
					b.setCauses(ref, one, found[ref], clock)
				}
			}
		}
	}
}

// setCauses changes an insight, unless it is so already. The health insight is shared with the statuses before, its place in the
// list is not.
func (b *Builder) setCauses(ref updatev1alpha1.HealthCause, one *updatev1alpha1.Insight, want causes.Found, clock evalTime) {
	if slices.Equal(want.CausedBy, one.Health.CausedBy) && want.Level == one.Health.Impact.Level {
		return
	}
	health := *one.Health
	health.CausedBy, health.Impact.Level = want.CausedBy, want.Level
	one.Health, one.AcquiredAt = &health, clock.Time
	b.cache[cacheKey{insight.Source(ref.Informer), ref.UID}].merged = *one
}

// evidence returns all insights of this controller, with the levels that their sources gave them.
func (b *Builder) evidence(parts informersByPart, getsOn advancing, view ledger.View) []causes.Insight {
	labels := map[string][]updatev1alpha1.ResourceRef{}
	for _, source := range []insight.Source{insight.AlertInformer, insight.UpdateInformers} {
		for _, one := range view[source].Insights {
			labels[one.Insight.UID] = one.Labels
		}
	}
	var all []causes.Insight
	for part, informers := range parts {
		for _, informer := range informers {
			for at := range informer.Insights {
				one := causes.Insight{Insight: &informer.Insights[at], Informer: informer.Name}
				entry := b.cache[cacheKey{insight.Source(informer.Name), one.UID}]
				if one.Health != nil && entry != nil && entry.reported != nil {
					asReported, health := *one.Insight, *one.Health
					health.Impact.Level, asReported.Health = entry.reported.Health.Impact.Level, &health
					one.Insight = &asReported
				}
				one.Labels, one.InControlPlane = labels[one.UID], part == insight.ControlPlane
				one.Advances = getsOn.isOf(one.Insight)
				one.Kept = kept(one, view)
				all = append(all, one)
			}
		}
	}
	return all
}

// kept returns the causes that stay until a source has reported: what proves some, the labels of alerts and the trust in informers, is not in
// the object.
func kept(one causes.Insight, view ledger.View) []updatev1alpha1.HealthCause {
	switch {
	case one.Health == nil:
		return nil
	case !view[insight.Source(one.Informer)].Complete:
		return one.Health.CausedBy
	}
	return slices.DeleteFunc(slices.Clone(one.Health.CausedBy), func(cause updatev1alpha1.HealthCause) bool {
		return view[insight.Source(cause.Informer)].Complete
	})
}
