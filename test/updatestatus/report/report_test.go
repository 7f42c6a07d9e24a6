package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/report"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// inputs returns what the reports are made from, by name. Playing the updates takes some seconds.
var inputs = sync.OnceValues(func() (map[string]report.Input, error) {
	all := map[string]report.Input{}
	for _, one := range scenes() {
		in, err := one.input()
		if err != nil {
			return nil, err
		}
		all[one.name] = in
	}
	return all, nil
})

// inputOf returns what the report of a scene is made from.
func inputOf(t *testing.T, name string) report.Input {
	t.Helper()
	all, err := inputs()
	if err != nil {
		t.Fatal(err)
	}
	in, ok := all[name]
	if !ok {
		t.Fatalf("no scene %s", name)
	}
	return in
}

// TestLongReports looks at each report in a browser: light, dark, narrow and printed. The pictures are left in bin/report.
func TestLongReports(t *testing.T) {
	for _, one := range scenes() {
		t.Run(one.name, func(t *testing.T) {
			in := inputOf(t, one.name)
			file := artefact(t, one.name+".html")
			if err := write(file, in); err != nil {
				t.Fatal(err)
			}
			picture := func(form string) string { return artefact(t, one.name+"-"+form) }
			found := browse(t, []visit{
				{File: file, Width: 1600, Height: 1000, Evaluate: []string{overflow, openAll, tracks, faint}, Tree: true},
				{File: file, Width: 1600, Height: 1000, Screenshot: picture("wide.png")},
				{File: file, Width: 1600, Height: 1000, Dark: true, Screenshot: picture("dark.png"), Evaluate: []string{openAll, faint, closeAll}},
				{File: file, Width: 380, Height: 800, Screenshot: picture("narrow.png"), Evaluate: []string{overflow, openAll, overflow, tracks, closeAll, stackedLanes}},
				{File: file, Width: letterWidth, Height: 1400, Print: true, Dark: true, PDF: picture("print.pdf"), Evaluate: []string{faint, stackedLanes, overflow}},
				{File: file, Width: a4Width, Height: 1400, Print: true, Screenshot: picture("a4.png"), Evaluate: []string{stackedLanes, overflow}},
			})
			for _, visited := range found {
				if len(visited.Requests) != 1 || !strings.HasSuffix(visited.Requests[0], "/"+one.name+".html") {
					t.Errorf("requests: %q", visited.Requests)
				}
				if len(visited.Messages)+len(visited.Dialogs) > 0 {
					t.Errorf("console: %q, dialogs: %q", visited.Messages, visited.Dialogs)
				}
			}
			for at, visit := range map[string]float64{
				"wide": valueOf[float64](t, found[0], 0), "narrow": valueOf[float64](t, found[3], 0), "narrow, all open": valueOf[float64](t, found[3], 2),
			} {
				if visit > 0 {
					t.Errorf("%s: %v pixels wider than the window", at, visit)
				}
			}
			checkContrast(t, "light", found[0], 3)
			checkContrast(t, "dark", found[2], 1)
			checkContrast(t, "print", found[4], 0)
			checkPrint(t, "letter", found[4], 1)
			checkPrint(t, "A4", found[5], 0)
			if stacked := valueOf[[]string](t, found[3], 5); in.Record != nil && len(stacked) == 0 {
				t.Error("no lane of the narrow page is below its name: the expression finds none")
			}
			checkTree(t, found[0])
			checkPositions(t, in, valueOf[[]track](t, found[0], 2))
			checkPositions(t, in, valueOf[[]track](t, found[3], 3))
		})
	}
}

// The width of a printed page between its margins (style.css) in CSS pixels, 96 to the inch.
const (
	letterWidth = 725
	a4Width     = 703
)

// checkPrint checks that a printed page has the lanes beside their names, and nothing beyond its edge.
func checkPrint(t *testing.T, paper string, found findings, at int) {
	t.Helper()
	if stacked := valueOf[[]string](t, found, at); len(stacked) > 0 {
		t.Errorf("%s: lanes below their names: %q", paper, stacked)
	}
	if wider := valueOf[float64](t, found, at+1); wider > 0 {
		t.Errorf("%s: %v pixels wider than the page", paper, wider)
	}
}

func checkContrast(t *testing.T, theme string, found findings, at int) {
	t.Helper()
	got := valueOf[struct {
		Faint []string
		Texts int
	}](t, found, at)
	if len(got.Faint) > 0 || got.Texts < 50 {
		t.Errorf("%s: of %d texts, %d have too little contrast: %q", theme, got.Texts, len(got.Faint), got.Faint[:min(len(got.Faint), 5)])
	}
}

// checkTree checks what a screen reader is told.
func checkTree(t *testing.T, found findings) {
	t.Helper()
	roles := map[string]int{}
	for _, node := range found.Nodes {
		roles[node.Role]++
		if (node.Role == "image" || node.Role == "heading" || node.Role == "region" || node.Role == "link") && node.Name == "" {
			t.Errorf("a %s without a name", node.Role)
		}
	}
	for role, least := range map[string]int{
		"banner": 1, "main": 1, "contentinfo": 1, "heading": 6, "region": 2, "image": 10, "columnheader": 10, "rowheader": 30, "table": 3,
	} {
		if roles[role] < least {
			t.Errorf("%d of the role %s, want at least %d: %v", roles[role], role, least, roles)
		}
	}
}

// track is a lane as the browser laid it out, in pixels.
type track struct {
	Label    string
	From, To float64
	Bars     []struct{ From, To float64 }
}

// span is a bar that is expected.
type span struct {
	from, to time.Time
}

// checkPositions compares the bars with the times of the record.
func checkPositions(t *testing.T, in report.Input, tracks []track) {
	t.Helper()
	first, last := in.Record.StartedAt.Time, in.Options.Now
	if in.Record.CompletedAt != nil {
		last = in.Record.CompletedAt.Time
	}
	compared := 0
	for name, want := range expectedSpans(in.Record, last) {
		at := slices.IndexFunc(tracks, func(one track) bool { return strings.HasPrefix(one.Label, name+": ") })
		if at < 0 {
			continue // not among the slowest nodes of a large pool
		}
		lane := tracks[at]
		if len(lane.Bars) != len(want) {
			t.Errorf("%s: %d bars, want %d", lane.Label, len(lane.Bars), len(want))
			continue
		}
		for bar, times := range want {
			place := func(at time.Time) float64 {
				return lane.From + (lane.To-lane.From)*at.Sub(first).Seconds()/last.Sub(first).Seconds()
			}
			got := lane.Bars[bar]
			if math.Abs(got.From-place(times.from)) > 0.5 || math.Abs(got.To-place(times.to)) > 0.5 {
				t.Errorf("%s: a bar from %v to %v, want %v to %v", lane.Label, got.From, got.To, place(times.from), place(times.to))
			}
			compared++
		}
	}
	if compared < 20 {
		t.Errorf("%d bars compared", compared)
	}
}

// expectedSpans returns the bars of what has a known start, by the names of their lanes.
func expectedSpans(record *updatev1alpha1.UpdateRecordStatus, last time.Time) map[string][]span {
	spans := map[string][]span{}
	add := func(name string, from, endedAt, endedBy *metav1.Time) {
		if from == nil {
			return
		}
		to := last
		for _, end := range []*metav1.Time{endedBy, endedAt} {
			if end != nil {
				to = end.Time
			}
		}
		spans[name] = append(spans[name], span{from.Time, to})
	}
	add("control plane", record.ControlPlane.StartedAt, record.ControlPlane.CompletedAt, record.ControlPlane.CompletedBy)
	for _, one := range record.Operators {
		add(one.Name, one.StartedAt, one.CompletedAt, one.CompletedBy)
	}
	for _, one := range record.Pools {
		add("Pool "+one.Name, one.StartedAt, one.CompletedAt, one.CompletedBy)
	}
	for _, one := range record.Nodes {
		for at, phase := range one.Phases {
			end, by := one.CompletedAt, one.CompletedBy
			if at+1 < len(one.Phases) {
				end, by = &one.Phases[at+1].StartedAt, nil
			}
			add(one.Name, &phase.StartedAt, end, by)
		}
	}
	for _, one := range record.Episodes {
		add(fmt.Sprintf("%s: %s", one.Level, one.Summary), one.StartedAt, one.EndedAt, one.EndedBy)
	}
	return spans
}

// hostileTexts are what a cluster may have in its names and messages.
var hostileTexts = []string{
	`<script>alert("x")</script>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)`, `</title></style><b>bold</b>`, `{{.}}<!--`, `javascript:alert(1)`,
	"\u202egnp.exe\u2066", "nul\x00bell\x07escape\x1b[31m", strings.Repeat("long", 63) + "x", `]]></svg><foreignObject>`, `&lt;b&gt;`,
}

// TestLongHostileTexts checks that texts from the cluster are only text in the browser.
func TestLongHostileTexts(t *testing.T) {
	in := inputOf(t, "blocked")
	us := in.Options.Object.DeepCopy()
	in.Record = in.Record.DeepCopy()
	head := *in.Options.Head.DeepCopy()
	in.Options.Head = &head
	next := 0
	hostile := func() string {
		next++
		return hostileTexts[next%len(hostileTexts)]
	}
	for at := range in.Record.Operators {
		in.Record.Operators[at].Name = hostile()
	}
	for at := range in.Record.Pools {
		in.Record.Pools[at].Name = hostile()
	}
	for at := range in.Record.Nodes {
		in.Record.Nodes[at].Name, in.Record.Nodes[at].Pool = hostile(), in.Record.Pools[at%len(in.Record.Pools)].Name
	}
	for range hostileTexts {
		in.Record.Episodes = append(in.Record.Episodes, updatev1alpha1.EpisodeRecord{
			UID: "health-x", Summary: hostile(), Level: updatev1alpha1.HealthLevel(hostile()), StartedAt: in.Record.StartedAt,
		})
	}
	informers := slices.Concat(us.Status.ControlPlane.Informers, us.Status.WorkerPools[0].Informers)
	for _, informer := range informers {
		for at := range informer.Insights {
			one := &informer.Insights[at]
			for _, text := range insight.Texts(one) {
				*text = hostile()
			}
			switch {
			case one.Health != nil:
				one.Health.Remediation.Reference = "javascript:alert(1)"
			case one.Node != nil:
				one.Node.Name, one.Node.Message = hostile(), hostile()
			case one.ClusterOperator != nil:
				one.ClusterOperator.Name = hostile()
			}
		}
	}
	in.Status = update.ReadAt(&us.Status, in.Options.Now)
	head.WaitingFor, in.RecordName = strings.Join(hostileTexts, " "), hostile()
	in.Options.Outdated, in.Options.Incomplete, in.Options.AsOf = hostile(), hostileTexts, hostile()

	file := artefact(t, "hostile.html")
	if err := write(file, in); err != nil {
		t.Fatal(err)
	}
	found := browse(t, []visit{{File: file, Width: 380, Height: 800, Evaluate: []string{openAll, foreign, visibleText, overflow}, Screenshot: artefact(t, "hostile.png")}})[0]
	if elements := valueOf[[]string](t, found, 1); len(elements) > 0 {
		t.Errorf("elements that were in texts: %q", elements)
	}
	if len(found.Requests) != 1 || len(found.Messages)+len(found.Dialogs) > 0 {
		t.Errorf("requests %q, console %q, dialogs %q", found.Requests, found.Messages, found.Dialogs)
	}
	text := valueOf[string](t, found, 2)
	for _, one := range hostileTexts {
		if want := insight.OneLine(one); !strings.Contains(text, want) {
			t.Errorf("%q is not in the page as text", want)
		}
	}
	if strings.ContainsAny(text, "\u202e\u2066\x00\x07\x1b") {
		t.Error("the page has characters that are not visible")
	}
	if wider := valueOf[float64](t, found, 3); wider > 0 {
		t.Errorf("%v pixels wider than the window", wider)
	}
}

// TestLongBrowserFindsWhatIsForbidden checks that the tests above would find a page that does what a report must not.
func TestLongBrowserFindsWhatIsForbidden(t *testing.T) {
	file := artefact(t, "forbidden.html")
	const page = `<title>x</title><img src="other.png"><script>console.log("here"); alert("here")</script>` +
		`<p style="color: #999; background: #fff; width: 2000px">faint</p>`
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	found := browse(t, []visit{{File: file, Width: 380, Height: 800, Evaluate: []string{faint, foreign, overflow}}})[0]
	if len(found.Requests) < 2 || len(found.Messages) == 0 || len(found.Dialogs) != 1 {
		t.Errorf("requests %q, console %q, dialogs %q", found.Requests, found.Messages, found.Dialogs)
	}
	if got := valueOf[struct{ Faint []string }](t, found, 0); len(got.Faint) != 1 {
		t.Errorf("faint: %q", got.Faint)
	}
	if got := valueOf[[]string](t, found, 1); len(got) != 3 {
		t.Errorf("foreign: %q", got)
	}
	if got := valueOf[float64](t, found, 2); got < 1000 {
		t.Errorf("%v pixels wider than the window", got)
	}
}

// TestLongLargeReportIsSmall checks the size of the report of a cluster with 5,000 nodes.
func TestLongLargeReportIsSmall(t *testing.T) {
	var written bytes.Buffer
	in := inputOf(t, "large")
	if err := report.New(in).Write(&written); err != nil {
		t.Fatal(err)
	}
	if in.Options.Head.Nodes.Total != 5000 || written.Len() > 1<<20 {
		t.Errorf("%d bytes for %d nodes", written.Len(), in.Options.Head.Nodes.Total)
	}
	for _, name := range []string{"worker-3996.", "infra-999."} {
		if !strings.Contains(written.String(), name) {
			t.Errorf("no node %s", name)
		}
	}
}
