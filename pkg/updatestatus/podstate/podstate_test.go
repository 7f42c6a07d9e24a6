package podstate

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// text returns a report in a line.
func text(report *updatev1alpha1.PodReport) string {
	if report == nil {
		return "-"
	}
	words := []string{report.Name, report.State}
	if report.Container != "" {
		words = append(words, report.Container)
	}
	if report.Since != nil {
		words = append(words, now.Sub(report.Since.Time).String())
	}
	if report.Message != "" {
		words = append(words, "says "+report.Message)
	}
	if ended := report.LastTermination; ended != nil {
		words = append(words, fmt.Sprintf("ended %d %s %s", ended.ExitCode, ended.Reason, ended.Message))
	}
	if report.Alike > 0 {
		words = append(words, fmt.Sprintf("+%d", report.Alike))
	}
	return strings.Join(words, " ")
}

func TestWorst(t *testing.T) {
	const long = 20 * time.Minute
	isBeside := true
	beside := running("beside", time.Hour)
	beside.Started = &isBeside
	for _, test := range []struct {
		name string
		pods []*corev1.Pod
		away Away
		says string
		want string
	}{
		{name: "no pods", want: "-"},
		{name: "one that runs", pods: []*corev1.Pod{pod("p")}, want: "-"},

		{name: "an image that can't be pulled, at once", pods: []*corev1.Pod{pod("p", waiting("ErrImagePull", time.Second))}, want: "p ErrImagePull main 1s says it says why"},
		{name: "a reason that is not known", pods: []*corev1.Pod{pod("p", waiting("NewError", time.Second))}, want: "p NewError main 1s says it says why"},
		{name: "created for long", pods: []*corev1.Pod{pod("p", waiting("ContainerCreating", 10*time.Minute))}, want: "p ContainerCreating main 10m0s says it says why"},
		{name: "created for less", pods: []*corev1.Pod{pod("p", waiting("ContainerCreating", 10*time.Minute-time.Second))}, want: "-"},
		{name: "an init container that runs for long", want: "p PodInitializing wait 20m0s", pods: []*corev1.Pod{pod("p",
			initContainers(ends("copy", 0), running("wait", long)), waiting("PodInitializing", long))}},
		{name: "an init container that crashes", want: "p CrashLoopBackOff wait ended 1 Error no quorum", pods: []*corev1.Pod{pod("p",
			initContainers(restarted(waits("wait", "CrashLoopBackOff", "back-off 5m0s"), 9, 1)), waiting("PodInitializing", 0))}},
		{name: "an init container that has failed", want: "p PodInitializing wait 20m0s ended 1 Error no quorum", pods: []*corev1.Pod{pod("p",
			initContainers(ends("wait", 1)), waiting("PodInitializing", long))}},
		{name: "an init container that runs beside", pods: []*corev1.Pod{pod("p", initContainers(beside))}, want: "-"},
		{name: "one beside that crashes", want: "p CrashLoopBackOff beside ended 1 Error no quorum", pods: []*corev1.Pod{pod("p", unready(0),
			initContainers(restarted(func() corev1.ContainerStatus {
				one := beside
				one.State = waits("", "CrashLoopBackOff", "").State
				return one
			}(), 4, 1)))}},
		{name: "the worst of its containers", want: "p ImagePullBackOff b 20m0s says no such image", pods: []*corev1.Pod{pod("p", unready(long),
			containers(waits("a", "ContainerCreating", ""), waits("b", "ImagePullBackOff", "no such image"), waits("c", "CrashLoopBackOff", "")))}},
		{name: "not ready for long", want: "p NotReady b 20m0s", pods: []*corev1.Pod{pod("p", unready(long),
			containers(running("a", time.Hour), func() corev1.ContainerStatus { one := running("b", time.Hour); one.Ready = false; return one }()))}},
		{name: "not ready for less", pods: []*corev1.Pod{pod("p", unready(time.Minute))}, want: "-"},
		{name: "not ready, since it has ended", want: "-", pods: []*corev1.Pod{pod("p", unready(long), func(p *corev1.Pod) { p.Status.Conditions[0].Reason = podCompleted })}},
		{name: "nothing known of its readiness", want: "-", pods: []*corev1.Pod{pod("p", func(p *corev1.Pod) { p.Status.Conditions = nil })}},

		{name: "a crash loop, not ready all the time", want: "p CrashLoopBackOff main 20m0s ended 2 Error no quorum", pods: []*corev1.Pod{
			pod("p", unready(long), containers(restarted(waits("main", "CrashLoopBackOff", "back-off 5m0s restarting"), 9, 2))),
		}},
		{name: "a crash loop, ready in between", want: "p CrashLoopBackOff main ended 2 Error no quorum", pods: []*corev1.Pod{
			pod("p", unready(time.Minute), containers(restarted(waits("main", "CrashLoopBackOff", ""), 9, 2))),
		}},
		{name: "a crash loop, running for a moment", want: "p CrashLoopBackOff main 20m0s ended 2 Error no quorum", pods: []*corev1.Pod{
			pod("p", unready(long), containers(restarted(running("main", time.Minute), 3, 2))),
		}},
		{name: "a crash loop, just ended", want: "p CrashLoopBackOff main 20m0s ended 2 Error no quorum", pods: []*corev1.Pod{
			pod("p", unready(long), containers(restarted(ends("main", 2), 3, 2))),
		}},
		{name: "running for as long as the kubelet remembers", want: "-", pods: []*corev1.Pod{pod("p", containers(restarted(running("main", crashMemory), 3, 2)))}},
		{name: "restarted twice", want: "-", pods: []*corev1.Pod{pod("p", containers(restarted(running("main", time.Minute), 2, 2)))}},
		{name: "restarted without a failure", want: "-", pods: []*corev1.Pod{pod("p", containers(restarted(running("main", time.Minute), 3, 0)))}},

		{name: "not scheduled for long", pods: []*corev1.Pod{pod("p", unscheduled(10*time.Minute))}, want: "p NotScheduled 10m0s says 0/6 nodes are available"},
		{name: "not scheduled for less", pods: []*corev1.Pod{pod("p", unscheduled(10*time.Minute-time.Second))}, want: "-"},
		{name: "not scheduled, by its age", want: "p NotScheduled 1h0m0s", pods: []*corev1.Pod{pod("p", on(""), phase(corev1.PodPending))}},
		{name: "any node is away", pods: []*corev1.Pod{pod("p", unscheduled(long))}, away: Away{"b": "worker"}, want: "-"},
		{name: "a node of its pool is away", pods: []*corev1.Pod{pod("p", unscheduled(long), selects("node-role.kubernetes.io/control-plane"))}, away: Away{"b": "master"}, want: "-"},
		{
			name: "a node of another pool is away", pods: []*corev1.Pod{pod("p", unscheduled(long), selects("node-role.kubernetes.io/infra"))}, away: Away{"b": "master"},
			want: "p NotScheduled 20m0s says 0/6 nodes are available",
		},
		{name: "another selector", pods: []*corev1.Pod{pod("p", unscheduled(long), selects("kubernetes.io/os"))}, away: Away{"b": "master"}, want: "-"},
		{name: "its node is away", pods: []*corev1.Pod{pod("p", unscheduled(long), boundToNode("b"))}, away: Away{"b": "worker"}, want: "-"},
		{
			name: "its node is not away", pods: []*corev1.Pod{pod("p", unscheduled(long), boundToNode("a"))}, away: Away{"b": "worker"},
			want: "p NotScheduled 20m0s says 0/6 nodes are available",
		},

		{name: "retrieves a release", pods: []*corev1.Pod{pod("p", waiting("ErrImagePull", long), retrieves)}, want: "-"},
		{name: "on a node that is away", pods: []*corev1.Pod{pod("p", waiting("ErrImagePull", long), on("b"))}, away: Away{"b": "worker"}, want: "-"},
		{name: "succeeded", pods: []*corev1.Pod{pod("p", waiting("ErrImagePull", long), phase(corev1.PodSucceeded))}, want: "-"},
		{name: "terminating", pods: []*corev1.Pod{pod("p", waiting("ErrImagePull", long), deleted)}, want: "-"},
		{name: "a guard pod", pods: []*corev1.Pod{pod("etcd-guard-a", unready(long))}, want: "-"},

		{name: "failed", pods: []*corev1.Pod{pod("p", failedPod)}, want: "p Failed main 2m0s ended 1 Error no quorum"},
		{name: "failed, of a DaemonSet", pods: []*corev1.Pod{pod("p", failedPod, ownedBy("DaemonSet", "1", true))}, want: "-"},
		{name: "failed, with a newer one of its Job", want: "-", pods: []*corev1.Pod{
			pod("p", failedPod, ownedBy("Job", "1", true)), pod("q", on("b"), created(time.Minute), ownedBy("Job", "1", true)),
		}},
		{name: "failed, with an older one of its Job", want: "p Failed main 2m0s ended 1 Error no quorum", pods: []*corev1.Pod{
			pod("p", failedPod, ownedBy("Job", "1", true)), pod("q", created(2*time.Hour), ownedBy("Job", "1", true)),
		}},
		{name: "failed, with a newer one of another Job", want: "p Failed main 2m0s ended 1 Error no quorum", pods: []*corev1.Pod{
			pod("p", failedPod, ownedBy("Job", "1", true)), pod("q", created(time.Minute), ownedBy("Job", "2", true)),
		}},
		{name: "failed, with a newer one on the same node", want: "-", pods: []*corev1.Pod{
			pod("p", failedPod, ownedBy("ConfigMap", "1", false)), pod("q", created(time.Minute), ownedBy("ConfigMap", "1", false)),
		}},
		{name: "failed, with a newer one on another node", want: "p Failed main 2m0s ended 1 Error no quorum", pods: []*corev1.Pod{
			pod("p", failedPod, ownedBy("ConfigMap", "1", false)), pod("q", on("b"), created(time.Minute), ownedBy("ConfigMap", "1", false)),
		}},
		{name: "failed, with a newer one in another namespace", want: "p Failed main 2m0s ended 1 Error no quorum", pods: []*corev1.Pod{
			pod("p", failedPod, ownedBy("Job", "1", true)),
			pod("q", created(time.Minute), ownedBy("Job", "1", true), func(p *corev1.Pod) { p.Namespace = "openshift-dns" }),
		}},
		{name: "evicted", want: "p Failed says The node was low on resource: memory", pods: []*corev1.Pod{pod("p", failedPod, containers(),
			func(p *corev1.Pod) { p.Status.Message = "The node was low on resource: memory" })}},

		{name: "the worst of all kinds", want: "e ErrImagePull main 1s says it says why", pods: []*corev1.Pod{
			pod("a", failedPod), pod("b", unscheduled(long)), pod("c", unready(long)), pod("d", waiting("ContainerCreating", long)), pod("e", waiting("ErrImagePull", time.Second)),
		}},
		{name: "created before not ready", want: "d ContainerCreating main 20m0s says it says why", pods: []*corev1.Pod{
			pod("c", unready(long)), pod("d", waiting("ContainerCreating", long)),
		}},
		{name: "not ready before not scheduled", want: "c NotReady 20m0s", pods: []*corev1.Pod{pod("b", unscheduled(long)), pod("c", unready(long))}},
		{name: "not scheduled before failed", want: "b NotScheduled 20m0s says 0/6 nodes are available", pods: []*corev1.Pod{pod("a", failedPod), pod("b", unscheduled(long))}},
		{name: "the oldest, and how many are alike", want: "b ErrImagePull main 20m0s says it says why +2", pods: []*corev1.Pod{
			pod("a", waiting("ErrImagePull", time.Minute)), pod("b", waiting("ErrImagePull", long)), pod("c", waiting("ErrImagePull", time.Minute)),
		}},
		{name: "one whose start is known first", want: "b CrashLoopBackOff main 20m0s +1", pods: []*corev1.Pod{
			pod("a", unready(0), containers(restarted(waits("main", "CrashLoopBackOff", ""), 9, 2))), pod("b", unready(long), containers(waits("main", "CrashLoopBackOff", ""))),
		}},
		{name: "by name", want: "a ErrImagePull main 1m0s says it says why +1", pods: []*corev1.Pod{
			pod("b", waiting("ErrImagePull", time.Minute)), pod("a", waiting("ErrImagePull", time.Minute)),
		}},

		{
			name: "the installer of the revision that fails", want: "installer-12-retry-2-a Failed main 2m0s ended 1 Error no quorum",
			says: "NodeInstallerDegraded: 1 nodes are failing on revision 12:\nNodeInstallerDegraded: installer: no space", pods: []*corev1.Pod{
				pod("etcd-a", waiting("CrashLoopBackOff", long)), pod("installer-12-retry-2-a", failedPod),
			},
		},
		{
			name: "the installer of another revision", want: "etcd-a CrashLoopBackOff main 20m0s",
			says: "NodeInstallerDegraded: 1 nodes are failing on revision 12:", pods: []*corev1.Pod{
				pod("etcd-a", waiting("CrashLoopBackOff", long)), pod("installer-1-a", failedPod),
			},
		},
		{name: "no revision that fails", want: "etcd-a CrashLoopBackOff main 20m0s", says: "StaticPodsDegraded: etcd is crashing", pods: []*corev1.Pod{
			pod("etcd-a", waiting("CrashLoopBackOff", long)), pod("installer-12-a", failedPod),
		}},
	} {
		if got := text(Worst(Input{Pods: test.pods, Away: test.away, OperatorMessage: test.says}, now)); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, got, test.want)
		}
	}
}

// TestAlikeByRows: of a table, pods count that are not read in full.
func TestAlikeByRows(t *testing.T) {
	rows := []Row{
		{Name: "p", Ready: "0/1", Status: "ErrImagePull", Node: "a"},
		{Name: "q", Ready: "0/1", Status: "ErrImagePull", Node: "b"},
		{Name: "r", Ready: "0/1", Status: "ErrImagePull", Node: "away"},
		{Name: "p-guard-a", Ready: "0/1", Status: "ErrImagePull", Node: "a"},
		{Name: "s", Ready: "1/1", Status: "Running", Node: "a"},
	}
	in := Input{Pods: []*corev1.Pod{pod("p", waiting("ErrImagePull", time.Minute))}, Rows: rows, Away: Away{"away": "worker"}}
	if got := Worst(in, now).Alike; got != 1 {
		t.Errorf("%d are alike", got)
	}
}

// TestKeep: that the end of a log differs is no change.
func TestKeep(t *testing.T) {
	report := func(state, log string, exitCode int32, since time.Duration) *updatev1alpha1.PodReport {
		at := ago(since)
		return &updatev1alpha1.PodReport{
			Name: "p", State: state, Since: &at, LastTermination: &updatev1alpha1.ContainerTermination{ExitCode: exitCode, Message: log},
		}
	}
	before := report("CrashLoopBackOff", "12:00 no quorum", 1, time.Hour)
	for name, test := range map[string]struct {
		previous, next *updatev1alpha1.PodReport
		isKept         bool
	}{
		"the log":              {before, report("CrashLoopBackOff", "12:05 no quorum", 1, time.Hour), true},
		"the state":            {before, report("NotReady", "12:05 no quorum", 1, time.Hour), false},
		"the exit code":        {before, report("CrashLoopBackOff", "12:05 no quorum", 2, time.Hour), false},
		"the start":            {before, report("CrashLoopBackOff", "12:05 no quorum", 1, time.Minute), false},
		"none before":          {nil, before, false},
		"none now":             {before, nil, false},
		"it had not ended":     {&updatev1alpha1.PodReport{Name: "p"}, before, false},
		"it has not ended now": {before, &updatev1alpha1.PodReport{Name: "p"}, false},
	} {
		want := test.next
		if test.isKept {
			want = test.previous
		}
		if got := Keep(test.previous, test.next); got != want {
			t.Errorf("%s: %s", name, text(got))
		}
	}
}

func TestRetrieval(t *testing.T) {
	retrieval := func(name string, age time.Duration, options ...option) *corev1.Pod {
		return pod(name, append([]option{retrieves, func(p *corev1.Pod) { p.CreationTimestamp = ago(age) }}, options...)...)
	}
	other := pod("other", waiting("ErrImagePull", time.Minute), func(p *corev1.Pod) { p.Namespace = VersionNamespace })
	for name, test := range map[string]struct {
		pods []*corev1.Pod
		want string
	}{
		"none":          {nil, "-"},
		"another pod":   {[]*corev1.Pod{other}, "-"},
		"its namespace": {[]*corev1.Pod{retrieval("version-4.20.2-a", time.Second, waiting("ErrImagePull", 0), func(p *corev1.Pod) { p.Namespace = "shop" })}, "-"},
		"it runs":       {[]*corev1.Pod{retrieval("version-4.20.2-a", 2*time.Minute)}, "-"},
		"is not ready":  {[]*corev1.Pod{retrieval("version-4.20.2-a", 2*time.Minute, unready(2*time.Minute))}, "-"},
		"can't pull": {[]*corev1.Pod{retrieval("version-4.20.2-a", time.Second, unready(0),
			initContainers(waits("cleanup", "ErrImagePull", "pod version-4.20.2-a: denied")))}, " ErrImagePull cleanup says pod POD: denied"},
		"created":       {[]*corev1.Pod{retrieval("version-4.20.2-a", time.Minute, waiting("ContainerCreating", 0))}, " ContainerCreating main says it says why"},
		"just created":  {[]*corev1.Pod{retrieval("version-4.20.2-a", 59*time.Second, waiting("ContainerCreating", 0))}, "-"},
		"not scheduled": {[]*corev1.Pod{retrieval("version-4.20.2-a", 2*time.Minute, unscheduled(0))}, " NotScheduled says 0/6 nodes are available"},
		"failed":        {[]*corev1.Pod{retrieval("version-4.20.2-a", time.Second, failedPod)}, " Failed main ended 1 Error no quorum"},
		"deleted":       {[]*corev1.Pod{retrieval("version-4.20.2-a", time.Minute, failedPod, deleted)}, "-"},
		"the newest": {[]*corev1.Pod{
			retrieval("version-4.20.2-a", time.Hour, failedPod), retrieval("version-4.20.2-b", time.Minute),
		}, "-"},
	} {
		if got := text(Retrieval(test.pods, now)); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// TestTrim: what is trimmed says the same.
func TestTrim(t *testing.T) {
	for _, full := range []*corev1.Pod{
		pod("p", unscheduled(time.Hour), selects("node-role.kubernetes.io/infra")), pod("p", unscheduled(time.Hour), boundToNode("b")),
		pod("p", failedPod, ownedBy("DaemonSet", "1", true)), pod("p", initContainers(waits("a", "ErrImagePull", "")), unready(time.Hour)),
		pod("p", waiting("ContainerCreating", time.Hour)),
	} {
		trimmed := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: full.Namespace, Name: full.Name}, Spec: corev1.PodSpec{NodeName: full.Spec.NodeName}}
		AddTo(trimmed, full)
		in := Input{Pods: []*corev1.Pod{full}, Away: Away{"b": "master"}}
		want := text(Worst(in, now))
		in.Pods[0] = trimmed
		if got := text(Worst(in, now)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
