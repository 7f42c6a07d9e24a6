package snapshot

import (
	"maps"
	"strings"
	"testing"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// Objects of a cluster whose operator network has been degraded during an update.
const (
	degradedCluster = `apiVersion: v1
kind: List
items:
- apiVersion: config.openshift.io/v1
  kind: ClusterVersion
  metadata: {name: version}
  status:
    desired: {version: 4.20.1}
    history:
    - {version: 4.20.1, state: Partial, startedTime: "2025-03-01T10:00:00Z"}
    versionHash: a
    conditions: [{type: Progressing, status: "True", lastTransitionTime: "2025-03-01T10:00:00Z"}]
- apiVersion: config.openshift.io/v1
  kind: ClusterOperator
  metadata: {name: network, annotations: {include.release.openshift.io/self-managed-high-availability: "true"}}
  status:
    versions: [{name: operator, version: 4.20.0}]
    relatedObjects:
    - {group: "", resource: namespaces, name: openshift-multus}
    - {group: "", resource: namespaces, name: openshift-ovn-kubernetes}
    conditions:
    - {type: Available, status: "True", lastTransitionTime: "2025-03-01T09:00:00Z"}
    - {type: Degraded, status: "True", lastTransitionTime: "2025-03-01T10:30:00Z", reason: RolloutHung, message: 'DaemonSet "/openshift-ovn-kubernetes/ovnkube-node" rollout is not making progress'}
- apiVersion: v1
  kind: Node
  metadata: {name: a}
  status:
    conditions: [{type: Ready, status: "True"}]
`
	crashingPod = `metadata: {name: ovnkube-node-x, namespace: openshift-ovn-kubernetes}
spec: {nodeName: a, containers: [{name: ovnkube-controller, env: [{name: TOKEN, value: secret}]}]}
status:
  phase: Running
  conditions: [{type: Ready, status: "False", lastTransitionTime: "2025-03-01T10:20:00Z"}]
  containerStatuses:
  - name: ovnkube-controller
    restartCount: 9
    state: {waiting: {reason: CrashLoopBackOff, message: back-off 5m0s restarting failed container}}
    lastState: {terminated: {exitCode: 1, reason: Error, message: "no\nroute", startedAt: "2025-03-01T10:39:00Z", finishedAt: "2025-03-01T10:40:00Z"}}
`
)

// TestPodsOfOperator: must-gathers have the pods of a namespace in a list, and each in a file.
func TestPodsOfOperator(t *testing.T) {
	now := time.Date(2025, time.March, 1, 10, 45, 0, 0, time.UTC)
	item := "- " + strings.ReplaceAll(strings.TrimSuffix(crashingPod, "\n"), "\n", "\n  ") + "\n"
	const (
		describe = "oc describe pod -n openshift-ovn-kubernetes ovnkube-node-x"
		logs     = "oc logs -n openshift-ovn-kubernetes ovnkube-node-x -c ovnkube-controller --previous"
		crashes  = `Cluster Operator network is degraded (RolloutHung): DaemonSet "/openshift-ovn-kubernetes/ovnkube-node" rollout is not making progress; ` +
			"pod ovnkube-node-x on a is CrashLoopBackOff"
		silent = `Cluster Operator network is degraded (RolloutHung): DaemonSet "/openshift-ovn-kubernetes/ovnkube-node" rollout is not making progress`
	)
	for _, test := range []struct {
		name              string
		files             map[string]string
		summary, pod      string
		first, descriptor string
		second            string
	}{
		{
			name:    "a list",
			files:   map[string]string{"namespaces/openshift-ovn-kubernetes/core/pods.yaml": "apiVersion: v1\nkind: PodList\nitems:\n" + item},
			summary: crashes, pod: "ovnkube-node-x", first: describe, second: logs,
			descriptor: "Pod openshift-ovn-kubernetes/ovnkube-node-x, container ovnkube-controller: CrashLoopBackOff. It last ended with exit code 1 (Error): no route.",
		},
		{
			name: "a file",
			files: map[string]string{
				"namespaces/openshift-ovn-kubernetes/pods/ovnkube-node-x/ovnkube-node-x.yaml": "apiVersion: v1\nkind: Pod\n" + crashingPod,
			},
			summary: crashes, pod: "ovnkube-node-x", first: describe, second: logs,
		},
		{
			name:    "of a node that is not ready",
			summary: silent, first: "oc describe clusteroperator network", second: "oc adm inspect clusteroperator/network",
			files: map[string]string{
				"namespaces/openshift-ovn-kubernetes/pods/ovnkube-node-x/ovnkube-node-x.yaml": "apiVersion: v1\nkind: Pod\n" + crashingPod,
				"node.yaml": "apiVersion: v1\nkind: Node\nmetadata: {name: a, labels: {node-role.kubernetes.io/worker: \"\"}}\n" +
					"status: {conditions: [{type: Ready, status: \"False\", lastTransitionTime: \"2025-03-01T10:44:00Z\"}]}\n" + workerPool,
			},
		},
		{name: "no pods", summary: silent, first: "oc describe clusteroperator network", second: "oc get pods -n openshift-ovn-kubernetes -o wide"},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{"cluster.yaml": degradedCluster}
			maps.Copy(files, test.files)
			if test.files["node.yaml"] != "" {
				files["cluster.yaml"], _, _ = strings.Cut(degradedCluster, "- apiVersion: v1\n")
			}
			health := healthOf(t, load(t, write(t, files)).Assess(now))
			if health.Impact.Summary != test.summary || !strings.Contains(health.Impact.Description, test.descriptor) {
				t.Errorf("got %q: %q", health.Impact.Summary, health.Impact.Description)
			}
			for at, want := range []string{test.first, test.second} {
				if got := strings.Join(health.Remediation.Commands[at].Argv, " "); got != want {
					t.Errorf("step %d: %s, want %s", at+1, got, want)
				}
			}
			pod := ""
			if health.Pod != nil {
				pod = health.Pod.Name
				if blocker := health.Scope.Resources[1]; blocker.Resource != "pods" || blocker.Role != updatev1alpha1.RoleBlocker || blocker.Name != pod {
					t.Errorf("resource %v", blocker)
				}
				if since := health.Pod.Since; since == nil || now.Sub(since.Time) != 25*time.Minute {
					t.Errorf("since %v", since)
				}
			}
			if pod != test.pod {
				t.Errorf("pod %q", pod)
			}
		})
	}
}

// workerPool are a pool and its configuration, without which nodes have no insights.
const workerPool = `---
apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfigPool
metadata: {name: worker}
spec:
  configuration: {name: new}
  nodeSelector: {matchLabels: {node-role.kubernetes.io/worker: ""}}
status: {observedGeneration: 1}
`

// healthOf returns the only health insight about a cluster operator.
func healthOf(t *testing.T, us *updatev1alpha1.UpdateStatus) *updatev1alpha1.HealthInsight {
	t.Helper()
	var found []*updatev1alpha1.HealthInsight
	for _, informer := range us.Status.ControlPlane.Informers {
		for _, one := range informer.Insights {
			if one.Health != nil && one.Health.Scope.Resources[0].Resource == "clusteroperators" {
				found = append(found, one.Health)
			}
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d health insights about operators", len(found))
	}
	return found[0]
}
