package cli

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// pool returns a worker pool of four nodes, some of which are outdated.
func pool(name string, outdated int32) updatev1alpha1.WorkerPool {
	const nodes = 4
	return updatev1alpha1.WorkerPool{Name: name, Informers: []updatev1alpha1.Informer{{
		Name: string(insight.NodeInformer),
		Insights: []updatev1alpha1.Insight{{
			UID: "mcp-" + name, Type: updatev1alpha1.InsightMachineConfigPool,
			MachineConfigPool: &updatev1alpha1.MachineConfigPoolInsight{
				Name: name, Completion: 100 * (nodes - outdated) / nodes,
				Summaries: []updatev1alpha1.NodeSummary{
					{Type: updatev1alpha1.NodesTotal, Count: nodes}, {Type: updatev1alpha1.NodesOutdated, Count: outdated},
				},
			},
		}},
	}}}
}

// asked returns a status whose last update is complete, and another one was asked for, at noon.
func asked(reason string) string {
	return strings.NewReplacer(
		"reason: ClusterVersionNotProgressing", "reason: "+reason,
		"versions: {", `requested: {version: 4.20.1, since: "2025-03-01T12:00:00Z"}
          versions: {`,
	).Replace(idleStatus)
}

// TestUntil checks what each value of --for waits for.
func TestUntil(t *testing.T) {
	now := time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)
	read := func(text string) *observation {
		us := &updatev1alpha1.UpdateStatus{}
		if err := yaml.Unmarshal([]byte(text), us); err != nil {
			t.Fatal(err)
		}
		return observed(us, now)
	}
	updating := content(t, updateStatusFile)
	unavailable := read(strings.Replace(updating, `{type: Available, status: "True"`, `{type: Available, status: "False"`, 1))
	outdated := read(idleStatus)
	outdated.outdated = "the ClusterVersion has started an update"
	// The control plane is complete, the workers are not.
	workers := read(idleStatus)
	workers.updateStatus.Status.WorkerPools = []updatev1alpha1.WorkerPool{pool("worker", 3), pool("infra", 0)}
	workers.setShown(workers.updateStatus, now)
	// The last update is complete, and another one was asked for.
	requested, refused := read(asked(updatev1alpha1.ReasonRequested)), read(asked(updatev1alpha1.ReasonNotAccepted))
	requested.updateStatus.Status.WorkerPools = []updatev1alpha1.WorkerPool{pool("infra", 0)}
	requested.setShown(requested.updateStatus, now)
	first := read(idleStatus)
	first.updateStatus.Status.WorkerPools = []updatev1alpha1.WorkerPool{pool("infra", 0), pool("worker", 3)}
	first.setShown(first.updateStatus, now)
	unknown := read(strings.Replace(idleStatus, `{type: Updating, status: "False"`, `{type: Updating, status: "Unknown"`, 1))
	unknown.updateStatus.Status.WorkerPools = []updatev1alpha1.WorkerPool{pool("infra", 0)}
	unknown.setShown(unknown.updateStatus, now)
	for name, tc := range map[string]struct {
		goal  until
		shown *observation
		want  bool
		fails bool
	}{
		"no update":                      {until{forAll, true}, read(idleStatus), true, false},
		"no update yet":                  {until{forAll, false}, read(idleStatus), false, false},
		"outdated":                       {until{forAll, true}, outdated, false, false},
		"unavailable":                    {until{forControlPlane, true}, unavailable, false, false},
		"the control plane":              {until{forControlPlane, true}, workers, true, false},
		"the control plane, update seen": {until{forControlPlane, false}, workers, true, false},
		"the control plane is not":       {until{forControlPlane, true}, read(updating), false, false},
		"the workers":                    {until{forWorkers, true}, read(idleStatus), true, false},
		"the workers are not":            {until{forWorkers, true}, workers, false, false},
		"the pool":                       {until{forPool + "infra", true}, workers, true, false},
		"the pool, as the first one":     {until{forPool + "infra", true}, first, true, false},
		"of an unknown control plane":    {until{forWorkers, true}, unknown, false, false},
		"the pool is not":                {until{forPool + "worker", true}, workers, false, false},
		"no such pool":                   {until{forPool + "gpu", true}, workers, false, true},
		"everything is not":              {until{forAll, true}, workers, false, false},
		"requested":                      {until{forAll, true}, requested, false, false},
		"requested, none before":         {until{forAll, false}, requested, false, false},
		"requested, the control plane":   {until{forControlPlane, true}, requested, false, false},
		"requested, the workers":         {until{forWorkers, false}, requested, false, false},
		"requested, the pool":            {until{forPool + "infra", true}, requested, false, false},
		"requested, no such pool":        {until{forPool + "gpu", true}, requested, false, true},
		"not accepted":                   {until{forAll, true}, refused, false, false},
	} {
		got, err := tc.goal.reached(tc.shown, now)
		if got != tc.want || (err != nil) != tc.fails {
			t.Errorf("%s: %t, error %v", name, got, err)
		}
	}
	for name, tc := range map[string]struct {
		goal  until
		shown *observation
		want  string
	}{
		"no update yet":     {until{forAll, false}, read(idleStatus), "the start of an update"},
		"outdated":          {until{forAll, true}, outdated, "a status that is up to date"},
		"requested":         {until{forAll, true}, requested, "the start of an update"},
		"not accepted":      {until{forControlPlane, true}, refused, "the start of an update"},
		"the control plane": {until{forControlPlane, true}, read(updating), "the control plane"},
		"everything":        {until{forAll, true}, read(updating), "the control plane"},
		"the workers":       {until{forWorkers, true}, workers, "pool worker"},
		"the pool":          {until{forPool + "worker", true}, workers, "pool worker"},
		"only another pool": {until{forPool + "infra", true}, workers, "a status that is up to date"},
	} {
		if got := tc.goal.remaining(tc.shown); got != tc.want {
			t.Errorf("%s: still waiting for %q, want %q", name, got, tc.want)
		}
	}
}

// hostedStatus returns the status of a hosted cluster whose tracks are in a state, without one where that is empty.
func hostedStatus(t *testing.T, management, dataPlane updatev1alpha1.TrackState) *observation {
	t.Helper()
	us := &updatev1alpha1.HostedClusterUpdateStatus{}
	if err := yaml.Unmarshal([]byte(content(t, "testdata/hosted.yaml")), us); err != nil {
		t.Fatal(err)
	}
	one := us.Status.ControlPlane.Informers[0].Insights[0].HostedCluster
	one.Management, one.DataPlane = nil, nil
	if management != "" {
		one.Management = &updatev1alpha1.ControlPlaneTrack{Version: "4.22.4", State: management}
	}
	if dataPlane != "" {
		one.DataPlane = &updatev1alpha1.ControlPlaneTrack{Version: "4.22.4", State: dataPlane}
	}
	return observed(likeStandalone(us), noon)
}

// TestUntilTracks checks when each track of a hosted cluster is reached, whatever the other one does, and what is said until then.
func TestUntilTracks(t *testing.T) {
	const none, pending, updating, completed = updatev1alpha1.TrackState(""), updatev1alpha1.TrackPending, updatev1alpha1.TrackUpdating, updatev1alpha1.TrackCompleted
	const components, payload = "the components in the management cluster", "the payload in the hosted cluster"
	for name, tc := range map[string]struct {
		part                  string
		management, dataPlane updatev1alpha1.TrackState
		want                  bool
		wantErr               string
		remaining             string
	}{
		"management":                                {forManagement, completed, updating, true, "", ""},
		"management is not":                         {forManagement, updating, completed, false, "", components},
		"management has not begun":                  {forManagement, pending, pending, false, "", components},
		"management, nothing is known":              {forManagement, none, none, false, "", components},
		"management is not reported so far":         {forManagement, none, pending, false, "", components},
		"management is not reported":                {forManagement, none, updating, false, "does not report the version of its components", ""},
		"management is not reported, and completed": {forManagement, none, completed, false, "wait for control-plane instead", ""},
		"the data plane":                            {forDataPlane, updating, completed, true, "", ""},
		"the data plane is not":                     {forDataPlane, completed, updating, false, "", payload},
		"the data plane has not begun":              {forDataPlane, completed, pending, false, "", payload},
		"the data plane, nothing is known":          {forDataPlane, none, none, false, "", payload},
		"the data plane, an older release":          {forDataPlane, none, completed, true, "", ""},
		"the control plane waits for both":          {forControlPlane, completed, updating, false, "", "the control plane"},
	} {
		shown := hostedStatus(t, tc.management, tc.dataPlane)
		goal := until{part: tc.part, started: true}
		got, err := goal.reached(shown, time.Date(2026, 3, 2, 8, 11, 0, 0, time.UTC))
		if got != tc.want || (err != nil) != (tc.wantErr != "") || err != nil && !strings.Contains(err.Error(), tc.wantErr) {
			t.Errorf("%s: %t, error %v", name, got, err)
		}
		if remaining := goal.remaining(shown); tc.remaining != "" && remaining != tc.remaining {
			t.Errorf("%s: still waiting for %q, want %q", name, remaining, tc.remaining)
		}
	}
}

// TestEndOfWatch runs whole watches in a pipe. The last line, and nothing else, says why each ends; it agrees with the exit status.
func TestEndOfWatch(t *testing.T) {
	for name, tc := range map[string]struct {
		status string
		pool   updatev1alpha1.WorkerPool
		args   []string
		// first is in the first line, and last is the last one.
		first, last string
		code        int
	}{
		"complete": {idleStatus, pool("worker", 0), nil, "The cluster is not updating.", "The update to 4.20.0 is complete. The control plane took 1h.", 0},
		"paused": {
			idleStatus, pausedPool("worker"), nil,
			"The update to 4.20.0 is waiting for paused pools", "Paused before reaching 4.20.0: pool worker. The control plane took 1h.", 2,
		},
		"only paused pools of the part": {
			idleStatus, pausedPool("worker"),
			[]string{"--for=workers"},
			"The update to 4.20.0 is waiting for paused pools",
			"Only paused pools are left of --for=workers: worker. Paused before reaching 4.20.0: pool worker. The control plane took 1h.", 2,
		},
		"a part that has no pools": {
			idleStatus, pausedPool("worker"),
			[]string{"--for=control-plane"},
			"The update to 4.20.0 is waiting for paused pools",
			"The control plane is complete. Paused before reaching 4.20.0: pool worker. The control plane took 1h.", 0,
		},
		"timeout": {
			idleStatus, pool("worker", 3),
			[]string{"--timeout=20ms"},
			"Updating from 4.19.3 to 4.20.0 for ",
			"Timed out after 0s; still waiting for pool worker.", 4,
		},
		"one part": {
			idleStatus, pool("worker", 3),
			[]string{"--for=control-plane"},
			"Updating from 4.19.3 to 4.20.0 for ",
			"The control plane is complete. The control plane is updated to 4.20.0; pool worker is still updating. The control plane took 1h.", 0,
		},
		"one part, by its exit status": {
			idleStatus, pool("worker", 3),
			[]string{"--for=control-plane", "--exit-code"},
			"Updating from 4.19.3 to 4.20.0 for ",
			"The control plane is complete. The control plane is updated to 4.20.0; pool worker is still updating. The control plane took 1h.", 2,
		},
		"requested": {
			asked(updatev1alpha1.ReasonRequested), pool("worker", 0),
			[]string{"--timeout=20ms", "--exit-code"},
			"The update to 4.20.1 was requested ", "Timed out after 0s; still waiting for the start of an update.", 4,
		},
	} {
		server := newFakeCluster(t, withPool(t, tc.status, tc.pool))
		got := run(t, "", append([]string{"--watch", "--server=" + server.URL}, tc.args...)...)
		lines := strings.Split(strings.TrimSpace(got.out), "\n")
		if _, first, _ := strings.Cut(lines[0], "Z  "); !strings.HasPrefix(first, tc.first) || lines[len(lines)-1] != tc.last || codeOf(got.err) != tc.code {
			t.Errorf("%s: exit status %d, output\n%s%s", name, codeOf(got.err), got.out, got.errOut)
		}
	}
}

// withPool returns a status with a worker pool.
func withPool(t *testing.T, status string, pool updatev1alpha1.WorkerPool) string {
	t.Helper()
	us := &updatev1alpha1.UpdateStatus{}
	if err := yaml.Unmarshal([]byte(status), us); err != nil {
		t.Fatal(err)
	}
	us.Status.WorkerPools = []updatev1alpha1.WorkerPool{pool}
	object, err := yaml.Marshal(us)
	if err != nil {
		t.Fatal(err)
	}
	return string(object)
}

// pausedPool returns a pool three of whose four nodes wait for an administrator.
func pausedPool(name string) updatev1alpha1.WorkerPool {
	paused := pool(name, 3)
	one := paused.Informers[0].Insights[0].MachineConfigPool
	one.Summaries = append(one.Summaries, updatev1alpha1.NodeSummary{Type: updatev1alpha1.NodesExcluded, Count: 3})
	return paused
}

// TestUnknownPool checks that a pool that does not exist is an error before anything is shown, once the pools are known.
func TestUnknownPool(t *testing.T) {
	available := func(status metav1.ConditionStatus) *observation {
		us := &updatev1alpha1.UpdateStatus{}
		if err := yaml.Unmarshal([]byte(idleStatus), us); err != nil {
			t.Fatal(err)
		}
		us.Status.Conditions = []metav1.Condition{{Type: updatev1alpha1.ConditionAvailable, Status: status}}
		return observed(us, noon)
	}
	withPools := available(metav1.ConditionTrue)
	withPools.updateStatus.Status.WorkerPools = []updatev1alpha1.WorkerPool{pool("worker", 0), pool("infra", 0)}
	withPools.setShown(withPools.updateStatus, noon)
	for name, tc := range map[string]struct {
		pool  string
		shown *observation
		want  string
	}{
		"known":              {"infra", withPools, ""},
		"near miss":          {"workr", withPools, "there is no pool workr: must be one of worker, infra; did you mean --for=pool/worker?"},
		"like no other":      {"gpu", withPools, "there is no pool gpu: must be one of worker, infra"},
		"not reported":       {"gpu", available(metav1.ConditionUnknown), ""},
		"the cluster has no": {"gpu", available(metav1.ConditionTrue), "there is no pool gpu: no pools are reported"},
	} {
		for _, started := range []bool{true, false} {
			goal := until{part: forPool + tc.pool, started: started}
			_, err := goal.reached(tc.shown, time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC))
			if got := fmt.Sprint(err); got != cmp.Or(tc.want, "<nil>") {
				t.Errorf("%s: %s", name, got)
			}
		}
	}
	goal := until{part: forPool + "gpu", started: true}
	if got := goal.remaining(available(metav1.ConditionUnknown)); got != "a report about pool gpu" {
		t.Errorf("still waiting for %s", got)
	}
	got := run(t, "", "--watch", "--for=pool/infr", "--server="+newFakeCluster(t, withPool(t, idleStatus, pool("infra", 3))).URL)
	if got.out != "" || codeOf(got.err) != 1 || !strings.HasSuffix(got.err.Error(), "did you mean --for=pool/infra?") {
		t.Errorf("error %v, output\n%s", got.err, got.out)
	}
}
