package informers

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
)

const (
	// maxUntrusted is the number of informers that are reported without being trusted: anybody may create any number of them.
	maxUntrusted = 20
	// maxBytes bounds the size of all insights together, as JSON.
	maxBytes = 64 << 10
	// untrustedInterval is how often informers that are not trusted are read.
	untrustedInterval = time.Minute
	// maxNamed is the number of informers that the condition names.
	maxNamed = 5
)

// Input is what UpdateInformers are assessed from.
type Input struct {
	// Informers are those that contribute to the cluster, as Trimmed returns them. They are not changed.
	Informers []*updatev1alpha1.UpdateInformer
	// Settings are those of the administrator.
	Settings []updatev1alpha1.InformerSetting
	// Update is the update of the cluster, including its workers. Informers are reported only while one is in progress.
	Update ledger.Update
	// PartOf returns the part of the cluster that a node belongs to, that of the control plane for one that is not known.
	PartOf func(node string) insight.Part
	// IsHosted is whether the cluster is a hosted one, whose informers are in its management cluster.
	IsHosted bool
	// IsReserved returns whether a reason is that of a health check of the controller, which no author may use.
	IsReserved func(reason string) bool
}

// Assessor assesses the UpdateInformers of a cluster. Its zero value has assessed none.
type Assessor struct {
	// untrusted are the informers that are not trusted as they were last read, and readAt is when that was, zero while no update is in
	// progress.
	untrusted []*updatev1alpha1.UpdateInformer
	readAt    time.Time
}

// Assess returns the message of the source, which is complete, and when it changes without an event, zero if it does not.
func (a *Assessor) Assess(in Input, now time.Time) (insight.Message, time.Time) {
	if !in.Update.Updating || in.Update.Started.IsZero() {
		*a = Assessor{}
		return insight.Message{Source: insight.UpdateInformers, State: &insight.State{Complete: true}}, time.Time{}
	}
	states := statesOf(in.Settings)
	trusted, untrusted := split(in.Informers, states)
	next := a.read(untrusted, now)
	_, remembered := split(a.untrusted, states)
	result := assessment{in: in, now: now, next: next}
	for _, one := range trusted {
		result.add(one, true)
	}
	for _, one := range inTurns(remembered) {
		result.add(one, false)
	}
	return insight.Message{Source: insight.UpdateInformers, Reports: result.reports, State: result.state()}, result.next
}

// read reads the informers that are not trusted, unless it is too early, and returns when to read them again, zero if there are none.
func (a *Assessor) read(untrusted []*updatev1alpha1.UpdateInformer, now time.Time) time.Time {
	if now.Sub(a.readAt) >= untrustedInterval {
		a.untrusted, a.readAt = untrusted, now
	}
	if len(untrusted) == 0 && len(a.untrusted) == 0 {
		return time.Time{}
	}
	return a.readAt.Add(untrustedInterval)
}

// StateOf returns what is set about an UpdateInformer, empty if nothing is.
func StateOf(spec updatev1alpha1.UpdateStatusSpec, namespace, name string) updatev1alpha1.InformerState {
	return statesOf(spec.Informers)[namespace+"/"+name]
}

// statesOf returns the settings by the name of the informer.
func statesOf(settings []updatev1alpha1.InformerSetting) map[string]updatev1alpha1.InformerState {
	states := make(map[string]updatev1alpha1.InformerState, len(settings))
	for _, setting := range settings {
		states[setting.Namespace+"/"+setting.Name] = setting.State
	}
	return states
}

// split returns the informers that are trusted and those that are not, each by name, without those that are disabled.
func split(
	informers []*updatev1alpha1.UpdateInformer, states map[string]updatev1alpha1.InformerState,
) (trusted, untrusted []*updatev1alpha1.UpdateInformer) {
	for _, one := range informers {
		switch states[nameOf(one)] {
		case updatev1alpha1.InformerDisabled:
		case updatev1alpha1.InformerTrusted:
			trusted = append(trusted, one)
		default:
			untrusted = append(untrusted, one)
		}
	}
	slices.SortFunc(trusted, func(a, b *updatev1alpha1.UpdateInformer) int { return cmp.Compare(nameOf(a), nameOf(b)) })
	return trusted, untrusted
}

// inTurns orders informers so that each namespace has its first one before any has its second, the oldest ones first: whoever creates
// more of them displaces none of another namespace.
func inTurns(informers []*updatev1alpha1.UpdateInformer) []*updatev1alpha1.UpdateInformer {
	byAge := func(a, b *updatev1alpha1.UpdateInformer) int {
		return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), cmp.Compare(nameOf(a), nameOf(b)))
	}
	ordered := slices.SortedFunc(slices.Values(informers), byAge)
	turns, inNamespace := map[*updatev1alpha1.UpdateInformer]int{}, map[string]int{}
	for _, one := range ordered {
		turns[one] = inNamespace[one.Namespace]
		inNamespace[one.Namespace]++
	}
	slices.SortStableFunc(ordered, func(a, b *updatev1alpha1.UpdateInformer) int { return cmp.Compare(turns[a], turns[b]) })
	return ordered
}

func nameOf(one *updatev1alpha1.UpdateInformer) string {
	return one.Namespace + "/" + one.Name
}

// assessment is the assessment of all informers at a moment.
type assessment struct {
	in   Input
	now  time.Time
	next time.Time

	reports []insight.Report
	// untrusted is how many of the informers that have reports are not trusted, and bytes the size of all reports.
	untrusted, bytes int
	// outdated are the names of informers that are not renewed, and leftOut how many are not reported.
	outdated []string
	leftOut  int
}

// add assesses an informer. Those that are added first are reported first.
func (a *assessment) add(informer *updatev1alpha1.UpdateInformer, isTrusted bool) {
	isTooLarge := informer.Annotations[tooLarge] != ""
	if !isTrusted && !isTooLarge && len(informer.Status.Insights) == 0 {
		return
	}
	renewal := renewalOf(informer, a.in.Update.Started, a.now)
	a.next = assess.Earliest(a.next, renewal.nextCheck)
	if renewal.isOutdated && (isTrusted || !renewal.isWithdrawn) {
		a.outdated = append(a.outdated, nameOf(informer))
	}
	if renewal.isWithdrawn {
		return
	}
	report, bytes := a.reportOf(informer, renewal, isTrusted)
	switch {
	case isTooLarge, a.bytes+bytes > maxBytes, !isTrusted && a.untrusted == maxUntrusted:
		a.leftOut++
	case len(report.Insights) > 0:
		a.reports, a.bytes = append(a.reports, report), a.bytes+bytes
		if !isTrusted {
			a.untrusted++
		}
	}
}

// reportOf returns the report of an informer, and its size as JSON.
func (a *assessment) reportOf(informer *updatev1alpha1.UpdateInformer, renewal renewal, isTrusted bool) (report insight.Report, bytes int) {
	name := nameOf(informer)
	report = insight.Report{Subject: insight.Subject{Kind: "UpdateInformer", Name: name}}
	for at := range informer.Status.Insights[:min(len(informer.Status.Insights), updatev1alpha1.InformerMaxInsights)] {
		one := &informer.Status.Insights[at]
		resources := a.in.resourcesOf(one)
		found, _ := assess.CheckHealth(checks, checked{one, name, renewal, resources, isTrusted, a.now}, assess.Subject{
			Key: name + "/" + one.Name,
			Resource: a.in.inCluster(updatev1alpha1.ResourceRef{
				Group: updatev1alpha1.GroupName, Resource: Resource, Namespace: informer.Namespace, Name: informer.Name,
			}),
			Part: a.partOf(resources),
		}, a.now)
		for at := range found {
			health := found[at].Insight.Health
			if !a.in.IsReserved(one.Reason) {
				health.Reason = one.Reason
			}
			health.Remediation.EstimatedFinish = one.EstimatedFinish
			if isTrusted {
				found[at].Labels = provable(resources)
			}
			bytes += encodedSize(found[at].Insight)
		}
		report.Insights = append(report.Insights, found...)
	}
	return report, bytes
}

// partOf returns the part of the cluster that the first node of some resources belongs to.
func (a *assessment) partOf(resources []updatev1alpha1.ResourceRef) insight.Part {
	at := slices.IndexFunc(resources, isNode)
	if at < 0 {
		return insight.ControlPlane
	}
	return a.in.PartOf(resources[at].Name)
}

// state returns the state of the source: complete, with what is missing of it.
func (a *assessment) state() *insight.State {
	var reason string
	var messages []string
	if len(a.outdated) > 0 {
		reason = updatev1alpha1.ReasonNotRenewed
		messages = append(messages, "Not renewed for three minutes: "+named(a.outdated))
	}
	if a.leftOut > 0 {
		reason = cmp.Or(reason, updatev1alpha1.ReasonTooManyInformers)
		messages = append(messages, fmt.Sprintf("Not reported because of their number or size: %s", insight.Count(a.leftOut, "UpdateInformer")))
	}
	return &insight.State{Complete: true, Reason: reason, Message: strings.Join(messages, "; ")}
}

// named writes names in one line.
func named(names []string) string {
	if more := len(names) - maxNamed; more > 0 {
		return strings.Join(names[:maxNamed], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}

// encodedSize returns the size of an insight as JSON.
func encodedSize(one updatev1alpha1.Insight) int {
	content, err := json.Marshal(one)
	if err != nil {
		// Insights can always be encoded. One that cannot is not reported.
		return maxBytes + 1
	}
	return len(content)
}
