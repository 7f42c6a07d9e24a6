package informers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/informers"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/test/updatestatus/healthcases"
)

// start is when the update started.
var start = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

var budget = insight.Budget("openshift-storage", "rook-ceph-osd")

// rebuilding is an insight about a node and a PodDisruptionBudget.
func rebuilding() updatev1alpha1.InformerInsight {
	return updatev1alpha1.InformerInsight{
		Name: "storage-rebuilding", Reason: "StorageRebuilding", Level: updatev1alpha1.InformerError, Impact: updatev1alpha1.ImpactUpdateSpeed,
		Summary: "rebuilds 12 of 96 placement groups", Resources: []updatev1alpha1.ResourceRef{assess.NodeRef("w-1"), budget},
		Reference: "https://example.com/ceph", StartedAt: timeAt(-time.Minute),
	}
}

func timeAt(after time.Duration) *metav1.Time { return &metav1.Time{Time: start.Add(after)} }

// informer is an informer that was renewed at a time after the start.
func informer(namespace, name string, renewed time.Duration, insights ...updatev1alpha1.InformerInsight) *updatev1alpha1.UpdateInformer {
	return &updatev1alpha1.UpdateInformer{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, CreationTimestamp: *timeAt(-time.Hour)},
		Status:     updatev1alpha1.UpdateInformerStatus{RenewedAt: timeAt(renewed), Insights: insights},
	}
}

func ceph(renewed time.Duration, insights ...updatev1alpha1.InformerInsight) *updatev1alpha1.UpdateInformer {
	return informer("openshift-storage", "ceph", renewed, insights...)
}

var (
	trustCeph   = updatev1alpha1.InformerSetting{Namespace: "openshift-storage", Name: "ceph", State: updatev1alpha1.InformerTrusted}
	disableCeph = updatev1alpha1.InformerSetting{Namespace: "openshift-storage", Name: "ceph", State: updatev1alpha1.InformerDisabled}
)

func input(settings []updatev1alpha1.InformerSetting, all ...*updatev1alpha1.UpdateInformer) informers.Input {
	return informers.Input{
		Informers: all, Settings: settings, Update: ledger.Update{Known: true, Unfinished: true, Started: start},
		PartOf: func(node string) insight.Part {
			if node == "w-1" {
				return insight.Part{WorkerPool: "worker"}
			}
			return insight.ControlPlane
		},
		IsReserved: func(reason string) bool { return reason == "NodeDegraded" },
	}
}

// assessed are the insights of informers at a time after the start, the state of the source, and when that changes.
func assessed(in informers.Input, at time.Duration) ([]insight.ScopedInsight, insight.State, time.Duration) {
	message, next := new(informers.Assessor).Assess(in, start.Add(at))
	var all []insight.ScopedInsight
	for _, report := range message.Reports {
		all = append(all, report.Insights...)
	}
	if next.IsZero() {
		return all, *message.State, 0
	}
	return all, *message.State, next.Sub(start)
}

// result is a result with what an informer contributes.
func result(settings []updatev1alpha1.InformerSetting, one *updatev1alpha1.UpdateInformer) func(time.Time) assess.Result {
	return func(now time.Time) assess.Result {
		message, next := new(informers.Assessor).Assess(input(settings, one), now)
		if len(message.Reports) == 0 {
			return assess.Result{NextCheck: next}
		}
		return assess.Result{Report: message.Reports[0], NextCheck: next}
	}
}

var trusted, untrusted = []updatev1alpha1.InformerSetting{trustCeph}, []updatev1alpha1.InformerSetting(nil)

func healthCases() healthcases.Cases {
	const resources = " | updateinformers.update.openshift.io/ceph nodes/w-1 poddisruptionbudgets.policy/rook-ceph-osd"
	const summary = "openshift-storage/ceph: rebuilds 12 of 96 placement groups"
	with := func(change func(*updatev1alpha1.InformerInsight)) *updatev1alpha1.UpdateInformer {
		one := rebuilding()
		change(&one)
		return ceph(0, one)
	}
	return healthcases.Cases{"update-informer": {
		{
			Name: "trusted", Result: result(trusted, ceph(0, rebuilding())),
			Want: "Error | Update Speed | 07:59:00 | " + summary + " | Reported by the UpdateInformer openshift-storage/ceph." + resources,
		},
		{
			Name: "not trusted", Result: result(untrusted, ceph(0, rebuilding())),
			Want: "Warning | Update Speed | - | " + summary + " | Reported by the UpdateInformer openshift-storage/ceph." + resources,
		},
		{
			Name: "info, not trusted", Result: result(untrusted, with(func(one *updatev1alpha1.InformerInsight) { one.Level = updatev1alpha1.InformerInfo })),
			Want: "Info | Update Speed | - | " + summary + " | Reported by the UpdateInformer openshift-storage/ceph." + resources,
		},
		{
			Name: "critical", Result: result(trusted, with(func(one *updatev1alpha1.InformerInsight) { one.Level = updatev1alpha1.InformerCritical })),
			Want: "Critical | Update Speed | 07:59:00 | " + summary + " | Reported by the UpdateInformer openshift-storage/ceph." + resources,
		},
		{
			Name: "a level and an impact of another version", Result: result(trusted, with(func(one *updatev1alpha1.InformerInsight) { one.Level, one.Impact = "Fatal", "World" })),
			Want: "Warning | Unknown | 07:59:00 | " + summary + " | Reported by the UpdateInformer openshift-storage/ceph." + resources,
		},
		{
			Name: "outdated", Result: result(trusted, ceph(0, rebuilding())), At: 3 * time.Minute,
			Want: "Error | Update Speed | 07:59:00 | " + summary + " (as of 2026-03-02T08:00:00Z) | Reported by the UpdateInformer openshift-storage/ceph at " +
				"2026-03-02T08:00:00Z, and not renewed since." + resources,
		},
		{Name: "withdrawn", Result: result(trusted, ceph(0, rebuilding())), At: 15 * time.Minute},
		{Name: "disabled", Result: result([]updatev1alpha1.InformerSetting{disableCeph}, ceph(0, rebuilding()))},
		{Name: "without insights", Result: result(trusted, ceph(0))},
	}}
}

func TestHealth(t *testing.T) {
	healthCases().Run(t, informers.HealthChecks(), start)
}

func TestInsightsPage(t *testing.T) {
	healthCases().ComparePage(t, informers.HealthChecks(), start)
}

// TestTrust: what proves causes, links and reasons of trusted informers and of others, and where they are reported.
func TestTrust(t *testing.T) {
	of := func(settings []updatev1alpha1.InformerSetting, change func(*updatev1alpha1.InformerInsight)) insight.ScopedInsight {
		one := rebuilding()
		change(&one)
		all, _, _ := assessed(input(settings, ceph(0, one)), 0)
		return all[0]
	}
	as := func(*updatev1alpha1.InformerInsight) {}
	health := of(trusted, as)
	if diff := cmp.Diff([]updatev1alpha1.ResourceRef{assess.NodeRef("w-1"), budget}, health.Labels); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
	if got := health.Insight.Health; health.Part.WorkerPool != "worker" || got.Remediation.Reference != "https://example.com/ceph" || got.Reason != "StorageRebuilding" {
		t.Errorf("part %v, reference %s, reason %s", health.Part, got.Remediation.Reference, got.Reason)
	}
	if own, other := of(trusted, as).Insight.Health.Origin, of(untrusted, as).Insight.Health.Origin; own != "" || other != updatev1alpha1.OriginTenant {
		t.Errorf("origins %q and %q", own, other)
	}
	if other := of(untrusted, as); other.Labels != nil || other.Insight.Health.Remediation.Reference == "https://example.com/ceph" {
		t.Errorf("not trusted: labels %v, reference %s", other.Labels, other.Insight.Health.Remediation.Reference)
	}
	if got := of(trusted, func(one *updatev1alpha1.InformerInsight) { one.Reference = "https://127.0.0.1/" }).Insight.Health.Remediation.Reference; strings.Contains(got, "127") {
		t.Errorf("reference %s", got)
	}
	hostile := of(trusted, func(one *updatev1alpha1.InformerInsight) {
		one.StartedAt, one.Summary, one.Description = timeAt(48*time.Hour), "a\x1b[31mb\nc", "d\x00e"
	}).Insight.Health
	if got := fmt.Sprint(hostile.StartedAt, hostile.Impact.Summary, hostile.Impact.Description); got != "<nil>openshift-storage/ceph: ab cde\nReported by the UpdateInformer openshift-storage/ceph." {
		t.Errorf("hostile texts: %q", got)
	}
	if got := of(trusted, func(one *updatev1alpha1.InformerInsight) { one.Reason = "NodeDegraded" }).Insight.Health.Reason; got != "UpdateInformer" {
		t.Errorf("a reason of the controller: %s", got)
	}
	if got := of(trusted, func(one *updatev1alpha1.InformerInsight) {
		one.Resources = []updatev1alpha1.ResourceRef{{Group: "apps", Resource: "deployments", Name: "shop"}, {Resource: "nodes", Name: "w-1", Namespace: "shop"}, {Group: "policy", Resource: "poddisruptionbudgets", Name: "x"}}
	}); len(got.Labels) != 0 || got.Part != insight.ControlPlane {
		t.Errorf("other objects: labels %v, part %v", got.Labels, got.Part)
	}
}

// TestHosted: what an informer names is in the hosted cluster, and the informer in the management cluster.
func TestHosted(t *testing.T) {
	one := rebuilding()
	one.Resources = append(one.Resources, updatev1alpha1.ResourceRef{Resource: "pods", Namespace: "clusters-east", Name: "etcd-0"})
	in := input(trusted, ceph(0, one))
	in.IsHosted = true
	all, _, _ := assessed(in, 0)
	var got []string
	for _, ref := range all[0].Insight.Health.Scope.Resources {
		got = append(got, ref.Resource+" "+string(ref.Cluster))
	}
	want := []string{"updateinformers Management", "nodes Hosted", "poddisruptionbudgets Hosted", "pods Management"}
	if diff := cmp.Diff(want, got); diff != "" || len(all[0].Labels) != 2 || all[0].Part.WorkerPool != "worker" {
		t.Errorf("labels %v, part %v, resources (-want +got):\n%s", all[0].Labels, all[0].Part, diff)
	}
}

// TestRenewal: when an informer is outdated and withdrawn, and what the condition names.
func TestRenewal(t *testing.T) {
	outdated := insight.State{Complete: true, Reason: updatev1alpha1.ReasonNotRenewed, Message: "Not renewed for three minutes: openshift-storage/ceph"}
	others := outdated
	others.Reason = updatev1alpha1.ReasonUntrustedNotRenewed
	fine := insight.State{Complete: true}
	for name, test := range map[string]struct {
		settings    []updatev1alpha1.InformerSetting
		renewed, at time.Duration
		insights    int
		state       insight.State
		next        time.Duration
	}{
		"renewed":                              {trusted, 0, time.Minute, 1, fine, 3 * time.Minute},
		"outdated":                             {trusted, 0, 3 * time.Minute, 1, outdated, 15 * time.Minute},
		"withdrawn":                            {trusted, 0, 15 * time.Minute, 0, outdated, 18 * time.Minute},
		"withdrawn, not trusted":               {untrusted, 0, 15 * time.Minute, 0, fine, 16 * time.Minute},
		"outdated, not trusted":                {untrusted, 0, 3 * time.Minute, 1, others, 4 * time.Minute},
		"renewed as usual before the update":   {trusted, -30 * time.Minute, 2 * time.Minute, 1, fine, 3 * time.Minute},
		"that is not enough":                   {trusted, -30 * time.Minute, 4 * time.Minute, 1, outdated, 15 * time.Minute},
		"not renewed before the update":        {trusted, -31 * time.Minute, 0, 0, outdated, 3 * time.Minute},
		"a clock that is a little ahead":       {trusted, time.Minute, 0, 1, fine, 4 * time.Minute},
		"a renewal that is to come":            {trusted, time.Minute + time.Second, 0, 0, outdated, 3 * time.Minute},
		"a renewal in the days of the ancient": {trusted, -1e6 * time.Hour, 0, 0, outdated, 3 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			all, state, next := assessed(input(test.settings, ceph(test.renewed, rebuilding())), test.at)
			if len(all) != test.insights || state != test.state || next != test.next {
				t.Errorf("%d insights, state %+v, next %s", len(all), state, next)
			}
		})
	}
	never := ceph(0, rebuilding())
	never.Status.RenewedAt = nil
	if all, state, next := assessed(input(trusted, never), 0); len(all) != 0 || state != outdated || next != 0 {
		t.Errorf("never renewed: %v, %+v, %s", all, state, next)
	}
	if all, state, next := assessed(input(trusted, ceph(0)), 5*time.Minute); len(all) != 0 || state != outdated || next != 15*time.Minute {
		t.Errorf("a trusted one without insights: %v, %+v, %s", all, state, next)
	}
	if _, state, _ := assessed(input(untrusted, ceph(0)), 5*time.Minute); state != fine {
		t.Errorf("one without insights: %+v", state)
	}
}

// TestOutsideUpdates: informers are reported during an update only.
func TestOutsideUpdates(t *testing.T) {
	in := input(trusted, ceph(-time.Hour, rebuilding()))
	for name, update := range map[string]ledger.Update{"no update": {Known: true, Started: start}, "no start": {Known: true, Unfinished: true}} {
		in.Update = update
		if all, state, next := assessed(in, time.Minute); len(all) != 0 || state != (insight.State{Complete: true}) || next != 0 {
			t.Errorf("%s: %v, %+v, %s", name, all, state, next)
		}
	}
}

// TestFlood: more informers than are reported of one namespace displace none of another, and no trusted one.
func TestFlood(t *testing.T) {
	all := []*updatev1alpha1.UpdateInformer{ceph(0, rebuilding()), informer("shop", "vm", 0, rebuilding())}
	for at := range 100 {
		all = append(all, informer("aaa", fmt.Sprintf("flood-%02d", at), 0, rebuilding()))
	}
	got, state, _ := assessed(input(trusted, all...), 0)
	names := map[string]int{}
	for _, one := range got {
		names[one.Insight.Health.Scope.Resources[0].Namespace]++
	}
	if diff := cmp.Diff(map[string]int{"openshift-storage": 1, "shop": 1, "aaa": 19}, names); diff != "" {
		t.Errorf("reported (-want +got):\n%s", diff)
	}
	if state.Reason != updatev1alpha1.ReasonTooManyInformers || state.Message != "Not reported because of their number or size: 81 UpdateInformers" {
		t.Errorf("state %+v", state)
	}
	// One that is left out because of its size takes no place of another.
	one := rebuilding()
	one.Description = strings.Repeat("x", updatev1alpha1.InformerMaxBytes)
	all[2] = informers.Trimmed(informer("aaa", "flood-00", 0, one))
	if got, _, _ := assessed(input(trusted, all...), 0); len(got) != 21 {
		t.Errorf("%d are reported beside one that is too large", len(got))
	}
	all[2] = informer("aaa", "flood-00", 0, rebuilding())
	// The oldest ones stay, whatever their names.
	for at := range 100 {
		younger := informer("shop", fmt.Sprintf("a-%02d", at), 0, rebuilding())
		younger.CreationTimestamp = *timeAt(0)
		all = append(all, younger)
	}
	if got, _, _ := assessed(input(trusted, all...), 0); got[1].Insight.Health.Scope.Resources[0].Name != "flood-00" || got[2].Insight.Health.Scope.Resources[0].Name != "vm" {
		t.Errorf("first %v, %v", got[1].Insight.Health.Scope.Resources[0], got[2].Insight.Health.Scope.Resources[0])
	}
}

// TestSizes: an informer that is too large is left out, and what exceeds the size of all.
func TestSizes(t *testing.T) {
	large := func(name string, insights int) *updatev1alpha1.UpdateInformer {
		one := informer("openshift-storage", name, 0)
		for at := range insights {
			each := rebuilding()
			each.Name, each.Description = fmt.Sprint("insight-", at), strings.Repeat("x", 1000)
			one.Status.Insights = append(one.Status.Insights, each)
		}
		return informers.Trimmed(one)
	}
	got, state, _ := assessed(input(trusted, ceph(0, rebuilding()), large("large", 15), large("small", 2)), 0)
	if len(got) != 3 || state.Message != "Not reported because of their number or size: 1 UpdateInformer" {
		t.Errorf("%d insights, state %+v", len(got), state)
	}
	var many []*updatev1alpha1.UpdateInformer
	for at := range 20 {
		many = append(many, large(fmt.Sprintf("many-%02d", at), 8))
	}
	got, state, _ = assessed(input(nil, many...), 0)
	if size := len(got) * 2200; size > 80<<10 || len(got) < 16 || state.Reason != updatev1alpha1.ReasonTooManyInformers {
		t.Errorf("%d insights, state %+v", len(got), state)
	}
}

// TestUntrustedAreReadOnceAMinute: what changes of informers that are not trusted is reported after a minute at most, what changes of trusted
// ones and of the settings at once.
func TestUntrustedAreReadOnceAMinute(t *testing.T) {
	assessor := new(informers.Assessor)
	shop := informer("shop", "vm", 0, rebuilding())
	count := func(at time.Duration, settings []updatev1alpha1.InformerSetting, all ...*updatev1alpha1.UpdateInformer) string {
		message, next := assessor.Assess(input(settings, all...), start.Add(at))
		var names []string
		for _, report := range message.Reports {
			names = append(names, report.Subject.Name)
		}
		return fmt.Sprint(names, " ", next.Sub(start))
	}
	disableShop := []updatev1alpha1.InformerSetting{{Namespace: "shop", Name: "vm", State: updatev1alpha1.InformerDisabled}}
	for _, step := range []struct{ name, got, want string }{
		{"the first one", count(0, trusted, shop), "[shop/vm] 1m0s"},
		{"deleted", count(time.Second, trusted), "[shop/vm] 1m0s"},
		{"a trusted one", count(2*time.Second, trusted, ceph(0, rebuilding())), "[openshift-storage/ceph shop/vm] 1m0s"},
		{"disabled", count(3*time.Second, disableShop, shop), "[] -2562047h47m16.854775808s"},
		{"not any more", count(4*time.Second, trusted, shop), "[shop/vm] 1m4s"},
		{"deleted once more", count(5*time.Second, trusted), "[shop/vm] 1m4s"},
		{"read again", count(64*time.Second, trusted), "[] -2562047h47m16.854775808s"},
		{"another one", count(65*time.Second, trusted, shop), "[] 2m4s"},
		{"is read", count(124*time.Second, trusted, shop), "[shop/vm] 3m4s"},
	} {
		if step.got != step.want {
			t.Errorf("%s: got %s, want %s", step.name, step.got, step.want)
		}
	}
}

// TestFlap: an Error that comes and goes, with its informer or without, is reported at once, but changes a few times a minute: each change is
// written on credit.
func TestFlap(t *testing.T) {
	for name, gone := range map[string][]*updatev1alpha1.UpdateInformer{"withdrawn": {ceph(0)}, "deleted": nil} {
		var a informers.Assessor
		changes, was := 0, 0
		for second := range 121 {
			in := input(trusted, ceph(time.Duration(second)*time.Second, rebuilding()))
			if second%2 == 1 {
				in.Informers = gone
			}
			message, next := a.Assess(in, start.Add(time.Duration(second)*time.Second))
			is := len(message.Reports)
			if is != was {
				changes++
			}
			if was = is; second == 0 && changes != 1 || second == 1 && changes != 2 {
				t.Errorf("%s: %d changes after %d seconds", name, changes, second)
			}
			if second%2 == 0 && changes == 4 && second < 60 && !next.Equal(start.Add(time.Minute)) {
				t.Errorf("%s: the next check is at %s after %d seconds", name, next, second)
			}
		}
		if changes != 9 {
			t.Errorf("%s: %d changes in two minutes", name, changes)
		}
		// Distrust is followed at once.
		if message, _ := a.Assess(input([]updatev1alpha1.InformerSetting{disableCeph}, ceph(0, rebuilding())), start.Add(122*time.Second)); len(message.Reports) != 0 {
			t.Errorf("%s: a disabled informer is reported: %v", name, message.Reports)
		}
	}
}

// TestFlapOfSizes: an informer that is too large in between is left out as long as it is not reported, and a clock that was ahead delays nothing.
func TestFlapOfSizes(t *testing.T) {
	large := rebuilding()
	large.Description = strings.Repeat("x", updatev1alpha1.InformerMaxBytes)
	var a informers.Assessor
	expect := func(second, insights int, reason string, one updatev1alpha1.InformerInsight) {
		t.Helper()
		message, _ := a.Assess(input(trusted, informers.Trimmed(ceph(0, one))), start.Add(time.Duration(second)*time.Second))
		if len(message.Reports) != insights || message.State.Reason != reason {
			t.Errorf("after %d s: %d insights, state %+v", second, len(message.Reports), message.State)
		}
	}
	for second := range 40 {
		if second%2 == 0 && second < 4 {
			expect(second, 1, "", rebuilding())
		} else {
			expect(second, 0, updatev1alpha1.ReasonTooManyInformers, large)
		}
	}
	expect(41, 0, updatev1alpha1.ReasonTooManyInformers, rebuilding())
	expect(-1, 1, "", rebuilding())
}

// TestUntrustedStayBetweenReads: what is not trusted does not become outdated before it is read again, and is read at once
// after a clock was ahead.
func TestUntrustedStayBetweenReads(t *testing.T) {
	assessor := new(informers.Assessor)
	in := input(untrusted, informer("shop", "vm", -170*time.Second, rebuilding()), informer("shop", "other", -20*time.Minute, rebuilding()))
	in.Update.Started = start.Add(-time.Hour)
	for _, step := range []struct {
		at, next time.Duration
		want     string
	}{
		{0, time.Minute, "[shop/vm: rebuilds 12 of 96 placement groups <nil>]"},
		{59 * time.Second, time.Minute, "[shop/vm: rebuilds 12 of 96 placement groups <nil>]"},
		{time.Minute, 2 * time.Minute, "[shop/vm: rebuilds 12 of 96 placement groups (as of 2026-03-02T07:57:10Z) <nil>]"},
		{-time.Hour, -59 * time.Minute, "[]"},
	} {
		message, next := assessor.Assess(in, start.Add(step.at))
		got := []string{}
		for _, report := range message.Reports {
			health := report.Insights[0].Insight.Health
			got = append(got, fmt.Sprint(health.Impact.Summary, " ", health.StartedAt))
		}
		if fmt.Sprint(got) != step.want || next != start.Add(step.next) {
			t.Errorf("after %s: %v, next %s", step.at, got, next)
		}
	}
}

// TestIsRenewed: a renewal in time changes nothing, a late one does.
func TestIsRenewed(t *testing.T) {
	never := ceph(0)
	never.Status.RenewedAt = nil
	for name, test := range map[string]struct {
		before, after *updatev1alpha1.UpdateInformer
		want          bool
	}{
		"in time": {ceph(0), ceph(time.Minute), true},
		"late":    {ceph(0), ceph(3 * time.Minute), false},
		"back":    {ceph(4 * time.Minute), ceph(0), false},
		"first":   {never, ceph(0), false},
		"last":    {ceph(0), never, false},
		"never":   {never, never, true},
	} {
		if got := informers.IsRenewed(test.before, test.after); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestRenewals: the metric has trusted informers only.
func TestRenewals(t *testing.T) {
	never := informer("shop", "never", 0)
	never.Status.RenewedAt = nil
	settings := append(slices.Clone(trusted), updatev1alpha1.InformerSetting{Namespace: "shop", Name: "never", State: updatev1alpha1.InformerTrusted})
	got := informers.Renewals([]*updatev1alpha1.UpdateInformer{ceph(time.Minute), never, informer("shop", "vm", 0)}, settings)
	want := map[types.NamespacedName]time.Time{
		{Namespace: "openshift-storage", Name: "ceph"}: start.Add(time.Minute), {Namespace: "shop", Name: "never"}: {},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestTrim: what is cached of an informer.
func TestTrim(t *testing.T) {
	full := ceph(0, rebuilding())
	full.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "ceph"}}
	full.Annotations, full.Labels, full.ResourceVersion = map[string]string{"too-large": "true"}, map[string]string{"a": "b"}, "7"
	want := ceph(0, rebuilding())
	want.ResourceVersion = "7"
	if diff := cmp.Diff(want, informers.Trimmed(full)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
