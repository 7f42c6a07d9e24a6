package podstate

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

var now = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

func ago(age time.Duration) metav1.Time { return metav1.NewTime(now.Add(-age)) }

type option func(*corev1.Pod)

// pod returns a pod of node a that has run for an hour, with one container.
func pod(name string, options ...option) *corev1.Pod {
	made := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "openshift-etcd", Name: name, CreationTimestamp: ago(time.Hour)},
		Spec:       corev1.PodSpec{NodeName: "a"},
		Status: corev1.PodStatus{
			Phase:             corev1.PodRunning,
			Conditions:        []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: ago(time.Hour)}},
			ContainerStatuses: []corev1.ContainerStatus{running("main", time.Hour)},
		},
	}
	for _, set := range options {
		set(made)
	}
	return made
}

func running(name string, since time.Duration) corev1.ContainerStatus {
	return corev1.ContainerStatus{
		Name: name, Ready: true, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: ago(since)}},
	}
}

func waits(name, reason, message string) corev1.ContainerStatus {
	return corev1.ContainerStatus{Name: name, State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason, Message: message}}}
}

func ends(name string, exitCode int32) corev1.ContainerStatus {
	return corev1.ContainerStatus{Name: name, State: corev1.ContainerState{Terminated: ended(exitCode, 2*time.Minute)}}
}

func ended(exitCode int32, since time.Duration) *corev1.ContainerStateTerminated {
	return &corev1.ContainerStateTerminated{
		ExitCode: exitCode, Reason: "Error", Message: "no\nquorum", StartedAt: ago(since + time.Minute), FinishedAt: ago(since),
	}
}

// restarted returns a container that has ended before.
func restarted(of corev1.ContainerStatus, times, exitCode int32) corev1.ContainerStatus {
	of.RestartCount, of.Ready, of.LastTerminationState.Terminated = times, false, ended(exitCode, 3*time.Minute)
	return of
}

func containers(all ...corev1.ContainerStatus) option {
	return func(p *corev1.Pod) { p.Status.ContainerStatuses = all }
}

func initContainers(all ...corev1.ContainerStatus) option {
	return func(p *corev1.Pod) { p.Status.InitContainerStatuses = all }
}

func unready(since time.Duration) option {
	return func(p *corev1.Pod) {
		p.Status.Conditions[0].Status, p.Status.Conditions[0].LastTransitionTime = corev1.ConditionFalse, ago(since)
	}
}

func waiting(reason string, since time.Duration) option {
	return func(p *corev1.Pod) {
		unready(since)(p)
		containers(waits("main", reason, "it says why"))(p)
	}
}

func on(node string) option { return func(p *corev1.Pod) { p.Spec.NodeName = node } }

func unscheduled(since time.Duration) option {
	return func(p *corev1.Pod) {
		p.Spec.NodeName, p.Status = "", corev1.PodStatus{Phase: corev1.PodPending, Conditions: []corev1.PodCondition{{
			Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Message: "0/6 nodes are available", LastTransitionTime: ago(since),
		}}}
	}
}

func phase(is corev1.PodPhase) option { return func(p *corev1.Pod) { p.Status.Phase = is } }

func deleted(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{Time: now} }

func failedPod(p *corev1.Pod) {
	p.Status.Phase = corev1.PodFailed
	p.Status.ContainerStatuses = []corev1.ContainerStatus{ends("sidecar", 0), ends("main", 1)}
}

func selects(label string) option {
	return func(p *corev1.Pod) { p.Spec.NodeSelector = map[string]string{label: ""} }
}

// boundToNode binds a pod to a node as the controller of DaemonSets does.
func boundToNode(node string) option {
	return func(p *corev1.Pod) {
		p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
			NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{{
				Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{node},
			}}}},
		}}}
	}
}

func ownedBy(kind, uid string, isController bool) option {
	return func(p *corev1.Pod) {
		p.OwnerReferences = []metav1.OwnerReference{{Kind: kind, UID: types.UID(uid), Controller: &isController}}
	}
}

func created(since time.Duration) option {
	return func(p *corev1.Pod) { p.CreationTimestamp = ago(since) }
}

// retrieves makes a pod one that retrieves a release.
func retrieves(p *corev1.Pod) {
	p.Namespace, p.Labels = VersionNamespace, map[string]string{"k8s-app": "retrieve-openshift-release"}
}
