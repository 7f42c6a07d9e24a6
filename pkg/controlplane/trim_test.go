package controlplane

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"pgregory.net/rapid"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/test/builders"
)

// TestRulesReadWhatTrimKeeps assesses random clusters whole and trimmed. Each field of their objects has a value.
func TestRulesReadWhatTrimKeeps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := builders.HostileCluster().Draw(t, "cluster")
		trimmed := in
		if in.ClusterVersion != nil {
			in.ClusterVersion = filledClusterVersion(t, in.ClusterVersion)
			trimmed.ClusterVersion = trimmedCopy(in.ClusterVersion)
		}
		if in.MachineConfigOperator != nil {
			in.MachineConfigOperator = filledDeployment(t, in.MachineConfigOperator)
			trimmed.MachineConfigOperator = trimmedCopy(in.MachineConfigOperator)
		}
		trimmed.ClusterOperators = nil
		for at, operator := range in.ClusterOperators {
			in.ClusterOperators[at] = filledClusterOperator(t, operator)
			trimmed.ClusterOperators = append(trimmed.ClusterOperators, trimmedCopy(in.ClusterOperators[at]))
		}
		const controlPlane = 0
		if diff := cmp.Diff(assess.Cluster(in, builders.Noon)[controlPlane], assess.Cluster(trimmed, builders.Noon)[controlPlane]); diff != "" {
			t.Fatalf("a rule of pkg/assess reads what Trim drops: keep it in trim.go (-whole +trimmed):\n%s", diff)
		}
	})
}

func trimmedCopy[T runtime.Object](object T) T {
	trimmed, err := Trim(object.DeepCopyObject())
	if err != nil {
		panic(err) // it never fails
	}
	return trimmed.(T)
}

// What follows fills each field of an object, but for what a rule understands.

func filledClusterVersion(t *rapid.T, version *configv1.ClusterVersion) *configv1.ClusterVersion {
	filled := &configv1.ClusterVersion{}
	builders.Fill(t, filled)
	filled.Name, filled.Status.History, filled.Status.Conditions = version.Name, version.Status.History, version.Status.Conditions
	filled.Status.Desired.Version, filled.Status.Desired.Image = version.Status.Desired.Version, version.Status.Desired.Image
	filled.Status.Desired.Architecture = version.Status.Desired.Architecture
	return filled
}

func filledClusterOperator(t *rapid.T, operator *configv1.ClusterOperator) *configv1.ClusterOperator {
	filled := &configv1.ClusterOperator{}
	builders.Fill(t, filled)
	filled.Name, filled.Annotations = operator.Name, operator.Annotations
	filled.Status.Conditions, filled.Status.Versions = operator.Status.Conditions, operator.Status.Versions
	return filled
}

func filledDeployment(t *rapid.T, deployment *appsv1.Deployment) *appsv1.Deployment {
	filled := &appsv1.Deployment{}
	builders.Fill(t, filled)
	for at := range filled.Spec.Template.Spec.Containers {
		if at < len(deployment.Spec.Template.Spec.Containers) {
			from := deployment.Spec.Template.Spec.Containers[at]
			filled.Spec.Template.Spec.Containers[at].Name, filled.Spec.Template.Spec.Containers[at].Image = from.Name, from.Image
		}
	}
	return filled
}
