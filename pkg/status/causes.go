package status

import (
	"slices"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/causes"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
)

// connect gives the health insights of complete sources their causes. Those of other sources keep theirs.
func (b *Builder) connect(parts informersByPart, view ledger.View, clock moment) {
	all := evidence(parts, view)
	if !slices.ContainsFunc(all, func(one causes.Insight) bool { return one.Health != nil }) {
		return
	}
	found, known := causes.Find(all), map[updatev1alpha1.HealthCause]bool{}
	for _, one := range all {
		known[one.Ref()] = true
	}
	for _, one := range all {
		source := insight.Source(one.Informer)
		if one.Health == nil || !view[source].Complete {
			continue
		}
		causedBy := found[one.Ref()]
		for _, before := range one.Health.CausedBy {
			// The labels of alerts are not in the object: until they have been read again, what they proved holds.
			if !view[insight.Source(before.Informer)].Complete && known[before] && !slices.Contains(causedBy, before) {
				causedBy = append(causedBy, before)
			}
		}
		causedBy = causedBy[:min(len(causedBy), updatev1alpha1.MaxCauses)]
		if slices.Equal(causedBy, one.Health.CausedBy) {
			continue
		}
		// The health insight is shared with the statuses before, its place in the list is not.
		health := *one.Health
		health.CausedBy = causedBy
		one.Health, one.AcquiredAt = &health, clock.Time
		b.cache[cacheKey{source, one.UID}].merged = *one.Insight
	}
}

// evidence returns all insights of this controller.
func evidence(parts informersByPart, view ledger.View) []causes.Insight {
	labels := map[string][]updatev1alpha1.ResourceRef{}
	for _, alert := range view[insight.AlertInformer].Insights {
		if len(alert.Labels) > 0 {
			labels[alert.Insight.UID] = alert.Labels
		}
	}
	var all []causes.Insight
	for _, informers := range parts {
		for _, informer := range informers {
			for at := range informer.Insights {
				one := causes.Insight{Insight: &informer.Insights[at], Informer: informer.Name}
				if informer.Name == string(insight.AlertInformer) {
					one.Labels = labels[one.UID]
				}
				all = append(all, one)
			}
		}
	}
	return all
}
