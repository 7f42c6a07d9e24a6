package snapshot

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/drain"
)

// need is which objects of a kind are needed.
type need struct {
	// make makes an object to decode into.
	make func() metav1.Object
	// name and namespace are set where only one object of the kind is needed.
	name, namespace string
	// metadata is set where nothing else is needed.
	metadata bool
	// trim returns what is needed of an object, nil where that is all of it.
	trim func(metav1.Object) metav1.Object
}

// wholeUpdateStatus is an UpdateStatus as it is known here, and as it is.
type wholeUpdateStatus struct {
	updatev1alpha1.UpdateStatus

	whole unstructured.Unstructured
}

// UnmarshalJSON is part of json.Unmarshaler.
func (w *wholeUpdateStatus) UnmarshalJSON(text []byte) error {
	if err := json.Unmarshal(text, &w.UpdateStatus); err != nil {
		return err
	}
	return json.Unmarshal(text, &w.whole.Object)
}

// needs are the kinds that an assessment needs, of any version.
var needs = map[schema.GroupKind]need{
	{Group: updatev1alpha1.GroupName, Kind: "UpdateStatus"}: {
		make: func() metav1.Object { return &wholeUpdateStatus{} }, name: updatev1alpha1.SingletonName,
	},
	{Group: configv1.GroupName, Kind: "ClusterVersion"}: {
		make: func() metav1.Object { return &configv1.ClusterVersion{} }, name: "version",
	},
	{Group: configv1.GroupName, Kind: "ClusterOperator"}: {
		make: func() metav1.Object { return &configv1.ClusterOperator{} },
	},
	{Group: appsv1.GroupName, Kind: "Deployment"}: {
		make: func() metav1.Object { return &appsv1.Deployment{} },
		name: "machine-config-operator", namespace: "openshift-machine-config-operator",
	},
	{Group: machineconfigv1.GroupName, Kind: "MachineConfigPool"}: {
		make: func() metav1.Object { return &machineconfigv1.MachineConfigPool{} },
	},
	{Group: machineconfigv1.GroupName, Kind: "MachineConfig"}: {
		make: func() metav1.Object { return &metav1.PartialObjectMetadata{} }, metadata: true,
	},
	{Group: corev1.GroupName, Kind: "Node"}: {
		make: func() metav1.Object { return &corev1.Node{} },
	},
	{Group: corev1.GroupName, Kind: "Pod"}: {
		make: func() metav1.Object { return &corev1.Pod{} },
		trim: func(pod metav1.Object) metav1.Object { return drain.TrimPod(pod.(*corev1.Pod)) },
	},
	{Group: policyv1.GroupName, Kind: "PodDisruptionBudget"}: {
		make: func() metav1.Object { return &policyv1.PodDisruptionBudget{} },
	},
	{Group: machineconfigv1.GroupName, Kind: "MachineConfigNode"}: {
		make: func() metav1.Object { return &machineconfigv1.MachineConfigNode{} },
	},
}

// needOf returns whether objects of a kind are needed.
func needOf(apiVersion, kind string) (need, bool) {
	group, _, versioned := strings.Cut(apiVersion, "/")
	if !versioned {
		group = corev1.GroupName
	}
	found, ok := needs[schema.GroupKind{Group: group, Kind: kind}]
	return found, ok
}

// mayBe is whether a text may be an object that is needed, before it is parsed.
func (n need) mayBe(text []byte) bool {
	return n.name == "" || bytes.Contains(text, []byte(n.name))
}

// includes is whether an object is one that is needed.
func (n need) includes(object metav1.Object) bool {
	return n.name == "" || object.GetName() == n.name && object.GetNamespace() == n.namespace
}

const (
	// chunk is how much of a file is looked at a time.
	chunk = 256 << 10
	// longestKind is the most that is between "kind" and the end of a kind's name, blanks included.
	longestKind = 64
)

// mayHoldNeeded is whether a file says anywhere that something is of a kind that is needed. It reads no further than to
// there, and keeps nothing.
func mayHoldNeeded(file io.Reader) (bool, error) {
	buffer := make([]byte, chunk)
	kept := 0
	for {
		read, err := io.ReadFull(file, buffer[kept:])
		seen := buffer[:kept+read]
		if saysNeeded(seen) {
			return true, nil
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		// A kind may be cut in two by the end of the chunk.
		kept = copy(buffer, seen[len(seen)-longestKind:])
	}
}

var neededKinds = func() [][]byte {
	var kinds [][]byte
	for groupKind := range maps.Keys(needs) {
		kinds = append(kinds, []byte(groupKind.Kind))
	}
	return kinds
}()

// saysNeeded looks for alerts, and for a kind in YAML (kind: Node) and JSON ("kind":"Node"). A kind that only begins like
// one that is needed, as that of a list, passes too: it will be looked at more closely.
func saysNeeded(text []byte) bool {
	if bytes.Contains(text, []byte(alertsMember)) {
		return true
	}
	for {
		_, after, found := bytes.Cut(text, []byte("kind"))
		if !found {
			return false
		}
		value := bytes.TrimLeft(after[:min(len(after), longestKind)], "\"': \t\r\n")
		if slices.ContainsFunc(neededKinds, func(kind []byte) bool { return bytes.HasPrefix(value, kind) }) {
			return true
		}
		text = after
	}
}
