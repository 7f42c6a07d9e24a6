package hosted

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	assesshosted "github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/hosted"
)

// World has what was written, as two API servers have it.
type World struct {
	objects map[string]Object
	// order are the keys of the objects, in the order in which they were created.
	order []string
}

// NewWorld returns a World after some writes.
func NewWorld(writes ...Write) *World {
	w := &World{objects: map[string]Object{}}
	for _, write := range writes {
		w.Apply(write)
	}
	return w
}

// Apply makes a write. An object has the time at which it was created.
func (w *World) Apply(write Write) {
	key := fmt.Sprintf("%T/%s/%s", write.Object, write.Object.GetNamespace(), write.Object.GetName())
	switch {
	case write.Action == Release, write.Action == Delete && len(write.Object.GetFinalizers()) == 0:
		delete(w.objects, key)
		w.order = slices.DeleteFunc(w.order, func(one string) bool { return one == key })
		return
	case w.objects[key] == nil:
		w.order = append(w.order, key)
		write.Object.SetCreationTimestamp(metav1.NewTime(write.Time.Truncate(time.Second)))
	default:
		write.Object.SetCreationTimestamp(w.objects[key].GetCreationTimestamp())
	}
	w.objects[key] = write.Object
}

// Input returns all objects, to be assessed.
func (w *World) Input() assesshosted.Input {
	var in assesshosted.Input
	for _, key := range w.order {
		switch object := w.objects[key].(type) {
		case *hypershiftv1beta1.HostedCluster:
			in.HostedCluster = object
		case *hypershiftv1beta1.ControlPlaneComponent:
			in.Components = append(in.Components, object)
		case *hypershiftv1beta1.NodePool:
			in.NodePools = append(in.NodePools, object)
		case *clusterapiv1beta1.Machine:
			in.Machines = append(in.Machines, object)
		case *clusterapiv1beta1.MachineDeployment:
			in.MachineDeployments = append(in.MachineDeployments, object)
		case *clusterapiv1beta1.MachineSet:
			in.MachineSets = append(in.MachineSets, object)
		case *configv1.ClusterOperator:
			in.ClusterOperators = append(in.ClusterOperators, object)
		case *corev1.Node:
			in.Nodes = append(in.Nodes, object)
		}
	}
	return in
}
