package describe

import (
	"cmp"
	"fmt"
	"regexp"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// Title returns what the cluster is doing, in one line or two.
func Title(s *updatev1alpha1.UpdateStatusSummaryStatus, now time.Time) []string {
	p := &page{Options: Options{Head: s, Now: now}}
	return p.title()
}

// updatingOf returns the condition on the whole update, one that is unknown if it is missing.
func updatingOf(s *updatev1alpha1.UpdateStatusSummaryStatus) metav1.Condition {
	if found := meta.FindStatusCondition(s.Conditions, updatev1alpha1.ConditionUpdating); found != nil {
		return *found
	}
	return metav1.Condition{Status: metav1.ConditionUnknown, Message: "the controller has not reported it"}
}

// isUnderway returns whether there is progress to show: an update goes on, is waiting for paused pools, or may go on.
func isUnderway(s *updatev1alpha1.UpdateStatusSummaryStatus) bool {
	updating := updatingOf(s)
	return updating.Status != metav1.ConditionFalse || updating.Reason == updatev1alpha1.ReasonPaused
}

// isAsked returns whether no update is in progress and another one was asked for.
func isAsked(s *updatev1alpha1.UpdateStatusSummaryStatus) bool {
	return update.State(updatingOf(s).Reason).IsAsked()
}

// title returns what the cluster is doing, in one line or two.
func (p *page) title() []string {
	updating, versions := updatingOf(p.Head), p.Head.Versions
	target := cmp.Or(versions.Target, "an unknown version")
	switch {
	case updating.Status == metav1.ConditionUnknown:
		return []string{"Update state unknown: " + insight.InSentence(updating.Message)}
	case updating.Status == metav1.ConditionTrue && p.stalled() != nil:
		return []string{fmt.Sprintf("Stuck%s: updating %sto %s, %s%s", p.clock().forHowLong(&p.stalled().LastTransitionTime), from(versions.Previous), target, partsOf(updating.Reason), stuckAt(p.Head, updating.Reason))}
	case updating.Status == metav1.ConditionTrue:
		return []string{fmt.Sprintf("Updating %sto %s%s: %s", from(versions.Previous), target, p.clock().forHowLong(p.Head.StartedAt), partsOf(updating.Reason))}
	case updating.Reason == updatev1alpha1.ReasonPaused:
		return []string{"The update to " + target + " is waiting for paused pools"}
	case isAsked(p.Head):
		return []string{p.clock().asked(p.Head)}
	case p.isIncomplete(), p.Outdated != "", meta.IsStatusConditionFalse(p.Head.Conditions, updatev1alpha1.ConditionAvailable):
		return []string{"No update appears to be in progress."}
	case updating.Reason == updatev1alpha1.ReasonCompleted:
		return p.clock().completed(p.Head, target)
	default:
		return []string{"The cluster is not updating."}
	}
}

// stalled returns the condition Stalled, nil unless it is True.
func (p *page) stalled() *metav1.Condition {
	if found := meta.FindStatusCondition(p.Head.Conditions, updatev1alpha1.ConditionStalled); found != nil && found.Status == metav1.ConditionTrue {
		return found
	}
	return nil
}

// stuckAt returns how far an update is that is stuck: " (2 of 33 operators)".
func stuckAt(s *updatev1alpha1.UpdateStatusSummaryStatus, reason string) string {
	switch {
	case reason != updatev1alpha1.ReasonWorkers && s.ControlPlane != nil && s.ControlPlane.Operators.Total > 0:
		return fmt.Sprintf(" (%d of %s)", s.ControlPlane.Operators.Updated, plural(int(s.ControlPlane.Operators.Total), "operator"))
	case s.Nodes != nil && s.Nodes.Total > 0:
		return fmt.Sprintf(" (%d of %s)", s.Nodes.Completed, plural(int(s.Nodes.Total), "node"))
	default:
		return ""
	}
}

// asked returns what becomes of an update that was asked for.
func (c clock) asked(s *updatev1alpha1.UpdateStatusSummaryStatus) string {
	of, ago := cmp.Or(s.Requested, &updatev1alpha1.RequestedUpdate{}), ""
	if of.Since != nil && c.now.Sub(of.Since.Time) >= time.Second {
		ago = " " + c.rounded(c.now.Sub(of.Since.Time)) + " ago"
	}
	outcome := "has not begun"
	if updatingOf(s).Reason == updatev1alpha1.ReasonNotAccepted {
		outcome = "is not accepted"
	}
	return fmt.Sprintf("The update to %s was requested%s and %s.", cmp.Or(of.Version, shortImage(of.Image), "an unknown version"), ago, outcome)
}

// digest is that of an image, of which a person compares the first digits.
var digest = regexp.MustCompile(`(@sha256:[0-9a-f]{12})[0-9a-f]+`)

// shortImage returns an image with the beginning of its digest.
func shortImage(image string) string {
	return digest.ReplaceAllString(image, "$1…")
}

func from(previous string) string {
	if previous == "" {
		return ""
	}
	return "from " + previous + " "
}

func (c clock) forHowLong(started *metav1.Time) string {
	if started == nil || c.now.Sub(started.Time) < time.Second {
		return ""
	}
	return " for " + c.rounded(c.now.Sub(started.Time))
}

// partsOf returns what is being updated by the reason of the condition, which may be one of another version.
func partsOf(reason string) string {
	switch reason {
	case updatev1alpha1.ReasonControlPlane:
		return "the control plane"
	case updatev1alpha1.ReasonWorkers:
		return "the workers"
	case updatev1alpha1.ReasonControlPlaneAndWorkers:
		return "the control plane and the workers"
	default:
		return reason
	}
}

// completed returns when the last update was complete, and how long it took, as far as that is known.
func (c clock) completed(s *updatev1alpha1.UpdateStatusSummaryStatus, target string) []string {
	if s.CompletedAt == nil {
		return []string{"The cluster is not updating.", "The update to " + target + " is complete."}
	}
	line := "Updated to " + target + " at " + c.timeOfDay(s.CompletedAt.Time) + " UTC"
	if s.StartedAt != nil {
		line += ", in " + c.rounded(s.CompletedAt.Sub(s.StartedAt.Time))
	}
	return []string{line}
}

// end returns how the last update of the whole cluster went, as far as that is known, or what is still left of it.
func (c clock) end(s *updatev1alpha1.UpdateStatusSummaryStatus, cp *update.ControlPlane) string {
	text := cmp.Or(updatingOf(s).Message, "The cluster is not updating") + "."
	if cp.Version == nil || cp.Version.StartedAt == nil || cp.Version.CompletedAt == nil || s.Versions.Previous == "" {
		return text
	}
	started := cp.Version.StartedAt.Time
	text += " The control plane took " + c.rounded(cp.Version.CompletedAt.Sub(started))
	if s.CompletedAt != nil {
		text += ", the whole cluster " + c.rounded(s.CompletedAt.Sub(started))
	}
	return text + "."
}
