package kinds

import (
	"bytes"

	corev1 "k8s.io/api/core/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/podstate"
)

// This file has what the table says of objects in files.

func trimNode(object Object) Object {
	object.(*corev1.Node).Status.Images = nil
	return object
}

// trimPod returns the fields of a pod that explain a drain, and of one that may belong to an operator also those that say how it is.
func trimPod(object Object) Object {
	full := object.(*corev1.Pod)
	trimmed := drain.TrimPod(full)
	if podstate.IsPlatform(full.Namespace) {
		podstate.AddTo(trimmed, full)
	}
	return trimmed
}

func isWholeInformer(object Object, _ []byte) bool {
	informer := object.(*updatev1alpha1.UpdateInformer)
	return len(informer.Status.Insights) == 0 || informer.Status.RenewedAt != nil
}

func isWholeVersion(object Object, _ []byte) bool {
	return object.(*configv1.ClusterVersion).Status.VersionHash != ""
}

func isWholeOperator(object Object, _ []byte) bool {
	operator := object.(*configv1.ClusterOperator)
	return len(operator.Status.Versions) > 0 || !controlplane.InPayload(operator)
}

func isWholeNode(object Object, _ []byte) bool {
	return len(object.(*corev1.Node).Status.Conditions) > 0
}

// isWholePool returns whether the text of a MachineConfigPool is whole. The node controller of the Machine Config Operator sets
// observedGeneration, but not of a pool that is not rendered or that selects all nodes; each of its controllers that writes a status
// writes the counts, of which updatedMachineCount is the last (openshift/machine-config-operator: pkg/controller/node/node_controller.go,
// syncMachineConfigPool; pkg/controller/render/render_controller.go, syncFailingStatus). A pool without a status is new, unless it is cut
// off, which standalone.Missing tells by its nodes, if there is the selector for them.
func isWholePool(object Object, text []byte) bool {
	pool := object.(*machineconfigv1.MachineConfigPool)
	isNew := pool.Status.MachineCount == 0 && len(pool.Status.Conditions) == 0
	return pool.Status.ObservedGeneration > 0 || bytes.Contains(text, []byte("updatedMachineCount:")) || isNew && pool.Spec.NodeSelector != nil
}
