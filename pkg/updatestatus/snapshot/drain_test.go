package snapshot

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// Objects of a cluster that is updating, in which the drain of node a is blocked.
const (
	drainingCluster = `apiVersion: v1
kind: List
items:
- apiVersion: config.openshift.io/v1
  kind: ClusterVersion
  metadata: {name: version}
  status:
    history:
    - {version: 4.20.1, state: Partial, startedTime: "2025-03-01T10:00:00Z"}
    versionHash: a
- apiVersion: machineconfiguration.openshift.io/v1
  kind: MachineConfigPool
  metadata: {name: worker}
  spec:
    configuration: {name: new}
    nodeSelector: {matchLabels: {node-role.kubernetes.io/worker: ""}}
  status: {observedGeneration: 1}
- apiVersion: machineconfiguration.openshift.io/v1
  kind: MachineConfig
  metadata: {name: old, annotations: {machineconfiguration.openshift.io/release-image-version: 4.20.0}}
- apiVersion: machineconfiguration.openshift.io/v1
  kind: MachineConfig
  metadata: {name: new, annotations: {machineconfiguration.openshift.io/release-image-version: 4.20.1}}
- apiVersion: v1
  kind: Node
  metadata:
    name: a
    labels: {node-role.kubernetes.io/worker: ""}
    annotations:
      machineconfiguration.openshift.io/currentConfig: old
      machineconfiguration.openshift.io/desiredConfig: new
      machineconfiguration.openshift.io/state: Working
      machineconfiguration.openshift.io/desiredDrain: drain-new
      machineconfiguration.openshift.io/lastAppliedDrain: uncordon-old
  spec:
    unschedulable: true
    taints:
    - {key: node.kubernetes.io/unschedulable, effect: NoSchedule, timeAdded: "2025-03-01T10:30:00Z"}
  status:
    conditions: [{type: Ready, status: "True"}]
`
	podOfNode = `{"apiVersion": "v1", "kind": "PodList", "items": [{
  "metadata": {"name": "db-0", "namespace": "shop", "labels": {"app": "db"}},
  "spec": {"nodeName": "a", "containers": [{"name": "main", "env": [{"name": "PASSWORD", "value": "secret"}]}]},
  "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
}]}
`
	budget = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: db, namespace: shop}
spec:
  maxUnavailable: 0
  selector: {matchLabels: {app: db}}
status: {disruptionsAllowed: 0, desiredHealthy: 1, currentHealthy: 1, expectedPods: 1}
`
	machineConfigNode = `apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfigNode
metadata: {name: a}
spec: {node: {name: a}, pool: {name: worker}, configVersion: {desired: new}}
status:
  conditions:
  - {type: Cordoned, status: "True", reason: UpdateExecutedCordoned, message: Cordoned node., lastTransitionTime: "2025-03-01T10:29:00Z"}
  - {type: Drained, status: Unknown, reason: UpdateExecutedDrained, message: "Error: Node Drain has not succeeded. Error is: db-0", lastTransitionTime: "2025-03-01T10:44:00Z"}
`
)

// TestDrains checks that the health insight about a drain uses the pods, or without them the MachineConfigNode or the node.
func TestDrains(t *testing.T) {
	now := time.Date(2025, time.March, 1, 10, 45, 0, 0, time.UTC)
	for _, test := range []struct {
		name        string
		files       map[string]string
		summary     string
		description string
		since       string
	}{
		{
			name:        "node only",
			files:       map[string]string{"cluster.yaml": drainingCluster},
			summary:     "Node a is taking long to drain",
			description: "The pods that block the drain are unknown: none that a drain waits for was collected.",
			since:       "10:30:00",
		},
		{
			name:        "MachineConfigNode",
			files:       map[string]string{"cluster.yaml": drainingCluster, "mcn.yaml": machineConfigNode},
			summary:     "Node a is taking long to drain",
			description: "The Machine Config Operator reports: Error: Node Drain has not succeeded. Error is: db-0",
			since:       "10:29:00",
		},
		{
			name:        "pods and budgets",
			files:       map[string]string{"cluster.yaml": drainingCluster, "pods.json": podOfNode, "pdb.yaml": budget},
			summary:     "Node a does not drain: a PodDisruptionBudget never allows a disruption",
			description: "Pod shop/db-0 without a controller: PodDisruptionBudget db allows 0",
			since:       "10:30:00",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := load(t, write(t, test.files))
			if len(s.Problems) > 0 {
				t.Errorf("problems: %v", s.Problems)
			}
			for _, pod := range s.Pods {
				if len(pod.Spec.Containers) > 0 || pod.Status.Phase != corev1.PodRunning {
					t.Errorf("the pod is not trimmed: %v", pod)
				}
			}
			var health []string
			for _, informer := range s.Assess(now).Status.WorkerPools[0].Informers {
				for _, one := range informer.Insights {
					if one.Health != nil {
						health = append(health, one.Health.StartedAt.UTC().Format(time.TimeOnly), one.Health.Impact.Summary, one.Health.Impact.Description)
					}
				}
			}
			if len(health) != 3 || health[0] != test.since || health[1] != test.summary || !strings.Contains(health[2], test.description) {
				t.Errorf("health insights: %q", health)
			}
		})
	}
}

// TestAlertOfBlockedDrain checks that the alert about a PodDisruptionBudget is a consequence if an insight explains the drain that the
// budget blocks.
func TestAlertOfBlockedDrain(t *testing.T) {
	const alert = `{"status": "success", "data": {"alerts": [{"state": "firing", "activeAt": "2025-03-01T09:00:00Z",
		"labels": {"alertname": "PodDisruptionBudgetAtLimit", "severity": "warning", "namespace": "shop", "poddisruptionbudget": "db"}}]}}`
	now := time.Date(2025, time.March, 1, 10, 45, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		pods    string
		isCause bool
	}{
		"explained":     {pods: podOfNode},
		"not explained": {pods: `{"apiVersion": "v1", "kind": "PodList", "items": []}`, isCause: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := load(t, write(t, map[string]string{
				"cluster.yaml": drainingCluster, "pods.json": test.pods, "pdb.yaml": budget, "alerts.json": alert,
			}))
			var alerts []updatev1alpha1.Insight
			for _, informer := range s.Assess(now).Status.ControlPlane.Informers {
				for _, one := range informer.Insights {
					if one.Health != nil && strings.Contains(one.Health.Impact.Summary, "PodDisruptionBudgetAtLimit") {
						alerts = append(alerts, one)
					}
				}
			}
			if len(alerts) != 1 || (len(alerts[0].Health.CausedBy) == 0) != test.isCause {
				t.Errorf("the alert: %v", alerts)
			}
		})
	}
}
