package snapshot

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/drain"
	"github.com/openshift/cluster-version-operator/pkg/podstate"
)

// wantedKind says which objects of a kind an assessment needs.
type wantedKind struct {
	// make returns an object to decode into.
	make func() metav1.Object
	// name and namespace are set if only one object of the kind is needed.
	name, namespace string
	// managed is set if managedFields are needed, which are most of many objects.
	managed bool
	// metadata is set if only the metadata is needed.
	metadata bool
	// isWhole returns whether an object has a field that all of its kind have, late in its YAML, whose keys are sorted. It is nil
	// if there is none.
	isWhole func(object metav1.Object, text []byte) bool
	// trim returns the needed part of an object. It is nil if that is the whole object.
	trim func(metav1.Object) metav1.Object
}

// wholeUpdateStatus is an UpdateStatus, also with the fields that this version does not know.
type wholeUpdateStatus struct {
	updatev1alpha1.UpdateStatus

	whole unstructured.Unstructured
}

// UnmarshalJSON implements json.Unmarshaler.
func (w *wholeUpdateStatus) UnmarshalJSON(text []byte) error {
	if err := json.Unmarshal(text, &w.UpdateStatus); err != nil {
		return err
	}
	return json.Unmarshal(text, &w.whole.Object)
}

// wholeSummary is an UpdateStatusSummary, also with the fields that this version does not know.
type wholeSummary struct {
	updatev1alpha1.UpdateStatusSummary

	whole unstructured.Unstructured
}

// UnmarshalJSON implements json.Unmarshaler.
func (w *wholeSummary) UnmarshalJSON(text []byte) error {
	if err := json.Unmarshal(text, &w.UpdateStatusSummary); err != nil {
		return err
	}
	return json.Unmarshal(text, &w.whole.Object)
}

// HostedStatus is the status of a hosted cluster, also with the fields that this version does not know.
type HostedStatus struct {
	updatev1alpha1.HostedClusterUpdateStatus

	// Whole has all fields.
	Whole *unstructured.Unstructured
}

// UnmarshalJSON implements json.Unmarshaler.
func (h *HostedStatus) UnmarshalJSON(text []byte) error {
	h.Whole = &unstructured.Unstructured{}
	if err := json.Unmarshal(text, &h.HostedClusterUpdateStatus); err != nil {
		return err
	}
	return json.Unmarshal(text, &h.Whole.Object)
}

// HostedSummary is the summary of a hosted cluster, also with the fields that this version does not know.
type HostedSummary struct {
	updatev1alpha1.HostedClusterUpdateStatusSummary

	// Whole has all fields.
	Whole *unstructured.Unstructured
}

// UnmarshalJSON implements json.Unmarshaler.
func (h *HostedSummary) UnmarshalJSON(text []byte) error {
	h.Whole = &unstructured.Unstructured{}
	if err := json.Unmarshal(text, &h.HostedClusterUpdateStatusSummary); err != nil {
		return err
	}
	return json.Unmarshal(text, &h.Whole.Object)
}

// HostedStatus returns the status of a hosted cluster, nil if there is none.
func (s *Snapshot) HostedStatus(of types.NamespacedName) *HostedStatus {
	for _, one := range s.HostedStatuses {
		if one.Namespace == of.Namespace && one.Name == of.Name {
			return one
		}
	}
	return nil
}

// HostedSummary returns the summary of a hosted cluster, nil if there is none.
func (s *Snapshot) HostedSummary(of types.NamespacedName) *HostedSummary {
	for _, one := range s.HostedSummaries {
		if one.Namespace == of.Namespace && one.Name == of.Name {
			return one
		}
	}
	return nil
}

// wantedKinds has the kinds that an assessment needs, of any version.
var wantedKinds = map[schema.GroupKind]wantedKind{
	{Group: updatev1alpha1.GroupName, Kind: "UpdateStatus"}: {
		make: func() metav1.Object { return &wholeUpdateStatus{} }, name: updatev1alpha1.SingletonName,
	},
	{Group: updatev1alpha1.GroupName, Kind: "UpdateStatusSummary"}: {
		make: func() metav1.Object { return &wholeSummary{} }, name: updatev1alpha1.SingletonName,
	},
	{Group: updatev1alpha1.GroupName, Kind: "HostedClusterUpdateStatus"}: {
		make: func() metav1.Object { return &HostedStatus{} },
	},
	{Group: updatev1alpha1.GroupName, Kind: "HostedClusterUpdateStatusSummary"}: {
		make: func() metav1.Object { return &HostedSummary{} },
	},
	{Group: updatev1alpha1.GroupName, Kind: "HostedClusterUpdateRecord"}: {
		make: func() metav1.Object { return &updatev1alpha1.HostedClusterUpdateRecord{} },
	},
	{Group: updatev1alpha1.GroupName, Kind: "UpdateRecord"}: {
		make: func() metav1.Object { return &updatev1alpha1.UpdateRecord{} },
	},
	{Group: updatev1alpha1.GroupName, Kind: "UpdateInformer"}: {
		make: func() metav1.Object { return &updatev1alpha1.UpdateInformer{} },
		isWhole: func(o metav1.Object, _ []byte) bool {
			informer := o.(*updatev1alpha1.UpdateInformer)
			return len(informer.Status.Insights) == 0 || informer.Status.RenewedAt != nil
		},
	},
	{Group: hypershiftv1beta1.GroupName, Kind: "HostedCluster"}: {
		make: func() metav1.Object { return &hypershiftv1beta1.HostedCluster{} },
	},
	{Group: hypershiftv1beta1.GroupName, Kind: "ControlPlaneComponent"}: {
		make: func() metav1.Object { return &hypershiftv1beta1.ControlPlaneComponent{} },
	},
	{Group: hypershiftv1beta1.GroupName, Kind: "NodePool"}: {
		make: func() metav1.Object { return &hypershiftv1beta1.NodePool{} },
	},
	{Group: clusterapiv1beta1.GroupName, Kind: "Machine"}: {
		make: func() metav1.Object { return &clusterapiv1beta1.Machine{} },
	},
	{Group: clusterapiv1beta1.GroupName, Kind: "MachineDeployment"}: {
		make: func() metav1.Object { return &clusterapiv1beta1.MachineDeployment{} },
	},
	{Group: clusterapiv1beta1.GroupName, Kind: "MachineSet"}: {
		make: func() metav1.Object { return &clusterapiv1beta1.MachineSet{} },
	},
	{Group: configv1.GroupName, Kind: "ClusterVersion"}: {
		make: func() metav1.Object { return &configv1.ClusterVersion{} }, name: "version", managed: true,
		isWhole: func(o metav1.Object, _ []byte) bool { return o.(*configv1.ClusterVersion).Status.VersionHash != "" },
	},
	{Group: configv1.GroupName, Kind: "Infrastructure"}: {
		make: func() metav1.Object { return &configv1.Infrastructure{} }, name: InfrastructureName,
	},
	{Group: configv1.GroupName, Kind: "ClusterOperator"}: {
		make: func() metav1.Object { return &configv1.ClusterOperator{} },
		isWhole: func(o metav1.Object, _ []byte) bool {
			operator := o.(*configv1.ClusterOperator)
			return len(operator.Status.Versions) > 0 || !controlplane.InPayload(operator)
		},
	},
	{Group: appsv1.GroupName, Kind: "Deployment"}: {
		make: func() metav1.Object { return &appsv1.Deployment{} },
		name: controlplane.MachineConfigOperatorDeployment, namespace: controlplane.MachineConfigOperatorNamespace,
	},
	{Group: coordinationv1.GroupName, Kind: "Lease"}: {
		make: func() metav1.Object { return &coordinationv1.Lease{} },
		name: standalone.LeaseName, namespace: standalone.LeaseNamespace,
	},
	{Group: machineconfigv1.GroupName, Kind: poolKind}: {
		make: func() metav1.Object { return &machineconfigv1.MachineConfigPool{} },
		isWhole: func(o metav1.Object, text []byte) bool {
			return isWholePool(o.(*machineconfigv1.MachineConfigPool), text)
		},
	},
	{Group: machineconfigv1.GroupName, Kind: "MachineConfig"}: {
		make: func() metav1.Object { return &metav1.PartialObjectMetadata{} }, metadata: true,
	},
	{Group: corev1.GroupName, Kind: "Node"}: {
		make:    func() metav1.Object { return &corev1.Node{} },
		trim:    func(node metav1.Object) metav1.Object { node.(*corev1.Node).Status.Images = nil; return node },
		isWhole: func(o metav1.Object, _ []byte) bool { return len(o.(*corev1.Node).Status.Conditions) > 0 },
	},
	{Group: corev1.GroupName, Kind: "Pod"}: {
		make: func() metav1.Object { return &corev1.Pod{} },
		trim: func(pod metav1.Object) metav1.Object { return trimPod(pod.(*corev1.Pod)) },
	},
	{Group: policyv1.GroupName, Kind: "PodDisruptionBudget"}: {
		make: func() metav1.Object { return &policyv1.PodDisruptionBudget{} },
	},
	{Group: machineconfigv1.GroupName, Kind: "MachineConfigNode"}: {
		make: func() metav1.Object { return &machineconfigv1.MachineConfigNode{} },
	},
	{Group: certificatesv1.GroupName, Kind: "CertificateSigningRequest"}: {
		make: func() metav1.Object { return &certificatesv1.CertificateSigningRequest{} },
	},
}

// trimPod returns the fields of a pod that explain a drain, and of one that may belong to an operator also those that say how it is.
func trimPod(full *corev1.Pod) *corev1.Pod {
	trimmed := drain.TrimPod(full)
	if podstate.IsPlatform(full.Namespace) {
		podstate.AddTo(trimmed, full)
	}
	return trimmed
}

// InfrastructureName is the name of the only Infrastructure.
const InfrastructureName = "cluster"

// isWholePool returns whether the text of a MachineConfigPool is whole. The node controller of the Machine Config Operator sets
// observedGeneration, but not of a pool that is not rendered or that selects all nodes; each of its controllers that writes a status
// writes the counts, of which updatedMachineCount is the last (openshift/machine-config-operator: pkg/controller/node/node_controller.go,
// syncMachineConfigPool; pkg/controller/render/render_controller.go, syncFailingStatus). A pool without a status is new, unless it is cut
// off, which standalone.Missing tells by its nodes, if there is the selector for them.
func isWholePool(pool *machineconfigv1.MachineConfigPool, text []byte) bool {
	isNew := pool.Status.MachineCount == 0 && len(pool.Status.Conditions) == 0
	return pool.Status.ObservedGeneration > 0 || bytes.Contains(text, []byte("updatedMachineCount:")) || isNew && pool.Spec.NodeSelector != nil
}

// wantedKindOf returns what is wanted of a kind, and whether it is wanted.
func wantedKindOf(apiVersion, kind string) (wantedKind, bool) {
	group, _, versioned := strings.Cut(apiVersion, "/")
	if !versioned {
		group = corev1.GroupName
	}
	wanted, ok := wantedKinds[schema.GroupKind{Group: group, Kind: kind}]
	return wanted, ok
}

// mayBe returns whether a text can be a needed object, before it is parsed.
func (n wantedKind) mayBe(text []byte) bool {
	return n.name == "" || bytes.Contains(text, []byte(n.name))
}

// includes returns whether an object is needed.
func (n wantedKind) includes(object metav1.Object) bool {
	return n.name == "" || object.GetName() == n.name && object.GetNamespace() == n.namespace
}

// maxKindLength bounds the text from "kind" to the end of a kind's name, with the characters in between.
const maxKindLength = 64

var neededKinds = func() [][]byte {
	var kinds [][]byte
	for groupKind := range maps.Keys(wantedKinds) {
		kinds = append(kinds, []byte(groupKind.Kind))
	}
	return kinds
}()

// mayHaveNeeded returns whether a file may have alerts or needed objects: a kind in YAML (kind: Node) or JSON
// ("kind":"Node"), or one with the same start, such as of a list.
func mayHaveNeeded(text []byte) bool {
	if bytes.Contains(text, []byte(alertsMember)) {
		return true
	}
	for {
		_, after, found := bytes.Cut(text, []byte("kind"))
		if !found {
			return false
		}
		value := bytes.TrimLeft(after[:min(len(after), maxKindLength)], "\"': \t\r\n")
		if slices.ContainsFunc(neededKinds, func(kind []byte) bool { return bytes.HasPrefix(value, kind) }) {
			return true
		}
		text = after
	}
}
