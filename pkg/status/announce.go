package status

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// Reasons of events.
const (
	// EventUpdateStarted: the ClusterVersion began an update, or an installation.
	EventUpdateStarted = "UpdateStarted"
	// EventUpdateCompleted: the ClusterVersion completed it. Worker pools may go on.
	EventUpdateCompleted = "UpdateCompleted"
	// EventHealthInsightAppeared: a health insight of level Error or Critical appeared, or one was raised to it.
	EventHealthInsightAppeared = "HealthInsightAppeared"
	// EventHealthInsightGone: it went, or was lowered below.
	EventHealthInsightGone = "HealthInsightGone"
)

// Announcement is something that happened, for a Kubernetes Event.
type Announcement struct {
	// Type is corev1.EventTypeNormal or corev1.EventTypeWarning.
	Type string
	// Reason is one of the reasons above.
	Reason string
	// Message says for people what happened.
	Message string
}

// Announced is what has been announced of a cluster. It begins with the status that the object in the cluster holds, so that
// a restart announces nothing twice.
type Announced struct {
	version *updatev1alpha1.ClusterVersionInsight
	// alarms are those whose end has not been announced, by uid: also those that were left out since, to bound the object.
	alarms map[string]*updatev1alpha1.HealthInsight
}

// NewAnnounced returns what the status that is found first says, which is not announced again.
func NewAnnounced(found *updatev1alpha1.UpdateStatusStatus) *Announced {
	return &Announced{version: clusterVersionOf(found), alarms: alarmsOf(found)}
}

// Take returns what happened up to a status, in a fixed order. What was left out of it, to bound it, is not gone: the builder
// that made it knows what is still reported.
func (a *Announced) Take(after *updatev1alpha1.UpdateStatusStatus, reports func(uid string) bool) []Announcement {
	version, alarms := clusterVersionOf(after), alarmsOf(after)
	announcements := announceUpdate(a.version, version)
	a.version = version
	for _, uid := range sortedKeys(alarms) {
		if _, known := a.alarms[uid]; !known {
			announcements = append(announcements, Announcement{
				Type: corev1.EventTypeWarning, Reason: EventHealthInsightAppeared, Message: alarmText(alarms[uid]),
			})
		}
	}
	for _, uid := range sortedKeys(a.alarms) {
		switch _, stays := alarms[uid]; {
		case stays:
		case reports(uid):
			alarms[uid] = a.alarms[uid]
		default:
			announcements = append(announcements, Announcement{
				Type: corev1.EventTypeNormal, Reason: EventHealthInsightGone, Message: alarmText(a.alarms[uid]),
			})
		}
	}
	a.alarms = alarms
	return announcements
}

func announceUpdate(before, after *updatev1alpha1.ClusterVersionInsight) []Announcement {
	if after == nil || after.StartedAt == nil {
		return nil
	}
	same := before != nil && before.StartedAt != nil && before.StartedAt.Equal(after.StartedAt)
	switch {
	case !same && after.CompletedAt == nil:
		return []Announcement{{
			Type: corev1.EventTypeNormal, Reason: EventUpdateStarted, Message: fmt.Sprintf("%s started", updateText(after.Versions)),
		}}
	case same && before.CompletedAt == nil && after.CompletedAt != nil:
		return []Announcement{{
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

func clusterVersionOf(status *updatev1alpha1.UpdateStatusStatus) *updatev1alpha1.ClusterVersionInsight {
	for _, informer := range informersOf(status)[insight.ControlPlane] {
		for _, one := range informer.Insights {
			if one.ClusterVersion != nil {
				return one.ClusterVersion
			}
		}
	}
	return nil
}

// alarmsOf returns the health insights of level Error or higher that sources of this controller reported, by uid.
func alarmsOf(status *updatev1alpha1.UpdateStatusStatus) map[string]*updatev1alpha1.HealthInsight {
	alarms := map[string]*updatev1alpha1.HealthInsight{}
	for _, informers := range informersOf(status) {
		for _, informer := range informers {
			if !slices.Contains(insight.Sources(), insight.Source(informer.Name)) {
				continue
			}
			for _, one := range informer.Insights {
				if one.Health != nil && isAlarm(one.Health.Impact.Level) {
					alarms[one.UID] = one.Health
				}
			}
		}
	}
	return alarms
}

func isAlarm(level updatev1alpha1.HealthLevel) bool {
	return level == updatev1alpha1.LevelError || level == updatev1alpha1.LevelCritical
}

func alarmText(alarm *updatev1alpha1.HealthInsight) string {
	return fmt.Sprintf("%s: %s (%s)", alarm.Impact.Level, alarm.Impact.Summary, alarm.Impact.Type)
}

func sortedKeys[V any](of map[string]V) []string {
	return slices.Sorted(maps.Keys(of))
}
