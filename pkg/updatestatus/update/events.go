package update

import (
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Reasons of events.
const (
	// EventUpdateStarted: the ClusterVersion started an update, or an installation.
	EventUpdateStarted = "UpdateStarted"
	// EventUpdateCompleted: the ClusterVersion completed it. Worker pools may go on.
	EventUpdateCompleted = "UpdateCompleted"
	// EventHealthInsightAppeared: a health insight of level Error or Critical that no other one causes appeared, or one was raised
	// to it.
	EventHealthInsightAppeared = "HealthInsightAppeared"
	// EventHealthInsightGone: it went, or was lowered below.
	EventHealthInsightGone = "HealthInsightGone"
)

// Event is something that happened, for a Kubernetes Event.
type Event struct {
	// Type is corev1.EventTypeNormal or corev1.EventTypeWarning.
	Type string
	// Reason is one of the reasons above.
	Reason string
	// Message says for people what happened.
	Message string
}

// EventState is what events were recorded of. It starts with the status that the object in the cluster has, so that a restart
// repeats no event.
type EventState struct {
	// version is the last one that was there: a ClusterVersion that returns has started no other update.
	version *updatev1alpha1.ClusterVersionInsight
	// severe are the health insights whose end has no event yet, by uid.
	severe map[string]*updatev1alpha1.HealthInsight
	// leftOutUntil is the time up to which health insights that appear had an event before, and were left out of the object
	// when this process started. It is zero if nothing was.
	leftOutUntil time.Time
}

// NewEventState returns the state for the status that the object in the cluster has, when the process starts.
func NewEventState(stored *Update, now time.Time) *EventState {
	state := &EventState{version: stored.ControlPlane.Version, severe: stored.severe()}
	maps.DeleteFunc(state.severe, func(_ string, one *updatev1alpha1.HealthInsight) bool { return len(one.CausedBy) > 0 })
	if stored.isTruncated() {
		state.leftOutUntil = now
	}
	return state
}

// isTruncated returns whether insights were left out of a part of the object.
func (u *Update) isTruncated() bool {
	isIncomplete := func(conditions []metav1.Condition) bool {
		return meta.IsStatusConditionFalse(conditions, updatev1alpha1.ConditionInsightsComplete)
	}
	return isIncomplete(u.ControlPlane.Conditions) ||
		slices.ContainsFunc(u.Pools, func(pool *Pool) bool { return isIncomplete(pool.Conditions) })
}

// hadEvent returns whether the appearance of a health insight had an event before this process started.
func (s *EventState) hadEvent(uid string, severe *updatev1alpha1.HealthInsight) bool {
	if _, known := s.severe[uid]; known {
		return true
	}
	return severe.StartedAt != nil && severe.StartedAt.Time.Before(s.leftOutUntil)
}

// Next returns what happened up to a status that nothing is left out of, in a fixed order.
func (s *EventState) Next(after *Update) []Event {
	version, severe := after.ControlPlane.Version, after.severe()
	events := updateEvents(s.version, version)
	if version != nil {
		s.version = version
	}
	for _, uid := range slices.Sorted(maps.Keys(severe)) {
		switch {
		case s.hadEvent(uid, severe[uid]):
		case len(severe[uid].CausedBy) > 0:
			// Its causes have events. It gets one if it outlasts them.
			delete(severe, uid)
		default:
			events = append(events, Event{Type: corev1.EventTypeWarning, Reason: EventHealthInsightAppeared, Message: severeText(severe[uid])})
		}
	}
	for _, uid := range slices.Sorted(maps.Keys(s.severe)) {
		if _, stays := severe[uid]; !stays {
			events = append(events, Event{Type: corev1.EventTypeNormal, Reason: EventHealthInsightGone, Message: severeText(s.severe[uid])})
		}
	}
	s.severe = severe
	return events
}

func updateEvents(before, after *updatev1alpha1.ClusterVersionInsight) []Event {
	if after == nil || after.StartedAt == nil {
		return nil
	}
	same := before != nil && before.StartedAt != nil && before.StartedAt.Equal(after.StartedAt)
	switch {
	case !same && after.CompletedAt == nil:
		return []Event{{
			Type: corev1.EventTypeNormal, Reason: EventUpdateStarted, Message: fmt.Sprintf("%s started", updateText(after.Versions)),
		}}
	case same && before.CompletedAt == nil && after.CompletedAt != nil:
		return []Event{{
			Type: corev1.EventTypeNormal, Reason: EventUpdateCompleted,
			Message: fmt.Sprintf("%s of the control plane completed", updateText(after.Versions)),
		}}
	default:
		return nil
	}
}

func updateText(versions updatev1alpha1.ControlPlaneVersions) string {
	text := "The update"
	if versions.Previous != nil {
		text += " from " + versions.Previous.Version
	}
	if versions.Target != nil {
		text += " to " + versions.Target.Version
	}
	return text
}

// severe returns the health insights of level Error or higher, by uid.
func (u *Update) severe() map[string]*updatev1alpha1.HealthInsight {
	severe := map[string]*updatev1alpha1.HealthInsight{}
	for _, one := range u.Health {
		level := one.Health.Impact.Level
		if level == updatev1alpha1.LevelError || level == updatev1alpha1.LevelCritical {
			severe[one.UID] = one.Health
		}
	}
	return severe
}

func severeText(severe *updatev1alpha1.HealthInsight) string {
	return fmt.Sprintf("%s: %s (%s)", severe.Impact.Level, severe.Impact.Summary, insight.Words(severe.Impact.Type))
}
