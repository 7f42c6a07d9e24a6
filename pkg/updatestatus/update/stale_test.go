package update_test

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// statusOf returns an UpdateStatus with one insight, about the ClusterVersion.
func statusOf(version *updatev1alpha1.ClusterVersionInsight) *updatev1alpha1.UpdateStatus {
	return &updatev1alpha1.UpdateStatus{Status: updatev1alpha1.UpdateStatusStatus{ControlPlane: &updatev1alpha1.ControlPlane{
		Informers: []updatev1alpha1.Informer{{Insights: []updatev1alpha1.Insight{{ClusterVersion: version}}}},
	}}}
}

// TestOutdated compares an UpdateStatus about an update from 10:00 to 11:00 with a ClusterVersion.
func TestOutdated(t *testing.T) {
	at := func(text string) metav1.Time {
		parsed, err := time.Parse("15:04:05", text)
		if err != nil {
			t.Fatal(err)
		}
		return metav1.NewTime(time.Date(2025, 2, 1, parsed.Hour(), parsed.Minute(), parsed.Second(), 0, time.UTC))
	}
	version := func(started, completed string) *configv1.ClusterVersion {
		item := configv1.UpdateHistory{Version: "4.20.1", StartedTime: at(started)}
		if completed != "" {
			end := at(completed)
			item.CompletionTime = &end
		}
		return &configv1.ClusterVersion{Status: configv1.ClusterVersionStatus{History: []configv1.UpdateHistory{item, {Version: "4.19.9"}}}}
	}
	hostile := func(change func(*configv1.UpdateHistory, metav1.Time)) *configv1.ClusterVersion {
		changed := version("10:00:00", "11:00:00")
		change(&changed.Status.History[0], metav1.Date(0, 1, 1, 0, 0, 0, 0, time.FixedZone("", 14*60*60)))
		return changed
	}
	started, completed := at("10:00:00"), at("11:00:00")
	idle := statusOf(&updatev1alpha1.ClusterVersionInsight{StartedAt: &started, CompletedAt: &completed})
	updating := statusOf(&updatev1alpha1.ClusterVersionInsight{StartedAt: &started})
	for name, tc := range map[string]struct {
		updating bool
		version  *configv1.ClusterVersion
		now      string
		want     string
	}{
		"the same":                                 {version: version("10:00:00", "11:00:00"), now: "12:00:00"},
		"another update":                           {version: version("11:30:00", ""), now: "11:30:15", want: "ClusterVersion started the update to 4.20.1 at 2025-02-01T11:30:00Z"},
		"another update, just now":                 {version: version("11:30:00", ""), now: "11:30:14"},
		"another update, complete":                 {version: version("11:30:00", "11:50:00"), now: "12:00:00", want: "ClusterVersion started the update to 4.20.1 at 2025-02-01T11:30:00Z"},
		"completed":                                {updating: true, version: version("10:00:00", "11:00:00"), now: "11:00:15", want: "ClusterVersion completed the update to 4.20.1 at 2025-02-01T11:00:00Z"},
		"completed just now":                       {updating: true, version: version("10:00:00", "11:00:00"), now: "11:00:14"},
		"not completed":                            {version: version("10:00:00", ""), now: "12:00:00", want: "ClusterVersion has not completed the update to 4.20.1"},
		"the same, updating":                       {updating: true, version: version("10:00:00", ""), now: "12:00:00"},
		"no ClusterVersion":                        {now: "12:00:00"},
		"started in a year that the API refuses":   {version: hostile(func(item *configv1.UpdateHistory, at metav1.Time) { item.StartedTime = at }), now: "12:00:00"},
		"completed in a year that the API refuses": {updating: true, version: hostile(func(item *configv1.UpdateHistory, at metav1.Time) { item.CompletionTime = &at }), now: "12:00:00"},
		"a ClusterVersion without times":           {version: &configv1.ClusterVersion{Status: configv1.ClusterVersionStatus{History: []configv1.UpdateHistory{{}}}}, now: "12:00:00"},
		"no history":                               {version: &configv1.ClusterVersion{}, now: "12:00:00"},
	} {
		us := idle
		if tc.updating {
			us = updating
		}
		if got := update.Outdated(us, tc.version, at(tc.now).Time); got != tc.want {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
	if got := update.Outdated(&updatev1alpha1.UpdateStatus{}, version("10:00:00", ""), at("12:00:00").Time); got != "" {
		t.Errorf("without an insight: %q", got)
	}
}

// TestWithSummary: that the status can't be written is in the summary alone; what the object says of itself stays.
func TestWithSummary(t *testing.T) {
	with := func(is metav1.ConditionStatus, reason string) []metav1.Condition {
		return []metav1.Condition{{Type: "Other", Status: "False"}, {Type: updatev1alpha1.ConditionAvailable, Status: is, Reason: reason}}
	}
	for name, test := range map[string]struct {
		status, summary []metav1.Condition
		want            string
	}{
		"both":                {with("True", "AsExpected"), with("True", "AsExpected"), "AsExpected"},
		"not written":         {with("True", "AsExpected"), with("False", "NotWritten"), "NotWritten"},
		"not written yet":     {nil, with("False", "NotWritten"), "NotWritten"},
		"of itself":           {with("False", "Rejected"), with("False", "NotWritten"), "Rejected"},
		"summary without it":  {with("True", "AsExpected"), nil, "AsExpected"},
		"earlier summary":     {with("False", "Rejected"), with("True", "AsExpected"), "Rejected"},
		"summary not knowing": {with("True", "AsExpected"), with("Unknown", "Some"), "AsExpected"},
	} {
		us := &updatev1alpha1.UpdateStatus{Status: updatev1alpha1.UpdateStatusStatus{Conditions: test.status}}
		before := us.DeepCopy()
		got := update.WithSummary(us, &updatev1alpha1.UpdateStatusSummary{Status: updatev1alpha1.UpdateStatusSummaryStatus{Conditions: test.summary}})
		if found := meta.FindStatusCondition(got.Status.Conditions, updatev1alpha1.ConditionAvailable); found.Reason != test.want {
			t.Errorf("%s: %s", name, found.Reason)
		}
		if !equality.Semantic.DeepEqual(before, us) {
			t.Errorf("%s: the status is changed", name)
		}
	}
	us := &updatev1alpha1.UpdateStatus{}
	if update.WithSummary(us, nil) != us {
		t.Error("without a summary the status is another one")
	}
}

func TestUnconfirmed(t *testing.T) {
	now := time.Date(2025, 2, 1, 12, 0, 0, 0, time.UTC)
	confirmed := func(at time.Time) *updatev1alpha1.UpdateStatusSummary {
		return &updatev1alpha1.UpdateStatusSummary{Status: updatev1alpha1.UpdateStatusSummaryStatus{ObservedAt: &metav1.Time{Time: at}}}
	}
	with := func(summary *updatev1alpha1.UpdateStatusSummary, state update.State) *updatev1alpha1.UpdateStatusSummary {
		summary.Status.Conditions = []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Reason: string(state)}}
		return summary
	}
	for _, tc := range []struct {
		name     string
		summary  *updatev1alpha1.UpdateStatusSummary
		isHosted bool
		want     string
	}{
		{name: "no summary"},
		{name: "never confirmed", summary: &updatev1alpha1.UpdateStatusSummary{}},
		{name: "just now", summary: confirmed(now)},
		{name: "less than three minutes ago", summary: confirmed(now.Add(-3*time.Minute + time.Second))},
		{name: "three minutes ago", summary: confirmed(now.Add(-3 * time.Minute)), want: "no controller has confirmed it since 2025-02-01T11:57:00Z"},
		{name: "idle", summary: with(confirmed(now.Add(-3*time.Minute)), update.Completed), want: "no controller has confirmed it since 2025-02-01T11:57:00Z"},
		{name: "hosted, not known", summary: confirmed(now.Add(-3 * time.Minute)), isHosted: true, want: "no controller has confirmed it since 2025-02-01T11:57:00Z"},
		{
			name: "hosted, updating", summary: with(confirmed(now.Add(-3*time.Minute)), update.UpdatingControlPlane), isHosted: true,
			want: "no controller has confirmed it since 2025-02-01T11:57:00Z",
		},
		{name: "hosted, idle, for less than fifteen minutes", summary: with(confirmed(now.Add(-15*time.Minute+time.Second)), update.Completed), isHosted: true},
		{
			name: "hosted, idle, for fifteen minutes", summary: with(confirmed(now.Add(-15*time.Minute)), update.Completed), isHosted: true,
			want: "no controller has confirmed it since 2025-02-01T11:45:00Z",
		},
		{name: "by a clock that is ahead", summary: confirmed(now.Add(time.Hour))},
		{name: "in a year that cannot be true", summary: confirmed(time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC))},
	} {
		if got := update.Unconfirmed(tc.summary, tc.isHosted, now); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.name, got, tc.want)
		}
	}
}
