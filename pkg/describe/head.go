package describe

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/causes"
	"github.com/openshift/cluster-version-operator/pkg/summary"
	"github.com/openshift/cluster-version-operator/pkg/update"
)

// headWidth is the column of the values of the head.
const headWidth = len("Waiting for  ")

// headAttention is how many health insights the head has.
const headAttention = 2

// writeHead writes the update of the whole cluster in a few lines, nothing in the classic text. What needs attention, and what to do about
// it, comes right after the title, so that it is in the first three lines.
func writeHead(p *page, u *update.Update) {
	if p.Head == nil {
		return
	}
	for _, line := range p.title() {
		p.line("%s", OneLine(line))
	}
	p.attention(u)
	for _, row := range p.headRows() {
		p.row(row.Label, row.Value)
	}
	if isUnderway(p.Head) {
		p.blank()
	}
}

// headRows returns the values of the head, those that are not known empty.
func (p *page) headRows() []Row {
	var rows []Row
	if p.AsOf != "" {
		rows = append(rows, Row{"As of", fmt.Sprintf("%s, %s", p.Now.UTC().Format(time.RFC3339), p.AsOf)})
	}
	if !isUnderway(p.Head) {
		return rows
	}
	rows = append(rows, p.clock().tracks(p.Head.ControlPlane)...)
	return append(rows,
		Row{"Operators", operatorsIn(p.Head.ControlPlane)}, Row{"Nodes", nodesIn(p.Head)},
		Row{"Waiting for", p.Head.WaitingFor}, Row{"Finish", p.clock().expected(p.Head)})
}

// tracks returns how far the two parts of the control plane of a hosted cluster are, nothing for another one.
func (c clock) tracks(cp *updatev1alpha1.ControlPlaneSummary) []Row {
	if cp == nil || cp.Management == nil && cp.DataPlane == nil {
		return nil
	}
	return []Row{{"Management", c.track(cp.Management)}, {"Data plane", c.track(cp.DataPlane)}}
}

// track returns how far a track is, and since when.
func (c clock) track(track *updatev1alpha1.ControlPlaneTrack) string {
	if track == nil {
		return "unknown, the HostedCluster does not report it"
	}
	text := cmp.Or(track.Version, "a release of unknown version") + ", " + strings.ToLower(string(track.State))
	switch {
	case track.CompletedAt != nil:
		text += " at " + c.timeOfDay(track.CompletedAt.Time) + " UTC"
	case track.StartedAt != nil:
		text += c.forHowLong(track.StartedAt)
	}
	return text
}

// Title returns what the cluster is doing, in one line or two.
func Title(s *updatev1alpha1.UpdateStatusSummaryStatus, now time.Time) []string {
	p := &page{Options: Options{Head: s, Now: now}}
	return p.title()
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

// row adds a value to the head, nothing if it is empty.
func (p *page) row(label, value string) {
	if value != "" {
		p.labelled(label, headWidth, OneLine(value))
	}
}

// Head returns the summary of an UpdateStatus from which nothing is left out, for Options.Head.
func Head(us *updatev1alpha1.UpdateStatus, now time.Time) *updatev1alpha1.UpdateStatusSummaryStatus {
	return summary.Of(summary.Input{Update: update.Read(withKnownTimes(us, now)), Now: now})
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
		return []string{"It is not known whether the cluster is being updated: " + lowerFirst(updating.Message)}
	case updating.Status == metav1.ConditionTrue:
		return []string{fmt.Sprintf("Updating %sto %s%s: %s", from(versions.Previous), target, p.clock().forHowLong(p.Head.StartedAt), partsOf(updating.Reason))}
	case updating.Reason == updatev1alpha1.ReasonPaused:
		return []string{"The update to " + target + " is waiting for paused pools"}
	case isAsked(p.Head):
		return []string{p.clock().asked(p.Head)}
	case p.isIncomplete(), p.Outdated != "", meta.IsStatusConditionFalse(p.Head.Conditions, updatev1alpha1.ConditionAvailable):
		return []string{"No update is in progress as far as it shows."}
	case updating.Reason == updatev1alpha1.ReasonCompleted:
		return []string{"The cluster is not updating.", p.clock().completed(p.Head, target)}
	default:
		return []string{"The cluster is not updating."}
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
func (c clock) completed(s *updatev1alpha1.UpdateStatusSummaryStatus, target string) string {
	line := "The update to " + target + " is complete"
	if s.CompletedAt == nil {
		return line + "."
	}
	line += " since " + s.CompletedAt.UTC().Format(time.RFC3339)
	if s.StartedAt != nil {
		line += ", it took " + c.rounded(s.CompletedAt.Sub(s.StartedAt.Time))
	}
	return line + "."
}

// operatorsIn returns how far the operators are, and the names of some that are being updated where those are given.
func operatorsIn(part *updatev1alpha1.ControlPlaneSummary, updating ...string) string {
	if part == nil || part.Operators.Total == 0 {
		return ""
	}
	counts := part.Operators
	return fmt.Sprintf("%d of %d updated%s", counts.Updated, counts.Total,
		others(count{counts.Updating, "updating" + inParentheses(updating)}, count{counts.Waiting, "waiting"}, count{counts.Unhealthy, "unhealthy"}))
}

// inParentheses returns the first names in parentheses, "" if there are none.
func inParentheses(names []string) string {
	const listed = 3
	switch {
	case len(names) == 0:
		return ""
	case len(names) > listed:
		return fmt.Sprintf(" (%s and %d more)", strings.Join(names[:listed], ", "), len(names)-listed)
	default:
		return " (" + strings.Join(names, ", ") + ")"
	}
}

// nodesIn returns how far the nodes are. Those of a hosted cluster are complete at the version of their pool, which may be asked for
// another one later: they are no part of the update of the control plane.
func nodesIn(s *updatev1alpha1.UpdateStatusSummaryStatus) string {
	counts := s.Nodes
	if counts == nil {
		return ""
	}
	text := fmt.Sprintf("%d of %d updated", counts.Completed, counts.Total)
	if counts.Completed == counts.Total && updatingOf(s).Reason == updatev1alpha1.ReasonControlPlane {
		text = fmt.Sprintf("%d, none is being updated", counts.Total)
	}
	return text + others(count{counts.Updating, "updating"}, count{counts.Pending, "pending"}, count{counts.Excluded, "in paused pools"},
		count{counts.Degraded, "degraded"}, count{counts.Unavailable, "unavailable"})
}

// count is a number of things.
type count struct {
	number int32
	what   string
}

// others returns the counts that are not zero, each after a comma.
func others(counts ...count) string {
	var text strings.Builder
	for _, one := range counts {
		if one.number > 0 {
			fmt.Fprintf(&text, ", %d %s", one.number, one.what)
		}
	}
	return text.String()
}

// expected returns when the whole update is expected to be complete, or why that is not known.
func (c clock) expected(s *updatev1alpha1.UpdateStatusSummaryStatus) string {
	if s.Estimate != nil {
		text := c.within(s.Estimate)
		if _, why, isUncertain := strings.Cut(updatingOf(s).Message, summary.Uncertain); isUncertain {
			text += ", uncertain: " + why
		}
		return text
	}
	_, why, found := strings.Cut(updatingOf(s).Message, summary.NoEstimate)
	if !found {
		return ""
	}
	if s.ControlPlane != nil && s.ControlPlane.Estimate != nil {
		return fmt.Sprintf("the control plane %s, the rest unknown: %s", c.within(s.ControlPlane.Estimate), why)
	}
	return "unknown: " + why
}

// within returns an estimate, as the end of a sentence.
func (c clock) within(estimate *updatev1alpha1.SummaryEstimate) string {
	earliest, latest := estimate.Earliest.Time, estimate.Latest.Time
	between := fmt.Sprintf("%s to %s", c.timeOfDay(earliest), c.timeOfDay(latest))
	switch late := c.now.Sub(latest).Truncate(time.Minute); {
	case late > 0:
		return fmt.Sprintf("overdue by %s: expected from %s UTC", c.short(late), between)
	case !c.now.Before(latest):
		return fmt.Sprintf("at any time, expected from %s UTC", between)
	case !c.now.Before(earliest):
		return fmt.Sprintf("at any time, in %s at the latest (%s UTC)", c.remaining(latest), c.timeOfDay(latest))
	case c.remaining(earliest) == c.remaining(latest):
		return fmt.Sprintf("in about %s (%s UTC)", c.remaining(latest), c.timeOfDay(latest))
	default:
		return fmt.Sprintf("in %s to %s (%s UTC)", c.remaining(earliest), c.remaining(latest), between)
	}
}

// remaining returns the duration until a time, in minutes rounded up.
func (c clock) remaining(until time.Time) string {
	return c.short((until.Sub(c.now) + time.Minute - 1).Truncate(time.Minute))
}

// timeOfDay returns a time of today, or the date too.
func (c clock) timeOfDay(at time.Time) string {
	at = at.UTC()
	if at.Format(time.DateOnly) == c.now.UTC().Format(time.DateOnly) {
		return at.Format("15:04")
	}
	return at.Format("2006-01-02 15:04")
}

// attention writes the first health insights, the first one with what to do, and how many there are besides.
func (p *page) attention(u *update.Update) {
	label := "Attention"
	for at, one := range p.Head.Attention[:min(headAttention, len(p.Head.Attention))] {
		p.labelled(label, headWidth, p.colored("level", OneLine(string(one.Level)))+": "+OneLine(one.Summary+p.clock().suffix(int(one.Consequences), startOf(one.UID, one.Since))))
		label = ""
		if steps := stepsFor(u, one.UID); at == 0 && len(steps) > 0 {
			p.write(strings.Repeat(" ", headWidth) + "→ " + steps[0])
		}
	}
	if more := len(p.Head.Attention) - headAttention; more > 0 {
		p.row(label, fmt.Sprintf("and %s more, see Update Health", atLeast(more, p.Head)))
	}
}

// stepsFor returns what to do about a problem, nothing if it is not known.
func stepsFor(u *update.Update, uid string) []string {
	at := slices.IndexFunc(u.Problems, func(group causes.Group) bool { return group.Members[0].UID == uid })
	if at < 0 {
		return nil
	}
	return nextSteps(u.Problems[at])
}

// atLeast returns a number of causes that need attention, of which a summary may not list all.
func atLeast(number int, s *updatev1alpha1.UpdateStatusSummaryStatus) string {
	if len(s.Attention) == updatev1alpha1.SummaryMaxAttention {
		return fmt.Sprintf("at least %d", number)
	}
	return strconv.Itoa(number)
}

// lowerFirst returns a sentence as a part of another one, unless it begins with a name such as ClusterVersion.
func lowerFirst(sentence string) string {
	first, _, _ := strings.Cut(sentence, " ")
	if first == "" || first != strings.ToUpper(first[:1])+strings.ToLower(first[1:]) {
		return sentence
	}
	return strings.ToLower(sentence[:1]) + sentence[1:]
}
