package describe

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

var headNow = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

func inMinutes(minutes int) *metav1.Time {
	moment := metav1.NewTime(headNow.Add(time.Duration(minutes) * time.Minute))
	return &moment
}

// summaryWith is a summary with a condition on the whole update.
func summaryWith(status metav1.ConditionStatus, reason, message string) *updatev1alpha1.UpdateStatusSummaryStatus {
	return &updatev1alpha1.UpdateStatusSummaryStatus{
		Conditions: []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: status, Reason: reason, Message: message}},
		Versions:   updatev1alpha1.SummaryVersions{Previous: "4.20.1", Target: "4.20.2"},
	}
}

func updatingWorkers(message string) *updatev1alpha1.UpdateStatusSummaryStatus {
	return summaryWith(metav1.ConditionTrue, updatev1alpha1.ReasonWorkers, message)
}

// TestExpected checks when the whole update is said to be complete.
func TestExpected(t *testing.T) {
	within := func(earliest, latest int) *updatev1alpha1.UpdateStatusSummaryStatus {
		s := updatingWorkers("")
		s.Estimate = &updatev1alpha1.SummaryEstimate{Earliest: *inMinutes(earliest), Latest: *inMinutes(latest)}
		return s
	}
	unknown := func(why string) *updatev1alpha1.UpdateStatusSummaryStatus {
		s := updatingWorkers("")
		s.NoEstimate = &updatev1alpha1.MissingEstimate{Reason: updatev1alpha1.NoEstimateNotYet, Message: why}
		return s
	}
	const notYet = "pool worker has no estimate yet"
	controlPlaneIn := func(earliest, latest int) *updatev1alpha1.UpdateStatusSummaryStatus {
		s := unknown(notYet)
		s.ControlPlane = &updatev1alpha1.ControlPlaneSummary{Estimate: within(earliest, latest).Estimate}
		return s
	}
	uncertain := within(10, 25)
	uncertain.Estimate.Uncertain = "pool worker is slow"
	tests := map[string]struct {
		summary *updatev1alpha1.UpdateStatusSummaryStatus
		want    string
	}{
		"a range":                        {within(10, 25), "in 10m to 25m (12:10 to 12:25 UTC)"},
		"a range of a minute":            {within(10, 10), "in about 10m (12:10 UTC)"},
		"tomorrow":                       {within(11*60, 13*60), "in 11h to 13h (23:00 to 2026-03-03 01:00 UTC)"},
		"at any time":                    {within(-1, 5), "any time now, within 5m (12:05 UTC)"},
		"at its earliest":                {within(0, 5), "any time now, within 5m (12:05 UTC)"},
		"at its latest":                  {within(-5, 0), "at any time, expected from 11:55 to 12:00 UTC"},
		"overdue":                        {within(-30, -20), "overdue by 20m: expected from 11:30 to 11:40 UTC"},
		"only the control plane":         {controlPlaneIn(9, 12), "the control plane in 9m to 12m (12:09 to 12:12 UTC), the rest unknown: pool worker has no estimate yet"},
		"the control plane is late":      {controlPlaneIn(-9, 0), "the control plane at any time, expected from 11:51 to 12:00 UTC, the rest unknown: pool worker has no estimate yet"},
		"uncertain":                      {uncertain, "in 10m to 25m (12:10 to 12:25 UTC), uncertain: pool worker is slow"},
		"nothing is known":               {unknown(notYet), "unknown: pool worker has no estimate yet"},
		"a node holds it up":             {unknown("node w-0 holds up the update"), "unknown: node w-0 holds up the update"},
		"a controller gives no estimate": {updatingWorkers("The control plane is updated to 4.20.2; pool worker is still updating"), ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := (clock{now: headNow, days: true}).expected(test.summary); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

// TestNodesIn: nodes of a hosted cluster that run the version of their pool are not said to run that of the control plane.
func TestNodesIn(t *testing.T) {
	with := func(reason string, counts updatev1alpha1.SummaryNodes) *updatev1alpha1.UpdateStatusSummaryStatus {
		s := summaryWith(metav1.ConditionTrue, reason, "")
		s.Nodes = &counts
		return s
	}
	tests := map[string]struct {
		summary *updatev1alpha1.UpdateStatusSummaryStatus
		want    string
	}{
		"not known": {updatingWorkers(""), ""},
		"the control plane first": {
			with(updatev1alpha1.ReasonControlPlane, updatev1alpha1.SummaryNodes{Total: 6, Completed: 6, Unavailable: 1}), "6, none is being updated, 1 unavailable",
		},
		"some wait": {
			with(updatev1alpha1.ReasonControlPlane, updatev1alpha1.SummaryNodes{Total: 6, Completed: 2, Pending: 4}), "2 of 6 updated, 4 pending",
		},
		"the last one": {with(updatev1alpha1.ReasonWorkers, updatev1alpha1.SummaryNodes{Total: 6, Completed: 6}), "6 of 6 updated"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := nodesIn(test.summary); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

// TestTitle checks what the cluster is said to be doing.
func TestTitle(t *testing.T) {
	completed := summaryWith(metav1.ConditionFalse, updatev1alpha1.ReasonCompleted, "")
	timed := completed.DeepCopy()
	timed.CompletedAt = inMinutes(-60)
	whole := timed.DeepCopy()
	whole.StartedAt = inMinutes(-180)
	begun := updatingWorkers("")
	begun.StartedAt = inMinutes(-75)
	install := summaryWith(metav1.ConditionTrue, updatev1alpha1.ReasonControlPlane, "")
	install.Versions = updatev1alpha1.SummaryVersions{}
	asked := func(reason string, requested *updatev1alpha1.RequestedUpdate) *updatev1alpha1.UpdateStatusSummaryStatus {
		s := summaryWith(metav1.ConditionFalse, reason, "")
		s.Requested = requested
		return s
	}
	image := &updatev1alpha1.RequestedUpdate{Image: "example.com/r@sha256:1", Since: inMinutes(-75)}
	later := &updatev1alpha1.RequestedUpdate{Version: "4.20.3", Image: image.Image, Since: inMinutes(1)}
	tests := map[string]struct {
		options Options
		summary *updatev1alpha1.UpdateStatusSummaryStatus
		want    string
	}{
		"requested":                        {summary: asked(updatev1alpha1.ReasonRequested, &updatev1alpha1.RequestedUpdate{Version: "4.20.3", Since: inMinutes(-12)}), want: "The update to 4.20.3 was requested 12m ago and has not begun."},
		"requested by its image":           {summary: asked(updatev1alpha1.ReasonRequested, image), want: "The update to example.com/r@sha256:1 was requested 1h15m ago and has not begun."},
		"requested just now":               {summary: asked(updatev1alpha1.ReasonRequested, &updatev1alpha1.RequestedUpdate{Version: "4.20.3", Since: inMinutes(0)}), want: "The update to 4.20.3 was requested and has not begun."},
		"requested by another clock":       {summary: asked(updatev1alpha1.ReasonRequested, later), want: "The update to 4.20.3 was requested and has not begun."},
		"not accepted":                     {summary: asked(updatev1alpha1.ReasonNotAccepted, &updatev1alpha1.RequestedUpdate{Version: "4.20.3"}), want: "The update to 4.20.3 was requested and is not accepted."},
		"not known what is requested":      {summary: asked(updatev1alpha1.ReasonRequested, nil), want: "The update to an unknown version was requested and has not begun."},
		"requested, from incomplete files": {options: Options{Incomplete: []string{"3 ClusterOperators are missing"}}, summary: asked(updatev1alpha1.ReasonNotAccepted, later), want: "The update to 4.20.3 was requested and is not accepted."},
		"no condition":                     {summary: &updatev1alpha1.UpdateStatusSummaryStatus{}, want: "Update state unknown: the controller has not reported it"},
		"not known":                        {summary: summaryWith(metav1.ConditionUnknown, "", "The ClusterVersion is gone"), want: "Update state unknown: the ClusterVersion is gone"},
		"a name comes first":               {summary: summaryWith(metav1.ConditionUnknown, "", "ClusterVersion is gone"), want: "Update state unknown: ClusterVersion is gone"},
		"the workers":                      {summary: begun, want: "Updating from 4.20.1 to 4.20.2 for 1h15m: the workers"},
		"an installation":                  {summary: install, want: "Updating to an unknown version: the control plane"},
		"both":                             {summary: summaryWith(metav1.ConditionTrue, updatev1alpha1.ReasonControlPlaneAndWorkers, ""), want: "Updating from 4.20.1 to 4.20.2: the control plane and the workers"},
		"of another version":               {summary: summaryWith(metav1.ConditionTrue, "Routers", ""), want: "Updating from 4.20.1 to 4.20.2: Routers"},
		"paused":                           {summary: summaryWith(metav1.ConditionFalse, updatev1alpha1.ReasonPaused, ""), want: "The update to 4.20.2 is waiting for paused pools"},
		"complete":                         {summary: completed, want: "The cluster is not updating.|The update to 4.20.2 is complete."},
		"complete at a time":               {summary: timed, want: "Updated to 4.20.2 at 11:00 UTC"},
		"complete after":                   {summary: whole, want: "Updated to 4.20.2 at 11:00 UTC, in 2h"},
		"never updated":                    {summary: summaryWith(metav1.ConditionFalse, updatev1alpha1.ReasonNotUpdating, ""), want: "The cluster is not updating."},
		"from incomplete files":            {options: Options{Incomplete: []string{"3 ClusterOperators are missing"}}, summary: completed, want: "No update appears to be in progress."},
		"nobody keeps the status":          {options: Options{Outdated: "it is old"}, summary: completed, want: "No update appears to be in progress."},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.options.Head, test.options.Now = test.summary, headNow
			p := &page{Options: test.options}
			if got := strings.Join(p.title(), "|"); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

// TestFleet checks the rows of clusters that know nothing, little and everything.
func TestFleet(t *testing.T) {
	full := updatingWorkers("")
	full.ControlPlane = &updatev1alpha1.ControlPlaneSummary{Assessment: updatev1alpha1.AssessmentCompleted, Completion: 100}
	full.Nodes = &updatev1alpha1.SummaryNodes{Completed: 4, Total: 9}
	full.Attention = []updatev1alpha1.SummaryAttention{{Level: updatev1alpha1.LevelError, Summary: "one\ntwo"}}
	full.Health = &updatev1alpha1.SummaryHealth{Critical: 1, Error: 2, Warning: 3, Info: 4, Unknown: 5}
	full.Estimate = &updatev1alpha1.SummaryEstimate{Earliest: *inMinutes(10), Latest: *inMinutes(25)}
	uncounted := updatingWorkers("")
	uncounted.Attention = full.Attention
	var text strings.Builder
	err := WriteFleet(&text, []string{"a", "b", "c", "d"}, [][]string{
		FleetRow(full, headNow), nil, FleetRow(&updatev1alpha1.UpdateStatusSummaryStatus{}, headNow), FleetRow(uncounted, headNow),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"CONTEXT   UPDATING   FROM     TO       CONTROL PLANE     NODES   ATTENTION   FINISH",
		"a         True       4.20.1   4.20.2   Completed, 100%   4/9     Error (1)   in 10m to 25m (12:10 to 12:25 UTC)",
		"b         ?          ?        ?        ?                 ?       ?           ?",
		"c         Unknown    -        ?        ?                 -       -           -",
		"d         True       4.20.1   4.20.2   ?                 -       Error (1)   -", "",
	}
	if diff := cmp.Diff(want, strings.Split(text.String(), "\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestHostedFleet checks the cells of the two tracks: a version other than that of the update is named.
func TestHostedFleet(t *testing.T) {
	s := updatingWorkers("")
	s.ControlPlane = &updatev1alpha1.ControlPlaneSummary{Assessment: updatev1alpha1.AssessmentProgressing, Completion: 50}
	s.ControlPlane.Management = &updatev1alpha1.ControlPlaneTrack{Version: "4.20.2", State: updatev1alpha1.TrackCompleted}
	s.ControlPlane.DataPlane = &updatev1alpha1.ControlPlaneTrack{Version: "4.20.1", State: updatev1alpha1.TrackCompleted}
	asked := s.DeepCopy()
	asked.Versions.Target, asked.ControlPlane.Management = "", nil
	asked.ControlPlane.DataPlane = &updatev1alpha1.ControlPlaneTrack{State: updatev1alpha1.TrackPending}
	var text strings.Builder
	err := WriteHostedFleet(&text, []string{"a/a", "b/b", "c/c"}, [][]string{
		HostedFleetRow(s, headNow), HostedFleetRow(asked, headNow), HostedFleetRow(&updatev1alpha1.UpdateStatusSummaryStatus{}, headNow),
	})
	want := []string{
		"HOSTED CLUSTER   UPDATING   FROM     TO       CONTROL PLANE      MANAGEMENT   DATA PLANE         NODES   ATTENTION   FINISH",
		"a/a              True       4.20.1   4.20.2   Progressing, 50%   Completed    4.20.1 Completed   -       -           -",
		"b/b              True       4.20.1   ?        Progressing, 50%   -            Pending            -       -           -",
		"c/c              Unknown    -        ?        ?                  -            -                  -       -           -", "",
	}
	if diff := cmp.Diff(want, strings.Split(text.String(), "\n")); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// TestTracks checks what the head says of the two tracks of a hosted cluster.
func TestTracks(t *testing.T) {
	track := func(version string, state updatev1alpha1.TrackState, started, completed *metav1.Time) *updatev1alpha1.ControlPlaneTrack {
		return &updatev1alpha1.ControlPlaneTrack{Version: version, State: state, StartedAt: started, CompletedAt: completed}
	}
	for name, test := range map[string]struct {
		cp   *updatev1alpha1.ControlPlaneSummary
		want []Row
	}{
		"none":             {nil, nil},
		"another cluster":  {&updatev1alpha1.ControlPlaneSummary{}, nil},
		"an older release": {&updatev1alpha1.ControlPlaneSummary{DataPlane: track("4.20.2", updatev1alpha1.TrackUpdating, inMinutes(-5), nil)}, []Row{{"Management", "unknown, the HostedCluster does not report it"}, {"Data plane", "4.20.2, updating for 5m"}}},
		"the installation": {&updatev1alpha1.ControlPlaneSummary{Management: track("4.20.2", updatev1alpha1.TrackUpdating, nil, nil)}, []Row{{"Management", "4.20.2, updating"}, {"Data plane", "unknown, the HostedCluster does not report it"}}},
		"one is complete": {
			&updatev1alpha1.ControlPlaneSummary{
				Management: track("4.20.2", updatev1alpha1.TrackCompleted, inMinutes(-75), inMinutes(-15)), DataPlane: track("", updatev1alpha1.TrackPending, nil, nil),
			},
			[]Row{{"Management", "4.20.2, completed at 11:45 UTC"}, {"Data plane", "a release of unknown version, pending"}},
		},
	} {
		c := clock{now: headNow, days: true}
		if diff := cmp.Diff(test.want, c.tracks(test.cp)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestTrackChanges checks the lines of a watch about the two tracks.
func TestTrackChanges(t *testing.T) {
	status := func(management, dataPlane *updatev1alpha1.ControlPlaneTrack) *updatev1alpha1.UpdateStatus {
		us := &updatev1alpha1.UpdateStatus{}
		us.Status.ControlPlane = &updatev1alpha1.ControlPlane{Informers: []updatev1alpha1.Informer{{Insights: []updatev1alpha1.Insight{
			{HostedCluster: &updatev1alpha1.HostedClusterInsight{Management: management, DataPlane: dataPlane}},
		}}}}
		return us
	}
	track := func(version string, state updatev1alpha1.TrackState) *updatev1alpha1.ControlPlaneTrack {
		return &updatev1alpha1.ControlPlaneTrack{Version: version, State: state}
	}
	updating := status(track("4.22.4", updatev1alpha1.TrackUpdating), track("", updatev1alpha1.TrackPending))
	completed := status(track("4.22.4", updatev1alpha1.TrackCompleted), track("", updatev1alpha1.TrackPending))
	for _, tc := range []struct {
		before, after *updatev1alpha1.UpdateStatus
		want          []string
	}{
		{status(nil, nil), updating, []string{"data plane: Pending", "management: 4.22.4 Updating"}},
		{updating, completed, []string{"management: 4.22.4 Completed"}},
		{completed, completed, nil},
	} {
		if diff := cmp.Diff(tc.want, Changes(read(tc.before, testNow), read(tc.after, testNow))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// TestOperatorsIn checks the names of operators that are being updated, few and many.
func TestOperatorsIn(t *testing.T) {
	part := &updatev1alpha1.ControlPlaneSummary{Operators: updatev1alpha1.SummaryOperators{Total: 33, Updated: 20, Updating: 4, Waiting: 9, Unhealthy: 1}}
	tests := map[string][]string{
		"20 of 33 updated, 4 updating, 9 waiting, 1 unhealthy":                      nil,
		"20 of 33 updated, 4 updating (a, b, c), 9 waiting, 1 unhealthy":            {"a", "b", "c"},
		"20 of 33 updated, 4 updating (a, b, c and 1 more), 9 waiting, 1 unhealthy": {"a", "b", "c", "d"},
	}
	for want, names := range tests {
		if got := operatorsIn(part, names...); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
	if got := operatorsIn(nil) + operatorsIn(&updatev1alpha1.ControlPlaneSummary{}); got != "" {
		t.Errorf("without operators: %q", got)
	}
}
