package describe

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/sets"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/summary"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// headWidth is the column of the values of the head.
const headWidth = len("Control plane  ")

// headProblems is how many problems the head has.
const headProblems = 3

// endProblems is how many it has where it is repeated.
const endProblems = 1

// WriteHead writes the notices and the update of the whole cluster in a few lines, without the sections. Options.Head must be set.
func WriteHead(w io.Writer, u *update.Update, options Options) error {
	p := &page{Options: options, hasBars: true}
	p.writeNotices(u)
	writeHead(p, u, headProblems)
	return p.flush(w)
}

// writeHead writes the update of the whole cluster in a few lines. What needs attention, and what to do about it, comes right after the
// title, so that it is in the first three lines. Of the problems it has a number.
func writeHead(p *page, u *update.Update, problems int) {
	for _, line := range p.title() {
		p.line("%s", OneLine(line))
	}
	p.problems(u, problems)
	if version := u.ControlPlane.Version; isUnderway(p.Head) && version != nil && isSpecial(version.Versions) {
		p.row("Target", targetOf(version.Versions))
	}
	for _, row := range p.headRows() {
		p.row(row.Label, row.Value)
	}
}

// isSpecial returns whether it is another update than one from a complete version to another one: the title has only the two versions.
func isSpecial(versions updatev1alpha1.ControlPlaneVersions) bool {
	return architectureOf(versions) != "" || versions.Target != nil && hasFlag(versions.Target, updatev1alpha1.VersionInstallation) ||
		versions.Previous != nil && hasFlag(versions.Previous, updatev1alpha1.VersionPartial)
}

// headRows returns the values of the head, those that are not known empty. Operators are the names of those that are being updated.
func (p *page) headRows(operators ...string) []Row {
	rows := []Row{{"As of", p.asOf()}}
	if !isUnderway(p.Head) {
		return rows
	}
	rows = append(rows, Row{"Waiting for", p.Head.WaitingFor}, Row{"Finish", p.clock().expected(p.Head)})
	rows = append(rows, p.clock().tracks(p.Head.ControlPlane)...)
	return append(rows, Row{"Control plane", p.controlPlaneIn(operators)}, Row{"Nodes", p.nodesBar()})
}

// asOf returns the time of files, or how long ago the controller confirmed the status of a cluster.
func (p *page) asOf() string {
	switch {
	case p.AsOf != "":
		return fmt.Sprintf("%s, %s", p.Now.UTC().Format(time.RFC3339), p.AsOf)
	case p.ConfirmedAt == nil || p.ConfirmedAt.After(p.Now):
		return ""
	default:
		return fmt.Sprintf("%s ago", p.clock().rounded(max(p.Now.Sub(p.ConfirmedAt.Time), time.Second)))
	}
}

// controlPlaneIn returns how far the control plane is, with a bar where the page has bars.
func (p *page) controlPlaneIn(operators []string) string {
	part := p.Head.ControlPlane
	if part == nil {
		return ""
	}
	text := fmt.Sprintf("%d%%, %s", part.Completion, insight.AssessmentText(part.Assessment))
	if counts := operatorsIn(part, operators...); counts != "" {
		text += ", " + strings.Replace(counts, " updated", " operators updated", 1)
	}
	if manifests := part.Manifests; manifests != nil {
		text += fmt.Sprintf(", %d of %d manifests", manifests.Applied, manifests.Total)
	}
	return p.behindBar(part.Completion, text)
}

// nodesBar returns how far the nodes are, with a bar where the page has bars.
func (p *page) nodesBar() string {
	counts := p.Head.Nodes
	if counts == nil || counts.Total == 0 {
		return nodesIn(p.Head)
	}
	percent := insight.Percent(counts.Completed, counts.Total)
	return p.behindBar(percent, fmt.Sprintf("%d%%, %s", percent, nodesIn(p.Head)))
}

func (p *page) behindBar(percent int32, text string) string {
	if !p.hasBars {
		return text
	}
	return p.bar(percent) + " " + text
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

// row adds a value to the head, nothing if it is empty.
func (p *page) row(label, value string) {
	if value != "" {
		p.labelled(label, headWidth, OneLine(value))
	}
}

// Head returns the summary of an update, for Options.Head.
func Head(u *update.Update, now time.Time) *updatev1alpha1.UpdateStatusSummaryStatus {
	return summary.Of(summary.Input{Update: u, Now: now})
}

// headProblem is a problem in the head.
type headProblem struct {
	level, text string
	steps       []step
	isOfTenant  bool
}

// foremost returns the first problems, at most a number of them, among which is at most one that a tenant reports, as causes.Foremost.
func foremost(all []headProblem, most int) []headProblem {
	hasTenant := false
	all = slices.DeleteFunc(slices.Clone(all), func(one headProblem) bool {
		isAnother := one.isOfTenant && hasTenant
		hasTenant = hasTenant || one.isOfTenant
		return isAnother
	})
	return all[:min(most, len(all))]
}

// problems writes the first problems with what to do, and how many there are besides. Of an update without any, it says how that goes.
func (p *page) problems(u *update.Update, most int) {
	all, label := p.allProblems(u), "Health"
	if len(p.Head.Attention) > 0 {
		label = "Attention"
	}
	if len(all) == 0 && isUnderway(p.Head) {
		p.row(label, p.noHealth(u).summary)
	}
	shown := foremost(all, most)
	for at, one := range shown {
		p.labelled(label, headWidth, p.colored("level", OneLine(one.level))+": "+OneLine(one.text))
		label = ""
		if at > 0 {
			one.steps = one.steps[:min(1, len(one.steps))]
		}
		for _, next := range one.steps {
			p.step(strings.Repeat(" ", headWidth)+"→ ", next)
		}
	}
	if more := len(all) - len(shown); more > 0 {
		number := strconv.Itoa(more)
		if len(u.Problems) < len(all) {
			number = atLeast(more, p.Head)
		}
		p.row("", fmt.Sprintf("and %s more: --details=health", number))
	}
}

// allProblems returns what needs attention, and in an update all else that the status has.
func (p *page) allProblems(u *update.Update) []headProblem {
	var all []headProblem
	known := sets.New[string]()
	for _, one := range p.Head.Attention {
		known.Insert(one.UID)
		group := groupOf(u, one.UID)
		suffix := p.clock().suffix(int(one.Consequences), startIn(u, one))
		all = append(all, headProblem{string(one.Level), one.Summary + suffix, stepsFor(u, one.UID), group != nil && group.IsOfTenant()})
	}
	for _, group := range u.Problems {
		if !u.State.IsComplete() && !known.Has(group.Members[0].UID) {
			suffix := p.clock().suffix(group.CountConsequences(), startOfGroup(group))
			all = append(all, headProblem{string(group.Level()), group.Summary() + suffix, nextSteps(group), group.IsOfTenant()})
		}
	}
	return all
}

// stepsFor returns what to do about a problem, nothing if it is not known.
func stepsFor(u *update.Update, uid string) []step {
	if group := groupOf(u, uid); group != nil {
		return nextSteps(*group)
	}
	return nil
}

// startIn returns when a problem started, with what is known of its pod.
func startIn(u *update.Update, one updatev1alpha1.SummaryAttention) start {
	since := startOf(one.UID, one.Since)
	if group := groupOf(u, one.UID); group != nil {
		since.pod = startOfGroup(*group).pod
	}
	return since
}

// groupOf returns the problem whose first insight has a uid, nil if there is none.
func groupOf(u *update.Update, uid string) *causes.Group {
	at := slices.IndexFunc(u.Problems, func(group causes.Group) bool { return group.Members[0].UID == uid })
	if at < 0 {
		return nil
	}
	return &u.Problems[at]
}

// atLeast returns a number of causes that need attention, of which a summary may not list all.
func atLeast(number int, s *updatev1alpha1.UpdateStatusSummaryStatus) string {
	if len(s.Attention) == updatev1alpha1.SummaryMaxAttention {
		return fmt.Sprintf("at least %d", number)
	}
	return strconv.Itoa(number)
}
