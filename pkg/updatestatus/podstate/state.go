package podstate

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// state is that of a pod: the reason for which a container waits, as the kubelet gives it, or one of those below.
type state string

// The reasons for which a container waits in the normal course (kubernetes/kubernetes, pkg/kubelet/kubelet_pods.go). All others are
// problems at once: CrashLoopBackOff, RunContainerError (pkg/kubelet/container/sync_result.go), ImagePullBackOff, ErrImagePull,
// InvalidImageName and others (pkg/kubelet/images/types.go), CreateContainerConfigError, CreateContainerError and others
// (pkg/kubelet/kuberuntime/kuberuntime_container.go).
const (
	containerCreating state = "ContainerCreating"
	podInitializing   state = "PodInitializing"
)

// The states in which no container waits.
const (
	notReady     state = "NotReady"
	notScheduled state = "NotScheduled"
	failed       state = "Failed"
)

// crashLoop is also the state of a pod whose container runs again for a moment, or has just ended: the kubelet forgets its restarts once it
// has run for crashMemory, twice the longest back-off (kubernetes/kubernetes, pkg/kubelet/kubelet.go, MaxCrashLoopBackOff).
const (
	crashLoop     state = "CrashLoopBackOff"
	crashMemory         = 10 * time.Minute
	crashRestarts       = 3
)

// observed is a pod and what is wrong with it.
type observed struct {
	pod *corev1.Pod
	// state is empty if nothing is wrong. rank orders states, the worst first.
	state state
	rank  int
	// since is for how long it has been so, zero if that is not known.
	since     time.Time
	container string
	// message is what the kubelet or the scheduler says, and ended the last end of the container, nil if it has not ended.
	message string
	ended   *corev1.ContainerStateTerminated
}

// The ranks of states.
const (
	rankBroken = iota
	rankCreating
	rankNotReady
	rankNotScheduled
	rankFailed
)

func (s state) rank() int {
	switch s {
	case containerCreating, podInitializing:
		return rankCreating
	case notReady:
		return rankNotReady
	case notScheduled:
		return rankNotScheduled
	case failed:
		return rankFailed
	default:
		return rankBroken
	}
}

// observe returns what is wrong with a pod.
func observe(pod *corev1.Pod, now time.Time) observed {
	one := observed{pod: pod}
	switch {
	case pod.Status.Phase == corev1.PodFailed:
		one.observeFailed()
	case pod.Spec.NodeName == "":
		one.observeUnscheduled()
	case !one.observeInit(now) && !one.observeContainers(now):
		one.observeReady()
	}
	one.rank = one.state.rank()
	return one
}

func (o *observed) observeFailed() {
	o.state, o.message = failed, o.pod.Status.Message
	for at := range o.pod.Status.ContainerStatuses {
		container := &o.pod.Status.ContainerStatuses[at]
		if ended := container.State.Terminated; ended != nil && ended.ExitCode != 0 {
			o.container, o.ended, o.since = container.Name, ended, ended.FinishedAt.Time
			return
		}
	}
}

func (o *observed) observeUnscheduled() {
	o.state, o.since = notScheduled, o.pod.CreationTimestamp.Time
	if scheduled := condition(o.pod, corev1.PodScheduled); scheduled != nil {
		o.since, o.message = scheduled.LastTransitionTime.Time, scheduled.Message
	}
}

// observeInit looks at the init container that runs or waits: the others wait for it. Those that run beside the pod have started.
func (o *observed) observeInit(now time.Time) (found bool) {
	for at := range o.pod.Status.InitContainerStatuses {
		container := &o.pod.Status.InitContainerStatuses[at]
		isDone := container.State.Terminated != nil && container.State.Terminated.ExitCode == 0
		isBeside := container.Started != nil && *container.Started
		what := stateOf(container, now)
		if isDone || isBeside && what == "" {
			continue
		}
		if what == "" {
			what = podInitializing
		}
		o.set(container, what)
		return true
	}
	return false
}

// observeContainers looks at the container with the worst state.
func (o *observed) observeContainers(now time.Time) (found bool) {
	for at := range o.pod.Status.ContainerStatuses {
		container := &o.pod.Status.ContainerStatuses[at]
		if what := stateOf(container, now); what != "" && (!found || what.rank() < o.state.rank()) {
			o.set(container, what)
			found = true
		}
	}
	return found
}

func (o *observed) observeReady() {
	ready := condition(o.pod, corev1.PodReady)
	if ready == nil || ready.Status == corev1.ConditionTrue || ready.Reason == podCompleted {
		return
	}
	o.state, o.since, o.message = notReady, ready.LastTransitionTime.Time, ready.Message
	for at := range o.pod.Status.ContainerStatuses {
		if container := &o.pod.Status.ContainerStatuses[at]; !container.Ready {
			o.container, o.ended = container.Name, lastEnd(container)
			return
		}
	}
}

// podCompleted is the reason of a pod that is not ready since it has ended (kubernetes/kubernetes, pkg/kubelet/status/generate.go).
const podCompleted = "PodCompleted"

// set sets the state to that of a container.
func (o *observed) set(container *corev1.ContainerStatus, what state) {
	o.state, o.container, o.ended, o.message = what, container.Name, lastEnd(container), ""
	if waiting := container.State.Waiting; waiting != nil && what != crashLoop {
		o.message = waiting.Message // that of a crash has the back-off, which differs each time
	}
	o.since = notReadySince(o.pod)
	if ended := o.ended; what == crashLoop && ended != nil && o.since.After(ended.StartedAt.Time) {
		o.since = time.Time{} // it was ready in between, as one without a probe is whenever it runs
	}
}

// notReadySince returns since when a pod that is on a node has not been ready.
func notReadySince(pod *corev1.Pod) time.Time {
	if ready := condition(pod, corev1.PodReady); ready != nil && ready.Status != corev1.ConditionTrue {
		return ready.LastTransitionTime.Time
	}
	if scheduled := condition(pod, corev1.PodScheduled); scheduled != nil {
		return scheduled.LastTransitionTime.Time
	}
	return pod.CreationTimestamp.Time
}

// stateOf returns what is wrong with a container, or that it is being created; empty if it runs, or has ended as it should.
func stateOf(container *corev1.ContainerStatus, now time.Time) state {
	running := container.State.Running
	isRestarted := container.RestartCount >= crashRestarts && container.LastTerminationState.Terminated != nil &&
		container.LastTerminationState.Terminated.ExitCode != 0
	switch {
	case container.State.Waiting != nil:
		return state(container.State.Waiting.Reason)
	case isRestarted && running != nil && now.Sub(running.StartedAt.Time) < crashMemory,
		isRestarted && container.State.Terminated != nil:
		return crashLoop
	default:
		return ""
	}
}

// lastEnd returns how a container ended last, nil if it did not.
func lastEnd(container *corev1.ContainerStatus) *corev1.ContainerStateTerminated {
	if container.State.Terminated != nil {
		return container.State.Terminated
	}
	return container.LastTerminationState.Terminated
}

func condition(pod *corev1.Pod, kind corev1.PodConditionType) *corev1.PodCondition {
	for at := range pod.Status.Conditions {
		if pod.Status.Conditions[at].Type == kind {
			return &pod.Status.Conditions[at]
		}
	}
	return nil
}
