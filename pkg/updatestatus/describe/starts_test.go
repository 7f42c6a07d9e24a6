package describe

import (
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// TestStarts checks for how long a condition is said to have lasted, whose insight starts with it or when it was first observed.
func TestStarts(t *testing.T) {
	const own, observed = "health-node-not-ready-w-1", "health-node-degraded-w-1"
	c := clock{now: testNow, days: true}
	for _, test := range []struct {
		name, uid     string
		at            *metav1.Time
		sentence, row string
	}{
		{"its own", own, at(-49 * time.Second), " (+1 consequence, for 49s)", "49s"},
		{"observed", observed, at(-49 * time.Second), " (+1 consequence, for at least 49s)", "at least 49s"},
		{"observed long ago", observed, at(-12*time.Minute - 31*time.Second), " (+1 consequence, for at least 13m)", "at least 13m"},
		{"of an unknown check", "health-newer-1", at(-time.Hour), " (+1 consequence, for 1h)", "1h"},
		{"just now", own, at(-time.Second + 1), " (+1 consequence, just now)", "now"},
		{"observed just now", observed, at(time.Second), " (+1 consequence, just now)", "now"},
		{"unknown", observed, nil, " (+1 consequence)", "-"},
	} {
		since := startOf(test.uid, test.at)
		if sentence, row := c.suffix(1, since), c.lasted(since); sentence != test.sentence || row != test.row {
			t.Errorf("%s: %q and %q, want %q and %q", test.name, sentence, row, test.sentence, test.row)
		}
	}
}

// TestStartOfPod: the line of a problem says for how long its pod has been as it is.
func TestStartOfPod(t *testing.T) {
	c := clock{now: testNow, days: true}
	for _, test := range []struct {
		at, pod *metav1.Time
		want    string
	}{
		{at(-time.Minute), at(-3*time.Hour - 24*time.Minute), " (for 1m, the pod for 3h24m)"},
		{nil, at(-time.Hour), " (the pod for 1h)"},
		{at(-time.Minute), nil, " (for 1m)"},
	} {
		if got := c.suffix(0, start{at: test.at, pod: test.pod}); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
	group := causes.Group{Members: []causes.Insight{{Insight: &updatev1alpha1.Insight{UID: "a", Health: &updatev1alpha1.HealthInsight{
		Pod: &updatev1alpha1.PodReport{Since: at(-time.Hour)},
	}}}}}
	u := &update.Update{Problems: []causes.Group{group}}
	for uid, want := range map[string]string{"a": " (for 1m, the pod for 1h)", "b": " (for 1m)"} {
		if got := c.suffix(0, startIn(u, updatev1alpha1.SummaryAttention{UID: uid, Since: at(-time.Minute)})); got != want {
			t.Errorf("%s: %q, want %q", uid, got, want)
		}
	}
}

// TestStartsAgree checks that the forms of an update write the same time of the same insight.
func TestStartsAgree(t *testing.T) {
	us := load(t, "testdata/causes.yaml")
	options := Options{Now: testNow, Head: Head(read(us, testNow), testNow)}
	var markdown strings.Builder
	if err := WriteMarkdown(&markdown, read(us, testNow), options); err != nil {
		t.Fatal(err)
	}
	blocks := options
	blocks.Details = DetailsHealth
	for form, of := range map[string]struct{ got, want string }{
		"head":     {text(t, us, options), "after 1 hour (+2 consequences, for at least 50m)"},
		"waiting":  {text(t, us, options), "node w1 is degraded, for at least 50m"},
		"details":  {text(t, us, blocks), "Since:       at least 50m"},
		"markdown": {markdown.String(), "for at least 50m"},
		"screen":   {strings.Join(Screen(read(us, testNow), options, nil, 24), "\n"), "for at least 50m"},
		"report":   {OverviewOf(read(us, testNow), options).Causes[0].Suffix, "for at least 50m"},
	} {
		if !strings.Contains(of.got, of.want) {
			t.Errorf("%s: %q is not in\n%s", form, of.want, of.got)
		}
	}
}
