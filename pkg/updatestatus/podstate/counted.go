package podstate

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Away are nodes that are not ready or are being updated within their usual time, with their pools: they are why their pods are not ready, and
// why others find no place.
type Away map[string]string

func (a Away) has(node string) bool {
	_, isAway := a[node]
	return isAway
}

// AwayOf returns the nodes that are away by what is reported about nodes. One that has a health insight is not being updated within its
// usual time.
func AwayOf(reported []*insight.ScopedInsight) Away {
	away, isLate := Away{}, map[string]bool{}
	for _, one := range reported {
		if health := one.Insight.Health; health != nil && len(health.Scope.Resources) > 0 && health.Scope.Resources[0].Resource == "nodes" {
			isLate[health.Scope.Resources[0].Name] = true
		}
	}
	for _, one := range reported {
		node := one.Insight.Node
		if node == nil {
			continue
		}
		if one.NotReady || insight.StateOf(node).Updating && !isLate[node.Name] {
			away[node.Name] = node.Pool
		}
	}
	return away
}

// counts returns whether what is wrong with a pod says something about the operator.
func (in Input) counts(one observed, now time.Time) bool {
	pod := one.pod
	switch {
	case one.state == "", pod.DeletionTimestamp != nil, pod.Status.Phase == corev1.PodSucceeded, isGuard(pod.Name), isRetrieval(pod):
		return false
	case in.Away.has(pod.Spec.NodeName):
		return false
	case one.state == failed:
		return !isReplaced(pod, in.Pods)
	case one.state == notScheduled && in.isPlaceAway(pod):
		return false
	default:
		return one.rank == rankBroken || !one.since.IsZero() && now.Sub(one.since) >= patience
	}
}

// isGuard returns whether a pod only guards a static pod: it is not ready whenever that is not (openshift/library-go,
// pkg/operator/staticpod/controller/guard/guard_controller.go, getGuardPodName).
func isGuard(name string) bool {
	return strings.Contains(name, "-guard-")
}

// The controllers that replace a pod that has failed.
var replacing = []string{"DaemonSet", "ReplicaSet", "ReplicationController", "StatefulSet"}

// isReplaced returns whether there is a newer pod for a failed one, which counts by itself: of the same owner, or on the same node if the
// owner is no controller, as that of the installers of static pods (openshift/library-go,
// pkg/operator/staticpod/controller/installer/installer_controller.go, ensureInstallerPod).
func isReplaced(pod *corev1.Pod, others []*corev1.Pod) bool {
	if owner := metav1.GetControllerOfNoCopy(pod); owner != nil && slices.Contains(replacing, owner.Kind) {
		return true
	}
	return slices.ContainsFunc(others, func(other *corev1.Pod) bool {
		return other.Namespace == pod.Namespace && other.CreationTimestamp.After(pod.CreationTimestamp.Time) && haveSameOwner(pod, other)
	})
}

func haveSameOwner(pod, other *corev1.Pod) bool {
	for _, owner := range pod.OwnerReferences {
		isController := owner.Controller != nil && *owner.Controller
		isSame := slices.ContainsFunc(other.OwnerReferences, func(one metav1.OwnerReference) bool { return one.UID == owner.UID })
		if isSame && (isController || other.Spec.NodeName == pod.Spec.NodeName) {
			return true
		}
	}
	return false
}

// The labels of nodes by which a pod is bound to a pool: node-role.kubernetes.io/ROLE, of which control-plane is the pool master.
const (
	roleLabel    = "node-role.kubernetes.io/"
	controlPlane = "control-plane"
	masterPool   = "master"
)

// isPlaceAway returns whether a node that a pod may need is away: the one that it is bound to, as those of DaemonSets are, else any of its
// pool, else any.
func (in Input) isPlaceAway(pod *corev1.Pod) bool {
	if node := boundTo(pod); node != "" {
		return in.Away.has(node)
	}
	pool := poolOf(pod)
	for _, of := range in.Away {
		if pool == "" || of == pool {
			return true
		}
	}
	return false
}

func poolOf(pod *corev1.Pod) string {
	for label := range pod.Spec.NodeSelector {
		role, isRole := strings.CutPrefix(label, roleLabel)
		switch {
		case isRole && role == controlPlane:
			return masterPool
		case isRole:
			return role
		}
	}
	return ""
}

// boundTo returns the node that the affinity of a pod names (kubernetes/kubernetes, pkg/controller/daemon/util/daemonset_util.go), empty if
// there is none.
func boundTo(pod *corev1.Pod) string {
	affinity := pod.Spec.Affinity
	if affinity == nil || affinity.NodeAffinity == nil || affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return ""
	}
	for _, term := range affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms {
		for _, field := range term.MatchFields {
			if field.Key == metav1.ObjectNameField && len(field.Values) == 1 {
				return field.Values[0]
			}
		}
	}
	return ""
}
