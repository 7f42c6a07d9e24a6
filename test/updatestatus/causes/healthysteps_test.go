package causes

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// This file has what administrators and others do during a healthy update.

// step is what an administrator does at a moment after the start, or once the control plane runs a version.
type step struct {
	at      time.Duration
	reached string
	do      func(*simulator.Simulation)
}

func (s step) isDue(in standalone.Input, after time.Duration) bool {
	newest := in.ClusterVersion.Status.History[0]
	return after >= s.at && (s.reached == "" || newest.Version == s.reached && newest.State == configv1.CompletedUpdate)
}

func asks(version string) func(*simulator.Simulation) {
	return func(s *simulator.Simulation) { s.Request(version) }
}

// windowsNodes are updated by the Windows Machine Config Operator, which has neither pools nor annotations of the other one
// (openshift/windows-machine-config-operator, pkg/metadata/metadata.go), one at a time, and cordons and drains each.
func windowsNodes(in *standalone.Input, now time.Time) {
	began := start.Add(40 * time.Minute)
	for at := range 2 {
		node := builders.Node("windows-"+string(rune('a'+at)), builders.Role("worker"), builders.NodeLabel(corev1.LabelOSStable, "windows"),
			builders.Annotation("windowsmachineconfig.openshift.io/version", "10.20.1-6c6df4c"))
		node.CreationTimestamp = metav1.NewTime(start.Add(-24 * time.Hour))
		delete(node.Annotations, builders.AnnotationState)
		from := began.Add(time.Duration(at) * 15 * time.Minute)
		if !now.Before(from) && now.Before(from.Add(12*time.Minute)) {
			builders.CordonedSince(from)(node)
		}
		if down := from.Add(5 * time.Minute); !now.Before(down) && now.Before(down.Add(4*time.Minute)) {
			builders.NotReady(down)(node)
		}
		in.Nodes = append(in.Nodes, node)
	}
}

// capabilityEnabled adds an operator of the payload ten minutes after the start: openshift/cluster-version-operator, pkg/cvo/sync_worker.go (apply),
// creates it with neither versions nor conditions, and the operator reports both some minutes later.
func capabilityEnabled(in *standalone.Input, now time.Time) {
	const name = "openshift-samples"
	at := slices.IndexFunc(in.ClusterOperators, func(operator *configv1.ClusterOperator) bool { return operator.Name == name })
	enabled := start.Add(10 * time.Minute)
	in.ClusterOperators[at].CreationTimestamp = metav1.NewTime(enabled)
	switch age := now.Sub(enabled); {
	case age < 0:
		in.ClusterOperators = slices.Delete(in.ClusterOperators, at, at+1)
	case age < 2*time.Minute:
		in.ClusterOperators[at].Status = configv1.ClusterOperatorStatus{}
	case age < 5*time.Minute:
		in.ClusterOperators[at].Status.Versions = nil
		builders.Progressing(enabled.Add(2*time.Minute), "Deploying", "deployment is updating")(in.ClusterOperators[at])
	}
	if !now.Before(enabled) {
		in.ClusterVersion.Status.Capabilities.EnabledCapabilities = []configv1.ClusterVersionCapability{"openshift-samples"}
	}
}
