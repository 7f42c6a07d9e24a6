package hosted_test

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/hosted"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

const (
	versionA, versionB = "4.22.3", "4.22.4"
	imageA, imageB     = "quay.io/example/release@sha256:33", "quay.io/example/release@sha256:44"
)

var images = map[string]string{versionA: imageA, versionB: imageB}

// hostedWorld is a hosted cluster. It begins complete at version A, with two nodes of one pool.
type hostedWorld struct {
	hosted.Input

	now time.Time
	hc  *hypershiftv1beta1.HostedCluster
	np  *hypershiftv1beta1.NodePool
}

func newHostedWorld(pool, upgradeType string) *hostedWorld {
	w := &hostedWorld{now: start}
	w.hc = &hypershiftv1beta1.HostedCluster{ObjectMeta: metav1.ObjectMeta{Namespace: "clusters", Name: "demo"}}
	w.hc.Spec.Release.Image = imageA
	w.hc.Status.Version, w.hc.Status.ControlPlaneVersion = completedVersion(), completedVersion()
	w.condition(&w.hc.Status.Conditions, "Progressing", "False", "AsExpected", "")
	w.condition(&w.hc.Status.Conditions, "ClusterVersionSucceeding", "True", "FromClusterVersion", "")
	w.HostedCluster = w.hc
	for _, name := range []string{"control-plane-operator", "etcd", "kube-apiserver", "cluster-version-operator", "dns-operator"} {
		w.Components = append(w.Components, &hypershiftv1beta1.ControlPlaneComponent{ObjectMeta: metav1.ObjectMeta{Namespace: "clusters-demo", Name: name}})
		w.rolledOut(name, versionA)
		w.condition(&w.component(name).Status.Conditions, "Available", "True", "AsExpected", "")
	}
	for _, name := range []string{"kube-apiserver", "network"} {
		w.ClusterOperators = append(w.ClusterOperators, builders.ClusterOperator(name, builders.Healthy(installed), builders.OperatorVersion(versionA)))
	}
	replicas := int32(2)
	w.np = &hypershiftv1beta1.NodePool{ObjectMeta: metav1.ObjectMeta{Namespace: "clusters", Name: pool}}
	w.np.Spec = hypershiftv1beta1.NodePoolSpec{
		ClusterName: "demo", Release: hypershiftv1beta1.Release{Image: imageA}, Replicas: &replicas,
		Management: hypershiftv1beta1.NodePoolManagement{UpgradeType: upgradeType},
	}
	w.np.Status.Version = versionA
	w.NodePools = []*hypershiftv1beta1.NodePool{w.np}
	group := clusterapiv1beta1.MachineGroupSpec{Replicas: &replicas}
	group.Template.Spec.Version = ptr(versionA)
	if upgradeType == "InPlace" {
		w.MachineSets = []*clusterapiv1beta1.MachineSet{{ObjectMeta: metav1.ObjectMeta{Name: pool, Annotations: map[string]string{}}, Spec: group}}
	} else {
		w.MachineDeployments = []*clusterapiv1beta1.MachineDeployment{{ObjectMeta: metav1.ObjectMeta{Name: pool}, Spec: group}}
	}
	for _, name := range []string{"a", "b"} {
		w.addMachine(name, versionA)
		w.joins(name)
		w.labels(name)
	}
	return w
}

func completedVersion() *hypershiftv1beta1.VersionStatus {
	return &hypershiftv1beta1.VersionStatus{
		Desired: hypershiftv1beta1.DesiredRelease{Version: versionA, Image: imageA},
		History: []configv1.UpdateHistory{{
			State: configv1.CompletedUpdate, StartedTime: metav1.NewTime(installed), CompletionTime: ptrTime(installed.Add(time.Minute)),
			Version: versionA, Image: imageA,
		}},
	}
}

// begins puts a new update at the head of a history.
func (w *hostedWorld) begins(track *hypershiftv1beta1.VersionStatus, version string) {
	if newest := &track.History[0]; newest.CompletionTime == nil {
		newest.CompletionTime = ptrTime(w.now)
	}
	track.Desired = hypershiftv1beta1.DesiredRelease{Version: version, Image: images[version]}
	track.History = append([]configv1.UpdateHistory{{
		State: configv1.PartialUpdate, StartedTime: metav1.NewTime(w.now), Version: version, Image: images[version],
	}}, track.History...)
}

func (w *hostedWorld) completes(track *hypershiftv1beta1.VersionStatus) {
	track.History[0].State, track.History[0].CompletionTime = configv1.CompletedUpdate, ptrTime(w.now)
}

func (w *hostedWorld) condition(conditions *[]metav1.Condition, kind string, status metav1.ConditionStatus, reason, message string) {
	meta.SetStatusCondition(conditions, metav1.Condition{
		Type: kind, Status: status, Reason: reason, Message: message, LastTransitionTime: metav1.NewTime(w.now),
	})
}

func (w *hostedWorld) component(name string) *hypershiftv1beta1.ControlPlaneComponent {
	at := slices.IndexFunc(w.Components, func(one *hypershiftv1beta1.ControlPlaneComponent) bool { return one.Name == name })
	return w.Components[at]
}

func (w *hostedWorld) rollsOut(name, reason string) {
	w.condition(&w.component(name).Status.Conditions, "RolloutComplete", "False", reason, "rolling out")
}

func (w *hostedWorld) rolledOut(name, version string) {
	w.component(name).Status.Version = version
	w.condition(&w.component(name).Status.Conditions, "RolloutComplete", "True", "AsExpected", "")
}

func (w *hostedWorld) operatorUpdated(name string) {
	at := slices.IndexFunc(w.ClusterOperators, func(one *configv1.ClusterOperator) bool { return one.Name == name })
	w.ClusterOperators[at] = builders.ClusterOperator(name, builders.Healthy(w.now), builders.OperatorVersion(versionB))
}

func (w *hostedWorld) addMachine(name, version string) {
	machine := &clusterapiv1beta1.Machine{ObjectMeta: metav1.ObjectMeta{
		Namespace: "clusters-demo", Name: "m-" + name, Annotations: map[string]string{hosted.PoolKey: "clusters/" + w.np.Name},
	}}
	machine.Spec.Version, machine.Status.Phase = ptr(version), "Provisioning"
	w.Machines = append(w.Machines, machine)
}

func (w *hostedWorld) machine(name string) *clusterapiv1beta1.Machine {
	return w.Machines[slices.IndexFunc(w.Machines, func(one *clusterapiv1beta1.Machine) bool { return one.Name == "m-"+name })]
}

// machineIs sets a condition of a Machine.
func (w *hostedWorld) machineIs(name, kind string, status metav1.ConditionStatus, reason, message string) {
	w.condition(&w.machine(name).Status.Conditions, kind, status, reason, message)
}

// joins adds a node that is not ready.
func (w *hostedWorld) joins(name string) {
	w.Nodes = append(w.Nodes, builders.Node(name, func(node *corev1.Node) { node.Labels = map[string]string{} }))
	w.ready(name, corev1.ConditionFalse)
	w.machine(name).Status.NodeRef, w.machine(name).Status.Phase = &clusterapiv1beta1.NodeRef{Name: name}, "Running"
}

// unmanaged adds a node of no pool, made some minutes after the start.
func (w *hostedWorld) unmanaged(name string, minutes int) {
	w.Nodes = append(w.Nodes, builders.Node(name, func(node *corev1.Node) {
		node.Labels, node.CreationTimestamp = nil, metav1.NewTime(start.Add(time.Duration(minutes)*time.Minute))
	}))
}

func (w *hostedWorld) node(name string) *corev1.Node {
	return w.Nodes[slices.IndexFunc(w.Nodes, func(one *corev1.Node) bool { return one.Name == name })]
}

// labels gives a node the label of its pool, with which it is ready.
func (w *hostedWorld) labels(name string) {
	w.node(name).Labels[hosted.PoolKey] = w.np.Name
	w.ready(name, corev1.ConditionTrue)
}

func (w *hostedWorld) ready(name string, status corev1.ConditionStatus) {
	conditions := w.node(name).Status.Conditions
	conditions[0].Status, conditions[0].LastTransitionTime = status, metav1.NewTime(w.now)
}

func (w *hostedWorld) annotate(name string, pairs ...string) {
	for at := 0; at < len(pairs); at += 2 {
		w.node(name).Annotations["machineconfiguration.openshift.io/"+pairs[at]] = pairs[at+1]
	}
}

func (w *hostedWorld) cordon(name string) {
	node := w.node(name)
	node.Spec.Unschedulable = true
	node.Spec.Taints = []corev1.Taint{{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule, TimeAdded: ptrTime(w.now)}}
}

func (w *hostedWorld) uncordon(name string) {
	node := w.node(name)
	node.Spec.Unschedulable, node.Spec.Taints = false, nil
}

// leaves deletes a Machine, which is drained.
func (w *hostedWorld) leaves(name string) {
	w.machine(name).DeletionTimestamp, w.machine(name).Status.Phase = ptrTime(w.now), "Deleting"
	w.condition(&w.machine(name).Status.Conditions, "DrainingSucceeded", "False", "Draining", "Drain not completed yet: pod shop/cart-0")
	w.cordon(name)
}

func (w *hostedWorld) nodeGone(name string) {
	w.Nodes = slices.DeleteFunc(w.Nodes, func(one *corev1.Node) bool { return one.Name == name })
}

func (w *hostedWorld) isGone(name string) {
	w.nodeGone(name)
	w.Machines = slices.DeleteFunc(w.Machines, func(one *clusterapiv1beta1.Machine) bool { return one.Name == "m-"+name })
}

// poolAsks is the first write of the update of the pool.
func (w *hostedWorld) poolAsks(version string) {
	w.np.Spec.Release.Image = images[version]
	w.condition(&w.np.Status.Conditions, "UpdatingVersion", "True", "AsExpected", "Updating version in progress. Target version: "+version)
}

func (w *hostedWorld) poolDone() {
	w.condition(&w.np.Status.Conditions, "UpdatingVersion", "False", "AsExpected", "")
}

// group returns what new Machines are made from.
func (w *hostedWorld) group() *clusterapiv1beta1.MachineGroupSpec {
	if len(w.MachineSets) > 0 {
		return &w.MachineSets[0].Spec
	}
	return &w.MachineDeployments[0].Spec
}

// words joins what is not empty.
func words(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " ")
}
