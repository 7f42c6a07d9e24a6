package simulator

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

const (
	// Times before the update, and the duration of the update before.
	sinceInstallation = 90 * 24 * time.Hour
	sinceUpdateBefore = 20 * 24 * time.Hour
	installationTook  = 40 * time.Minute
	updateBeforeTook  = 55 * time.Minute

	machineConfigNamespace = "openshift-machine-config-operator"
	thirdPartyOperator     = "acme-backup"
)

// build creates the cluster before the update.
func (s *Simulation) build() {
	s.version = s.buildVersion()
	s.operators = map[string]*configv1.ClusterOperator{}
	for _, plan := range s.payload {
		operator := builders.ClusterOperator(plan.name,
			builders.OperatorVersion(s.update.From), builders.Healthy(s.ago(sinceUpdateBefore)))
		for _, operand := range operandsOf(plan.name) {
			builders.OperandVersion(operand, operandVersion(operand, s.update.From, s.update.From))(operator)
		}
		s.operators[plan.name] = operator
	}
	machineConfig, since := s.operators[machineConfigOperator], s.ago(sinceUpdateBefore)
	settleMachineConfig(machineConfig, s.update.From, s.update.From, since)
	builders.OperatorCondition(builders.Condition(
		configv1.OperatorUpgradeable, configv1.ConditionTrue, since, "AsExpected", ""))(machineConfig)
	s.thirdParty = builders.ClusterOperator(thirdPartyOperator,
		builders.ThirdParty(), builders.OperatorVersion("1.4.0"), builders.Healthy(s.ago(sinceUpdateBefore)))
	s.deployment = deployment(operatorImage(s.update.From))
	for _, script := range s.update.Pools {
		built := s.buildPool(script)
		s.pools = append(s.pools, built)
		if built.isRequired() {
			s.machineConfig.required = append(s.machineConfig.required, built)
		}
	}
	s.machineConfig.node = s.randomMaster()
}

// ago returns a time before the start. It is scaled like everything else, so that the estimate of a fast update, which
// goes by the duration of the update before, is of use too.
func (s *Simulation) ago(before time.Duration) time.Time {
	return s.update.Start.Add(-time.Duration(float64(before) * s.update.Scale))
}

func (s *Simulation) buildVersion() *configv1.ClusterVersion {
	installed := s.ago(sinceInstallation)
	updated := s.ago(sinceUpdateBefore)
	ready := s.ago(sinceInstallation - installationTook)
	done := s.ago(sinceUpdateBefore - updateBeforeTook)
	from := s.update.From
	version := builders.ClusterVersion(
		builders.Completed(installedVersion, installed, ready),
		builders.Completed(from, updated, done),
		versionCondition(configv1.OperatorAvailable, configv1.ConditionTrue, ready, "", "Done applying "+from),
		versionCondition(failing, configv1.ConditionFalse, ready, "", ""),
		versionCondition(configv1.OperatorProgressing, configv1.ConditionFalse, done, "", "Cluster version is "+from),
		versionCondition(configv1.RetrievedUpdates, configv1.ConditionTrue, ready, "", ""),
		versionCondition(releaseAccepted, configv1.ConditionTrue, updated, "PayloadLoaded", payloadLoaded(from, builders.Image(from), "amd64")),
	)
	version.Generation, version.Status.ObservedGeneration = 1, 1
	return version
}

func versionCondition(
	kind configv1.ClusterStatusConditionType, status configv1.ConditionStatus, since time.Time, reason, message string,
) builders.ClusterVersionOption {
	return builders.VersionCondition(builders.Condition(kind, status, since, reason, message))
}

// operatorImage returns the image of the Machine Config Operator in a release.
func operatorImage(version string) string {
	return "quay.example.com/machine-config-operator@sha256:" + builders.Digest(version)
}

func deployment(image string) *appsv1.Deployment {
	labels := map[string]string{"k8s-app": "machine-config-operator"}
	return &appsv1.Deployment{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
		ObjectMeta: metav1.ObjectMeta{Name: "machine-config-operator", Namespace: machineConfigNamespace},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{
					Containers: []corev1.Container{{Name: "machine-config-operator", Image: image}},
				},
			},
		},
	}
}
