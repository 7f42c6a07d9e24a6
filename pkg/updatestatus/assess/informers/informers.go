package informers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
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
	// untrusted is what the informers that are not trusted contributed when they were last read, and readAt is when that was, zero while
	// no update is in progress.
	untrusted []contribution
	readAt    time.Time
	// settings are those with which they were read.
	settings []updatev1alpha1.InformerSetting
	// trusted is what each informer that is trusted contributes.
	trusted map[string]pace
}

// Assess returns the message of the source, which is complete, and when it changes without an event, zero if it does not.
func (a *Assessor) Assess(in Input, now time.Time) (insight.Message, time.Time) {
	if !in.Update.Unfinished || in.Update.Started.IsZero() {
		*a = Assessor{}
		return insight.Message{Source: insight.UpdateInformers, State: &insight.State{Complete: true}}, time.Time{}
	}
	states := statesOf(in.Settings)
	trusted, untrusted := split(in.Informers, states)
	next := a.read(in, untrusted, now)
	var result assessment
	contributions := a.deleted(trusted, states)
	for _, one := range trusted {
		contributions = append(contributions, in.contributionOf(one, true, now))
	}
	for _, one := range contributions {
		found, again := a.paced(one, now)
		next = assess.Earliest(next, assess.Earliest(found.renewal.nextCheck, again))
		result.add(found)
	}
	for _, one := range a.untrusted {
		if states[one.name] == "" {
			result.add(one)
		}
	}
	return insight.Message{Source: insight.UpdateInformers, Reports: result.reports, State: result.state()}, next
}

// read reads the informers that are not trusted, unless it is too early, and returns when to read them again, zero if there are none.
// Anyone with permission can write any number of them at any time. In between, nothing of them is assessed, and none of them becomes
// outdated, so that they cause neither work nor writes. A clock that was ahead does not delay it, and an administrator's change of the settings is
// followed at once.
func (a *Assessor) read(in Input, untrusted []*updatev1alpha1.UpdateInformer, now time.Time) time.Time {
	if since := now.Sub(a.readAt); since < 0 || since >= untrustedInterval || !slices.Equal(a.settings, in.Settings) {
		a.untrusted, a.readAt, a.settings = in.untrustedContributions(untrusted, now), now, in.Settings
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

// untrustedContributions returns what informers that are not trusted contribute. At most maxUntrusted of them have reports.
func (in Input) untrustedContributions(untrusted []*updatev1alpha1.UpdateInformer, now time.Time) []contribution {
	var all []contribution
	reported := 0
	for _, one := range inTurns(untrusted) {
		if renewalOf(one, in.Update.Started, now).isWithdrawn || len(one.Status.Insights) == 0 && !isTooLarge(one) {
			continue
		}
		if reported == maxUntrusted {
			all = append(all, contribution{name: nameOf(one), isLeftOut: true})
			continue
		}
		found := in.contributionOf(one, false, now)
		if !found.isLeftOut {
			reported++
		}
		all = append(all, found)
	}
	return all
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

// inTurns orders informers so that each namespace has its first one before any has its second, the oldest ones first: many of one
// namespace displace none of another.
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

// contribution is what an informer contributes at a moment.
type contribution struct {
	// name is the namespace and the name of the informer.
	name      string
	isTrusted bool
	renewal   renewal
	report    insight.Report
	// bytes is the size of the report as JSON.
	bytes int
	// isLeftOut is whether the informer has insights that are not reported because of their number or size.
	isLeftOut bool
}

// contributionOf returns what an informer contributes.
func (in Input) contributionOf(informer *updatev1alpha1.UpdateInformer, isTrusted bool, now time.Time) contribution {
	name := nameOf(informer)
	found := contribution{
		name: name, isTrusted: isTrusted, renewal: renewalOf(informer, in.Update.Started, now), isLeftOut: isTooLarge(informer),
		report: insight.Report{Subject: insight.Subject{Kind: "UpdateInformer", Name: name}},
	}
	if found.renewal.isWithdrawn || found.isLeftOut {
		return found
	}
	for at := range informer.Status.Insights[:min(len(informer.Status.Insights), updatev1alpha1.InformerMaxInsights)] {
		reported := in.reported(informer, checked{
			InformerInsight: &informer.Status.Insights[at], name: name, renewal: found.renewal,
			resources: in.resourcesOf(&informer.Status.Insights[at]), isTrusted: isTrusted, now: now,
		})
		for _, one := range reported {
			found.bytes += assess.EncodedSize(one.Insight)
		}
		found.report.Insights = append(found.report.Insights, reported...)
	}
	return found
}

// reported returns the health insight that an insight of an informer is reported as.
func (in Input) reported(informer *updatev1alpha1.UpdateInformer, one checked) []insight.ScopedInsight {
	found, _ := assess.CheckHealth(checks, one, assess.Subject{
		Key: one.name + "/" + one.Name,
		Resource: in.inCluster(updatev1alpha1.ResourceRef{
			Group: updatev1alpha1.GroupName, Resource: Resource, Namespace: informer.Namespace, Name: informer.Name,
		}),
		Part: in.partOf(one.resources), Scope: scopeOf(one.resources),
	}, one.now)
	for at := range found {
		health := found[at].Insight.Health
		if !in.IsReserved(one.Reason) {
			health.Reason = one.Reason
		}
		if one.isTrusted {
			found[at].Labels = provable(one.resources)
		}
	}
	return found
}

// partOf returns the part of the cluster that the first node of some resources belongs to.
func (in Input) partOf(resources []updatev1alpha1.ResourceRef) insight.Part {
	at := slices.IndexFunc(resources, isNode)
	if at < 0 {
		return insight.ControlPlane
	}
	return in.PartOf(resources[at].Name)
}

// scopeOf returns what an insight is about, as far as its part does not tell: it is not known if it names no node.
func scopeOf(resources []updatev1alpha1.ResourceRef) updatev1alpha1.ScopeType {
	if slices.ContainsFunc(resources, isNode) {
		return ""
	}
	return updatev1alpha1.ScopeCluster
}

// assessment is the assessment of all informers at a moment.
type assessment struct {
	reports []insight.Report
	// bytes is the size of all reports.
	bytes int
	// outdated are the names of informers that are not renewed, hasOutdatedTrusted whether one of them is trusted, and leftOut how many are
	// not reported.
	outdated           []string
	hasOutdatedTrusted bool
	leftOut            int
}

// add adds what an informer contributes. What is added first is reported first.
func (a *assessment) add(one contribution) {
	if one.renewal.isOutdated {
		a.outdated, a.hasOutdatedTrusted = append(a.outdated, one.name), a.hasOutdatedTrusted || one.isTrusted
	}
	switch {
	case one.renewal.isWithdrawn:
	case one.isLeftOut, a.bytes+one.bytes > maxBytes:
		a.leftOut++
	case len(one.report.Insights) > 0:
		a.reports, a.bytes = append(a.reports, one.report), a.bytes+one.bytes
	}
}

// state returns the state of the source: complete, with what is missing of it.
func (a *assessment) state() *insight.State {
	var reason string
	var messages []string
	if len(a.outdated) > 0 {
		reason = updatev1alpha1.ReasonUntrustedNotRenewed
		if a.hasOutdatedTrusted {
			reason = updatev1alpha1.ReasonNotRenewed
		}
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
