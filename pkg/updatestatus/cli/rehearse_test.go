package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/played"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// runRehearse runs the command that rehearses an update.
func runRehearse(t *testing.T, args ...string) outcome {
	t.Helper()
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	var out, errOut bytes.Buffer
	flags := genericclioptions.NewConfigFlags(true)
	cmd := NewRehearseCommand(flags, genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &errOut})
	flags.AddFlags(cmd.Flags())
	cmd.SetArgs(args)
	err := cmd.ExecuteContext(t.Context())
	return outcome{out: out.String(), errOut: errOut.String(), err: err}
}

// rehearsedObjects are those of a cluster without an update, which lacks most cluster operators.
func rehearsedObjects() map[string]string {
	return map[string]string{
		"config.openshift.io/clusterversions/version.yaml": `{apiVersion: config.openshift.io/v1, kind: ClusterVersion, metadata: {name: version}, status: {desired: {version: 4.20.1},
  availableUpdates: [{version: 4.20.2}], conditions: [{type: Progressing, status: "False", lastTransitionTime: "2026-03-01T10:00:00Z"}, {type: Failing, status: "False"}],
  history: [{state: Completed, version: 4.20.1, startedTime: "2026-03-01T09:00:00Z", completionTime: "2026-03-01T10:00:00Z"}]}}
`,
		"config.openshift.io/clusteroperators/dns.yaml": `{apiVersion: config.openshift.io/v1, kind: ClusterOperator, metadata: {name: dns}, status: {versions: [{name: operator, version: 4.20.1}],
  conditions: [{type: Available, status: "True"}, {type: Progressing, status: "False"}, {type: Degraded, status: "False"}]}}
`,
		"machineconfiguration.openshift.io/machineconfigpools/worker.yaml": `{apiVersion: machineconfiguration.openshift.io/v1, kind: MachineConfigPool, metadata: {name: worker}, spec: {
  nodeSelector: {matchLabels: {node-role.kubernetes.io/worker: ""}}}, status: {machineCount: 1, observedGeneration: 1}}
`,
		"machineconfiguration.openshift.io/machineconfigs/rendered-worker-1.yaml": `{apiVersion: machineconfiguration.openshift.io/v1, kind: MachineConfig, metadata: {name: rendered-worker-1,
  annotations: {machineconfiguration.openshift.io/release-image-version: 4.20.1}}}
`,
		"core/nodes/a.yaml": `{apiVersion: v1, kind: Node, metadata: {name: a, labels: {node-role.kubernetes.io/worker: ""}, annotations: {
  machineconfiguration.openshift.io/currentConfig: rendered-worker-1, machineconfiguration.openshift.io/desiredConfig: rendered-worker-1, machineconfiguration.openshift.io/state: Done}},
  status: {conditions: [{type: Ready, status: "True"}]}}
`,
	}
}

// TestRehearseFiles rehearses the update of files that lack a part: it is named first, and the exit status is 1.
func TestRehearseFiles(t *testing.T) {
	dir := writeMustGather(t, rehearsedObjects())
	got := runRehearse(t, "--must-gather", dir, "--until=2h")
	if got.err == nil || codeOf(got.err) != 1 || !strings.HasPrefix(got.err.Error(), "incomplete, so the update may be behind what is shown: ClusterOperators ") {
		t.Errorf("got %v", got.err)
	}
	lines := strings.Split(got.out, "\n")
	for at, want := range []string{
		"Incomplete: ClusterOperators authentication, baremetal", "Incomplete: MachineConfigPool master is missing.",
		"An update from 4.20.1 to 4.20.2 would take ", "Started now    done between ", "Control plane  30m to 2h55m",
		"POOL     NODES   AT A TIME   TAKES   ", "worker   1       1           ", "Nothing that is known would hold it up.",
		"By 12:00       the whole update may or may not be complete (UTC)", "POOL     UPDATED BY THEN   PAUSE BY   THEN IN PROGRESS UNTIL", "worker   0 to 1 of 1       11:",
		"→ oc patch machineconfigpool/worker --type=merge -p '{\"spec\":{\"paused\":true}}'",
	} {
		if at >= len(lines) || !strings.HasPrefix(lines[at], want) {
			t.Fatalf("line %d is not %q:\n%s", at+1, want, got.out)
		}
	}
	for _, format := range []string{"json", "markdown", "yaml", "jsonpath={.pools[0].name}"} {
		got := runRehearse(t, "--must-gather", dir, "--until=3h", "-o", format)
		if !strings.Contains(got.out, "worker") || codeOf(got.err) != 1 {
			t.Errorf("-o %s: %v\n%s", format, got.err, got.out)
		}
	}
}

// TestRehearseRefuses checks what can't be rehearsed.
func TestRehearseRefuses(t *testing.T) {
	dir := writeMustGather(t, rehearsedObjects())
	without := rehearsedObjects()
	delete(without, "core/nodes/a.yaml")
	noNodes := writeMustGather(t, without)
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"4.20.3"}, `unexpected argument "4.20.3": name the version with --to`},
		{[]string{"--must-gather", dir, "--to=4.19.9"}, "the cluster runs 4.20.1: an update to 4.19.9 would be one to an earlier version"},
		{[]string{"--must-gather", dir, "--until=2026-03-01T09:00:00Z"}, "invalid --until 2026-03-01T09:00:00Z: is in the past, it is 2026-03-01T10:00:00Z"},
		{[]string{"--must-gather", dir, "--until=-1h"}, "invalid --until -1h: is in the past"},
		{[]string{"--must-gather", dir, "--until=four"}, `invalid --until "four": must be a time`},
		{[]string{"--must-gather", noNodes}, "there are no Nodes: how long they would take is not known\nincomplete, so the update may be behind what is shown: ClusterOperators "},
		{[]string{"--must-gather", dir, "--contexts=east"}, "--contexts can't be used with"},
		{[]string{"--must-gather", filepath.Join(dir, "none")}, "reading the objects of a cluster"},
	} {
		got := runRehearse(t, test.args...)
		if got.err == nil || codeOf(got.err) != 1 || !strings.HasPrefix(got.err.Error(), test.want) || got.out != "" {
			t.Errorf("%v: got %v\n%s", test.args, got.err, got.out)
		}
	}
}

// TestUntilAt reads the end of a window.
func TestUntilAt(t *testing.T) {
	now := time.Date(2026, 3, 1, 22, 30, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"":                     {},
		"90m":                  now.Add(90 * time.Minute),
		"23:00":                now.Add(30 * time.Minute),
		"22:30":                now.Add(24 * time.Hour),
		"04:00":                now.Add(5*time.Hour + 30*time.Minute),
		"2026-03-02T04:00:00Z": now.Add(5*time.Hour + 30*time.Minute),
	} {
		if got, err := untilAt(text, now); err != nil || !got.Equal(want) {
			t.Errorf("%q: got %v, %v", text, got, err)
		}
	}
}

// TestRehearseCluster rehearses the update of a cluster with the user's permissions, alone and beside another one that can't be read.
func TestRehearseCluster(t *testing.T) {
	objects := rehearsedObjects()
	list := func(kind, version, file string) response {
		return objectResponse(t, "{apiVersion: "+version+", kind: "+kind+"List, items: ["+objects[file]+"]}")
	}
	responses := map[string]response{
		clusterVersionPath: objectResponse(t, objects["config.openshift.io/clusterversions/version.yaml"]),
		"/apis/config.openshift.io/v1/clusteroperators":                 list("ClusterOperator", "config.openshift.io/v1", "config.openshift.io/clusteroperators/dns.yaml"),
		"/apis/machineconfiguration.openshift.io/v1/machineconfigpools": list("MachineConfigPool", "machineconfiguration.openshift.io/v1", "machineconfiguration.openshift.io/machineconfigpools/worker.yaml"),
		"/apis/machineconfiguration.openshift.io/v1/machineconfigs":     list("MachineConfig", "machineconfiguration.openshift.io/v1", "machineconfiguration.openshift.io/machineconfigs/rendered-worker-1.yaml"),
		"/api/v1/nodes":                        list("Node", "v1", "core/nodes/a.yaml"),
		"/apis/policy/v1/poddisruptionbudgets": objectResponse(t, "{apiVersion: policy/v1, kind: PodDisruptionBudgetList, items: [{metadata: {name: cart, namespace: shop, generation: 1}, spec: {maxUnavailable: 0, selector: {matchLabels: {app: cart}}}, status: {observedGeneration: 1, expectedPods: 1, desiredHealthy: 1, currentHealthy: 1, disruptionsAllowed: 0}}]}"),
		"/api/v1/namespaces/shop/pods":         objectResponse(t, "{apiVersion: v1, kind: PodList, items: [{metadata: {name: cart-1, namespace: shop, labels: {app: cart}}, spec: {nodeName: a}, status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}}]}"),
		"/apis/apps/v1/deployments":            objectResponse(t, "{apiVersion: apps/v1, kind: DeploymentList, items: [{apiVersion: apps/v1, kind: Deployment, metadata: {name: db, namespace: shop}, spec: {replicas: 1}}]}"),
	}
	server := serve(t, responses)
	got := runRehearse(t, "--server="+server.url, "--now=2026-03-01T12:00:00Z")
	for _, want := range []string{
		"! Warning: 1 of 1 node in pool 'worker' that wait will not drain: PodDisruptionBudget shop/cart never allows a disruption\n  → oc describe poddisruptionbudget -n shop cart\n",
		"- Info: 1 workload with a single replica would be interrupted while a node drains: Deployment shop/db\n", " 1 drain\n",
	} {
		if !strings.Contains(got.out, want) {
			t.Errorf("there is no %q: %v\n%s", want, got.err, got.out)
		}
	}
	config := filepath.Join(t.TempDir(), "kubeconfig")
	kubeconfig := "apiVersion: v1\nkind: Config\ncurrent-context: a\ncontexts: [{name: a, context: {cluster: a}}, {name: b, context: {cluster: b}}]\n" +
		"clusters: [{name: a, cluster: {server: " + server.url + "}}, {name: b, cluster: {server: 'http://127.0.0.1:1'}}]\n"
	if err := os.WriteFile(config, []byte(kubeconfig), 0o600); err != nil {
		t.Fatal(err)
	}
	got = runRehearse(t, "--kubeconfig", config, "--contexts=a,b")
	const want = "CONTEXT   FROM     TO       TAKES          CONTROL PLANE   NODES   WHAT WOULD HOLD IT UP\n" +
		"a         4.20.1   4.20.2   30m to 2h55m   30m to 2h55m    1       Warning (1)\n" +
		"b         ?        ?        ?              ?               ?       ?\n"
	if got.out != want || codeOf(got.err) != 1 || !strings.Contains(got.err.Error(), "\nb: reading the ClusterVersion: ") {
		t.Errorf("--contexts: %v\n%s", got.err, got.out)
	}
	delete(responses, "/apis/policy/v1/poddisruptionbudgets")
	if got := runRehearse(t, "--server="+server.url); !strings.Contains(got.out, "Incomplete: which drains would be blocked is not known") || codeOf(got.err) != 1 {
		t.Errorf("without PodDisruptionBudgets: %v\n%s", got.err, got.out)
	}
}

// TestStatusUntil shows how far an update in progress will be.
func TestStatusUntil(t *testing.T) {
	got := run(t, "", "-f", updateStatusFile, "--now=2025-03-01T12:00:00Z", "--until=1h")
	if got.err != nil || !strings.HasSuffix(got.out, "\nBy 13:00       the whole update may or may not be complete (UTC)\n") {
		t.Errorf("got %v\n%s", got.err, got.out)
	}
	if got := run(t, "", "-f", updateStatusFile, "--now=2025-03-01T12:00:00Z", "--until=1h", "-o", "jsonpath={.until.at} {.kind}"); got.out != "2025-03-01T13:00:00Z UpdateStatus" {
		t.Errorf("got %v: %s", got.err, got.out)
	}
	dir := writeMustGather(t, rehearsedObjects())
	for want, args := range map[string][]string{
		"no update is in progress: ": {"--must-gather", dir, "--until=1h"},
		"invalid --until ":           {"-f", updateStatusFile, "--now=2025-03-01T12:00:00Z", "--until=2025-03-01T11:00:00Z"},
		"--until can't be used with": {"--until=1h", "--history"},
	} {
		if got := run(t, "", args...); got.err == nil || !strings.HasPrefix(got.err.Error(), want) || got.out != "" {
			t.Errorf("%v: got %v\n%s", args, got.err, got.out)
		}
	}
}

// TestTellPauses checks when a watch says that a pool has to be paused: ten minutes before, once for each pool.
func TestTellPauses(t *testing.T) {
	started := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	playing := played.New(simulator.Update{Start: started, Pools: []simulator.Pool{{Name: "master", Nodes: 3}, {Name: "worker", Nodes: 20}}})
	streams, _, out, _ := genericiooptions.NewTestIOStreams()
	end := started.Add(2 * time.Hour)
	v := &view{Options: newOptions(nil, streams), window: window{at: end, told: map[string]bool{}}}
	var told time.Time
	for now, more := playing.Next(); more && now.Before(end); now, more = playing.Next() {
		if v.observed != nil && !playing.NodeChanged() {
			continue
		}
		us := &updatev1alpha1.UpdateStatus{Status: *playing.Status(now)}
		v.observed = observed(us, now)
		if err := v.tellPauses(now); err != nil {
			t.Fatal(err)
		}
		if told.IsZero() && out.Len() > 0 {
			told = now
		}
	}
	line := strings.TrimSuffix(out.String(), "\n")
	if strings.Contains(line, "\n") || !strings.Contains(line, "  Pause pool worker by ") || !strings.HasSuffix(line, " UTC: oc patch machineconfigpool/worker --type=merge -p '{\"spec\":{\"paused\":true}}'") {
		t.Errorf("at %s it says\n%s", told, out)
	}
	if before := end.Sub(told); before > 90*time.Minute || before < 5*time.Minute {
		t.Errorf("it says so %s before the end of the window", before)
	}
}
