package hosted

import (
	"cmp"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// firstComponents are rolled out one after the other, and lastComponents in groups after them.
var (
	firstComponents = []string{"control-plane-operator", "etcd", "kube-apiserver", "openshift-apiserver", "cluster-version-operator"}
	lastComponents  = []string{
		"kube-controller-manager", "kube-scheduler", "openshift-controller-manager", "openshift-oauth-apiserver", "oauth-openshift",
		"cluster-network-operator", "dns-operator", "ingress-operator", "hosted-cluster-config-operator", "ignition-server",
		"konnectivity-agent", "machine-approver", "cluster-api", "capi-provider", "cluster-autoscaler", "catalog-operator",
		"olm-operator", "packageserver", "cluster-image-registry-operator", "cluster-storage-operator", "csi-snapshot-controller-operator",
		"cluster-node-tuning-operator", "cluster-policy-controller",
	}
	// ofHyperShift are those that HyperShift's own operator reports, of whichever release (hypershift-operator/controllers/hostedcluster).
	ofHyperShift = []string{"control-plane-operator", "cluster-api", "capi-provider"}
	// syntheticOperators have the new version as soon as it is known.
	syntheticOperators = []string{
		"kube-apiserver", "kube-controller-manager", "kube-scheduler", "openshift-apiserver", "openshift-controller-manager",
		"operator-lifecycle-manager-packageserver",
	}
	operatorNames = []string{
		"network", "dns", "ingress", "console", "csi-snapshot-controller", "storage", "image-registry", "insights", "kube-storage-version-migrator",
		"monitoring", "node-tuning", "openshift-samples", "service-ca",
	}
)

// controlPlane is the control plane of the hosted cluster.
type controlPlane struct {
	cluster    *hypershiftv1beta1.HostedCluster
	components map[string]*hypershiftv1beta1.ControlPlaneComponent
	// paused is whether it is paused when the components are updated.
	paused bool
}

func newControlPlane(r *recorder) *controlPlane {
	r.step = "the hosted cluster is complete"
	cp := &controlPlane{cluster: newHostedCluster(r), components: map[string]*hypershiftv1beta1.ControlPlaneComponent{}}
	r.management(cp.cluster)
	for _, name := range append(firstComponents, lastComponents...) {
		cp.rolledOut(r, name, r.script.From)
	}
	for _, name := range append(syntheticOperators, operatorNames...) {
		r.hosted(builders.ClusterOperator(name, builders.Healthy(r.now), builders.OperatorVersion(r.script.From)))
	}
	return cp
}

// report returns whether a release reports a component, which it then has.
func (cp *controlPlane) report(r *recorder, name, version string) bool {
	if !isSince(version, hasComponents) && !slices.Contains(ofHyperShift, name) {
		return false
	}
	if cp.components[name] == nil {
		cp.components[name] = newComponent(name)
		r.set(&cp.components[name].Status.Conditions, "Available", metav1.ConditionTrue, "AsExpected", workload(name)+" is available")
	}
	return true
}

func (cp *controlPlane) rollsOut(r *recorder, name string) {
	if !cp.report(r, name, r.script.To) {
		return
	}
	r.set(&cp.components[name].Status.Conditions, "RolloutComplete", metav1.ConditionFalse, "WaitingForRolloutComplete",
		"Waiting for "+strings.ToLower(workload(name))+" rollout to finish: 0 out of 3 new replicas have been updated")
	r.management(cp.components[name])
}

// workload is what runs a component, and rolledOutWorkload what it is called when it is rolled out (openshift/hypershift:
// support/controlplane-component/deployment.go and statefulset.go).
func workload(name string) string {
	if name == "etcd" {
		return "StatefulSet etcd"
	}
	return "Deployment " + name
}

func rolledOutWorkload(name string) string {
	if name == "etcd" {
		return "Statefulset etcd"
	}
	return workload(name)
}

// operands are what components deploy that wait for it (support/controlplane-component/status.go, setRolloutCompleteCondition).
var operands = map[string]string{
	"cluster-network-operator": "ovnkube-control-plane", "cluster-storage-operator": "aws-ebs-csi-driver-controller",
	"csi-snapshot-controller-operator": "csi-snapshot-controller",
}

// waitsForOperands is a component that is rolled out, and waits for what it deploys.
func (cp *controlPlane) waitsForOperands(r *recorder, name string) {
	if !cp.report(r, name, r.script.To) {
		return
	}
	r.after(0, "component "+name+" waits for its operands")
	r.set(&cp.components[name].Status.Conditions, "RolloutComplete", metav1.ConditionFalse, "WaitingForOperands", "deployment "+operands[name]+" is not ready")
	r.management(cp.components[name])
}

func (cp *controlPlane) rolledOut(r *recorder, name, version string) {
	if !cp.report(r, name, version) {
		return
	}
	cp.components[name].Status.Version = version
	r.set(&cp.components[name].Status.Conditions, "RolloutComplete", metav1.ConditionTrue, "AsExpected", rolledOutWorkload(name)+" successfully rolled out")
	r.management(cp.components[name])
}

// update plays the update of the control plane. Without nodes the operators of the hosted cluster are not updated, and the payload
// does not complete.
func (cp *controlPlane) update(r *recorder, hasNodes bool) {
	status := &cp.cluster.Status
	r.after(0, "another release is asked for")
	cp.cluster.Spec.Release.Image = r.imageOf(r.script.To)
	r.set(&status.Conditions, "Progressing", metav1.ConditionTrue, "Progressing", "HostedCluster is deploying, upgrading, or reconfiguring")
	r.management(cp.cluster)

	cp.roll(r, firstComponents[0])
	r.after(10*time.Second, "the components are being updated")
	reportsHistory := isSince(r.script.To, hasHistory)
	if reportsHistory {
		status.ControlPlaneVersion = cmp.Or(status.ControlPlaneVersion, &hypershiftv1beta1.VersionStatus{})
		begin(r, status.ControlPlaneVersion, r.imageOf(r.script.To))
	}
	r.management(cp.cluster)
	for _, name := range firstComponents[1:] {
		cp.roll(r, name)
	}

	r.after(20*time.Second, "the payload is being updated")
	begin(r, status.Version, imageOf(r.script.To))
	r.set(&status.Conditions, "Progressing", metav1.ConditionFalse, "AsExpected", "HostedCluster is at expected version")
	r.set(&status.Conditions, "ClusterVersionProgressing", metav1.ConditionTrue, "FromClusterVersion", "Working towards "+r.script.To)
	r.management(cp.cluster)
	for _, name := range syntheticOperators {
		r.hosted(builders.ClusterOperator(name, builders.Healthy(r.now), builders.OperatorVersion(r.script.To)))
	}
	cp.rollLast(r)
	r.after(10*time.Second, "the components are complete")
	if reportsHistory {
		complete(r, status.ControlPlaneVersion)
	}
	r.management(cp.cluster)
	if cp.paused {
		cp.pause(r)
	}
	if !hasNodes {
		r.after(5*time.Minute, "the operators have no nodes")
		r.set(&status.Conditions, "ClusterVersionSucceeding", metav1.ConditionFalse, "ClusterOperatorsNotAvailable", "Cluster operators console, ingress, monitoring are not available")
		r.management(cp.cluster)
		return
	}
	cp.updateOperators(r)
}

// rollLast rolls the last components out, some at a time: first those that deploy nothing.
func (cp *controlPlane) rollLast(r *recorder) {
	for at := 0; at < len(lastComponents); at += 4 {
		group := lastComponents[at:min(at+4, len(lastComponents))]
		r.after(5*time.Second, "components are rolled out")
		for _, name := range group {
			cp.rollsOut(r, name)
		}
		r.after(40*time.Second, "components are rolled out")
		for _, name := range group {
			if operands[name] == "" {
				cp.rolledOut(r, name, r.script.To)
			} else {
				cp.waitsForOperands(r, name)
			}
		}
		r.after(20*time.Second, "components are rolled out")
		for _, name := range group {
			if operands[name] != "" {
				cp.rolledOut(r, name, r.script.To)
			}
		}
	}
}

// updateOperators updates the operators of the hosted cluster, with which the payload is complete.
func (cp *controlPlane) updateOperators(r *recorder) {
	for _, name := range operatorNames {
		updating := builders.ClusterOperator(name, builders.Healthy(r.now), builders.OperatorVersion(r.script.From), builders.Progressing(r.now, "Deploying", "Working towards "+r.script.To))
		r.after(5*time.Second, "operators are updated")
		r.hosted(updating)
		r.after(40*time.Second, "operators are updated")
		r.hosted(builders.ClusterOperator(name, builders.Healthy(r.now), builders.OperatorVersion(r.script.To)))
	}
	r.after(10*time.Second, "the payload is complete")
	complete(r, cp.cluster.Status.Version)
	r.set(&cp.cluster.Status.Conditions, "ClusterVersionProgressing", metav1.ConditionFalse, "FromClusterVersion", "Cluster version is "+r.script.To)
	r.management(cp.cluster)
}

// pause pauses the HostedCluster.
func (cp *controlPlane) pause(r *recorder) {
	r.after(5*time.Second, "the hosted cluster is paused")
	forever := "True"
	cp.cluster.Spec.PausedUntil = &forever
	const why = "Reconciliation paused until field removed"
	r.set(&cp.cluster.Status.Conditions, "ReconciliationActive", metav1.ConditionFalse, "ReconciliationPaused", why)
	r.set(&cp.cluster.Status.Conditions, "Progressing", metav1.ConditionFalse, "Blocked", "ReconciliationActive condition is false: "+why)
	r.management(cp.cluster)
}

// roll rolls a component out.
func (cp *controlPlane) roll(r *recorder, name string) {
	r.after(5*time.Second, "component "+name+" is rolled out")
	cp.rollsOut(r, name)
	r.after(50*time.Second, "component "+name+" is rolled out")
	cp.rolledOut(r, name, r.script.To)
}

// begin puts the update at the head of a history.
func begin(r *recorder, track *hypershiftv1beta1.VersionStatus, image string) {
	track.Desired = hypershiftv1beta1.DesiredRelease{Version: r.script.To, Image: image}
	track.History = append([]configv1.UpdateHistory{{
		State: configv1.PartialUpdate, StartedTime: r.time(), Version: r.script.To, Image: image,
	}}, track.History...)
}

func complete(r *recorder, track *hypershiftv1beta1.VersionStatus) {
	end := r.time()
	track.History[0].State, track.History[0].CompletionTime = configv1.CompletedUpdate, &end
}
