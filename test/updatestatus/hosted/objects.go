package hosted

import (
	"crypto/sha256"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
)

// imageOf returns the image of a release by its digest.
func imageOf(version string) string {
	return fmt.Sprintf("quay.io/example/release@sha256:%x", sha256.Sum256([]byte(version)))
}

func typeOf(group, kind string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: group + "/v1beta1", Kind: kind}
}

// imageOf returns the image of a release as it is asked for. The components report it so, the payload by its digest.
func (r *recorder) imageOf(version string) string {
	if r.script.ByTag {
		return "quay.io/example/release:" + version + "-x86_64"
	}
	return imageOf(version)
}

// newHostedCluster returns a hosted cluster that is complete.
func newHostedCluster(r *recorder) *hypershiftv1beta1.HostedCluster {
	cluster := &hypershiftv1beta1.HostedCluster{
		TypeMeta: typeOf(hypershiftv1beta1.GroupName, "HostedCluster"), ObjectMeta: metav1.ObjectMeta{Namespace: Namespace, Name: Name},
	}
	cluster.Spec.Release.Image = r.imageOf(r.script.From)
	cluster.Status.Version = installed(r, imageOf(r.script.From))
	if isSince(r.script.From, hasHistory) {
		cluster.Status.ControlPlaneVersion = installed(r, r.imageOf(r.script.From))
	}
	// The texts are of openshift/hypershift: hypershift-operator/controllers/hostedcluster/hostedcluster_controller.go (reconcile).
	for _, condition := range []struct {
		kind            string
		status          metav1.ConditionStatus
		reason, message string
	}{
		{"Available", metav1.ConditionTrue, "AsExpected", "The hosted control plane is available"},
		{"Progressing", metav1.ConditionFalse, "AsExpected", "HostedCluster is at expected version"},
		{"ReconciliationActive", metav1.ConditionTrue, "ReconciliationActive", "Reconciliation active on resource"},
		{"ReconciliationSucceeded", metav1.ConditionTrue, "ReconciliatonSucceeded", "Reconciliation completed successfully"},
		{"ValidConfiguration", metav1.ConditionTrue, "AsExpected", "Configuration passes validation"},
		{"SupportedHostedCluster", metav1.ConditionTrue, "AsExpected", "HostedCluster is supported by operator configuration"},
		{"ValidReleaseImage", metav1.ConditionTrue, "AsExpected", "Release image is valid"},
		{"PlatformCredentialsFound", metav1.ConditionTrue, "AsExpected", "Required platform credentials are found"},
		{"EtcdAvailable", metav1.ConditionTrue, "QuorumAvailable", ""},
		{"KubeAPIServerAvailable", metav1.ConditionTrue, "AsExpected", ""},
		{"ClusterVersionSucceeding", metav1.ConditionTrue, "FromClusterVersion", ""},
		{"ClusterVersionAvailable", metav1.ConditionTrue, "FromClusterVersion", ""},
		{"ClusterVersionUpgradeable", metav1.ConditionTrue, "FromClusterVersion", ""},
		{"ClusterVersionProgressing", metav1.ConditionFalse, "FromClusterVersion", ""},
	} {
		r.set(&cluster.Status.Conditions, condition.kind, condition.status, condition.reason, condition.message)
	}
	return cluster
}

// installed returns the version of a cluster that was installed.
func installed(r *recorder, image string) *hypershiftv1beta1.VersionStatus {
	end := metav1.NewTime(r.time().Add(20 * time.Minute))
	return &hypershiftv1beta1.VersionStatus{
		Desired: hypershiftv1beta1.DesiredRelease{Version: r.script.From, Image: image},
		History: []configv1.UpdateHistory{{
			State: configv1.CompletedUpdate, StartedTime: r.time(), CompletionTime: &end, Version: r.script.From, Image: image,
		}},
	}
}

func newComponent(name string) *hypershiftv1beta1.ControlPlaneComponent {
	return &hypershiftv1beta1.ControlPlaneComponent{
		TypeMeta: typeOf(hypershiftv1beta1.GroupName, "ControlPlaneComponent"), ObjectMeta: metav1.ObjectMeta{Namespace: ControlPlaneNamespace, Name: name},
	}
}

// finalizer keeps a Machine until its node is gone.
const finalizer = "machine.cluster.x-k8s.io"

func newMachine(name, pool, version string) *clusterapiv1beta1.Machine {
	machine := &clusterapiv1beta1.Machine{
		TypeMeta: typeOf(clusterapiv1beta1.GroupName, "Machine"),
		ObjectMeta: metav1.ObjectMeta{
			Namespace: ControlPlaneNamespace, Name: name, Finalizers: []string{finalizer}, Annotations: map[string]string{poolKey: Namespace + "/" + pool},
		},
	}
	machine.Spec.Version = &version
	return machine
}
