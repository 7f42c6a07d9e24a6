package standalone_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// TestCluster expects a report for every object, and counts of a pool that agree with its nodes.
func TestCluster(t *testing.T) {
	done, old := builders.Configs("rendered-worker-new", "rendered-worker-new"), builders.Configs("rendered-worker-old", "rendered-worker-old")
	in := standalone.Input{
		ClusterVersion:     updating(),
		ClusterOperators:   append(fleet(3, 1), builders.ClusterOperator("theirs", builders.ThirdParty())),
		MachineConfigPools: []*machineconfigv1.MachineConfigPool{builders.MachineConfigPool("master"), pool()},
		Nodes: []*corev1.Node{
			builders.Node("m", builders.Role("master"), old), builders.Node("a", builders.Role("worker"), done),
			builders.Node("b", builders.Role("worker"), old), builders.Node("stray", done),
		},
		MachineConfigs: []*metav1.PartialObjectMetadata{config("rendered-worker-new", target), config("rendered-worker-old", before)},
	}
	messages := standalone.Assess(in, start)
	got := map[string]insight.Part{}
	for _, message := range messages {
		if message.State == nil || !message.State.Complete {
			t.Errorf("%s is not complete", message.Source)
		}
		for _, report := range message.Reports {
			for _, scoped := range report.Insights {
				if scoped.Insight.Health == nil {
					got[scoped.Insight.UID] = scoped.Part
				}
			}
		}
	}
	worker := insight.Part{WorkerPool: "worker"}
	want := map[string]insight.Part{
		"cv-version": {}, "co-operator-00": {}, "co-operator-01": {}, "co-operator-02": {},
		"mcp-master": {}, "node-m": {}, "mcp-worker": worker, "node-a": worker, "node-b": worker,
	}
	if len(got) != len(want) {
		t.Errorf("insights %v, want %v", got, want)
	}
	for uid, part := range want {
		if at, found := got[uid]; !found || at != part {
			t.Errorf("%s: found %t at %v", uid, found, at)
		}
	}
	for _, report := range messages[1].Reports {
		if report.Subject == standalone.MachineConfigPoolSubject("worker") {
			if got := poolLine(report.Insights[0].Insight.MachineConfigPool); got != "Progressing 50% True Progressing | Total 2, Available 2, Progressing 0, Outdated 1, Draining 0, Excluded 0, Degraded 0" {
				t.Errorf("the worker pool: %s", got)
			}
		}
	}
}

func config(name, version string) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
		Name: name, Annotations: map[string]string{standalone.ReleaseVersionAnnotation: version},
	}}
}

func TestClusterWithoutPools(t *testing.T) {
	messages := standalone.Assess(standalone.Input{ClusterVersion: updating(), Nodes: []*corev1.Node{builders.Node("a")}}, start)
	state := messages[1].State
	if !state.Complete || state.Reason != updatev1alpha1.ReasonNoMachineConfigPools || len(messages[1].Reports) != 0 {
		t.Errorf("nodes: %+v %v", state, messages[1].Reports)
	}
}

func TestEmptyCluster(t *testing.T) {
	for _, message := range standalone.Assess(standalone.Input{}, start) {
		for _, report := range message.Reports {
			if len(report.Insights) != 0 {
				t.Errorf("an insight of nothing: %v", report)
			}
		}
	}
}

// TestAlertsOfACluster expects alerts while any part of the cluster is being updated.
func TestAlertsOfACluster(t *testing.T) {
	finished := builders.ClusterVersion(builders.Completed(before, installed, installed.Add(time.Hour)), builders.Completed(target, start, start.Add(time.Hour)),
		progressing("False"))
	cluster := func(in standalone.Input) int {
		in.Alerts = []assess.Alert{{
			Labels: map[string]string{"alertname": "A", "severity": "warning", "namespace": "openshift-etcd"}, State: "firing", ActiveAt: start.Add(2 * time.Hour),
		}}
		in.ClusterOperators = fleet(4, 4)
		messages := standalone.Assess(in, start.Add(3*time.Hour))
		return len(messages[len(messages)-1].Reports)
	}
	worker := builders.Node("a", builders.Role("worker"), builders.Configs("rendered-worker-old", "rendered-worker-old"))
	joined := builders.Node("a", builders.Role("worker"))
	configs := []*metav1.PartialObjectMetadata{config("rendered-worker-old", before)}
	for _, test := range []struct {
		name string
		in   standalone.Input
		want int
	}{
		{name: "the control plane", in: standalone.Input{ClusterVersion: notFailing()}, want: 1},
		{name: "nothing", in: standalone.Input{ClusterVersion: finished}, want: 0},
		{
			name: "a worker pool",
			in:   standalone.Input{ClusterVersion: finished, MachineConfigPools: []*machineconfigv1.MachineConfigPool{pool()}, MachineConfigs: configs, Nodes: []*corev1.Node{worker}},
			want: 1,
		},
		{
			name: "a pool of a node that has just joined",
			in:   standalone.Input{ClusterVersion: finished, MachineConfigPools: []*machineconfigv1.MachineConfigPool{pool()}, MachineConfigs: configs, Nodes: []*corev1.Node{joined}},
			want: 0,
		},
		{name: "not known", in: standalone.Input{}, want: 0},
	} {
		if got := cluster(test.in); got != test.want {
			t.Errorf("%s: %d alerts, want %d", test.name, got, test.want)
		}
	}
}
