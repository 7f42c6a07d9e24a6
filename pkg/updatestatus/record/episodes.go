package record

import (
	"cmp"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// episodeKey identifies a health insight.
type episodeKey struct {
	informer, uid string
}

// episodes are the health insights during an update. Those that are there now are open.
type episodes struct {
	open  map[episodeKey]*updatev1alpha1.EpisodeRecord
	ended []*updatev1alpha1.EpisodeRecord
}

func resumeEpisodes(stored []updatev1alpha1.EpisodeRecord) *episodes {
	e := &episodes{open: map[episodeKey]*updatev1alpha1.EpisodeRecord{}}
	for at := range stored {
		one := stored[at].DeepCopy()
		if one.EndedAt != nil || one.EndedBy != nil {
			e.ended = append(e.ended, one)
		} else {
			e.open[episodeKey{one.Informer, one.UID}] = one
		}
	}
	return e
}

func (e *episodes) observe(present []causes.Insight, w *observer) {
	stay := map[episodeKey]bool{}
	for _, one := range present {
		key := episodeKey{one.Informer, one.UID}
		stay[key] = true
		record := e.open[key]
		if record == nil {
			record = &updatev1alpha1.EpisodeRecord{Informer: one.Informer, UID: one.UID, StartedAt: w.known(one.Health.StartedAt)}
			e.open[key] = record
		}
		record.Level = worse(record.Level, one.Health.Impact.Level)
		record.Summary, record.CausedBy = one.Health.Impact.Summary, slices.Clone(one.Health.CausedBy)
	}
	for key, record := range e.open {
		if stay[key] {
			continue
		}
		delete(e.open, key)
		if w.inGap {
			record.EndedBy = w.statusTime()
		} else {
			record.EndedAt = w.statusTime()
		}
		e.ended = append(e.ended, record)
	}
	// What comes and goes must not fill the memory.
	if len(e.ended) > 4*updatev1alpha1.RecordMaxEpisodes {
		e.ended = worst(e.ended, updatev1alpha1.RecordMaxEpisodes, *w.statusTime())
	}
}

func worse(a, b updatev1alpha1.HealthLevel) updatev1alpha1.HealthLevel {
	if a == "" || insight.LevelRank(a) < insight.LevelRank(b) {
		return b
	}
	return a
}

// worst returns the worst and longest of some episodes.
func worst(of []*updatev1alpha1.EpisodeRecord, count int, now metav1.Time) []*updatev1alpha1.EpisodeRecord {
	slices.SortFunc(of, func(a, b *updatev1alpha1.EpisodeRecord) int {
		return cmp.Or(
			cmp.Compare(insight.LevelRank(b.Level), insight.LevelRank(a.Level)),
			cmp.Compare(lengthOf(b, now), lengthOf(a, now)),
			insight.CompareStarts(a.StartedAt, b.StartedAt), cmp.Compare(a.UID, b.UID), cmp.Compare(a.Informer, b.Informer),
		)
	})
	return of[:min(len(of), count)]
}

// lengthOf returns how many seconds an episode lasted, zero if that is not known.
func lengthOf(one *updatev1alpha1.EpisodeRecord, now metav1.Time) float64 {
	if one.StartedAt == nil {
		return 0
	}
	for _, end := range []*metav1.Time{one.EndedAt, one.EndedBy} {
		if end != nil {
			now = *end
		}
	}
	return now.Sub(one.StartedAt.Time).Seconds()
}

// list returns the worst and longest episodes by their start, those whose start is not known last.
func (e *episodes) list(now metav1.Time) []updatev1alpha1.EpisodeRecord {
	all := slices.Clone(e.ended)
	for _, one := range e.open {
		all = append(all, one)
	}
	var list []updatev1alpha1.EpisodeRecord
	for _, one := range worst(all, updatev1alpha1.RecordMaxEpisodes, now) {
		list = append(list, *one)
	}
	slices.SortStableFunc(list, func(a, b updatev1alpha1.EpisodeRecord) int {
		return insight.CompareStarts(a.StartedAt, b.StartedAt)
	})
	return list
}
