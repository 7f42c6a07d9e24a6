package source

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/podstate"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

func updating(target string) *configv1.ClusterVersion {
	return builders.ClusterVersion(
		builders.Completed("4.20.1", start.Add(-24*time.Hour), start.Add(-23*time.Hour)), builders.Partial(target, start),
		builders.VersionCondition(builders.Condition(configv1.OperatorProgressing, configv1.ConditionTrue, start, "", "")),
	)
}

// controlPlane is the source of the control plane on caches that the test fills by hand.
func controlPlane(t *testing.T) (*ControlPlane, *fixture) {
	t.Helper()
	caches := &ControlPlane{
		Caches:             newCaches(kinds.ClusterVersions, kinds.ClusterOperators, kinds.MachineConfigOperator),
		Pods:               func([]podstate.Wanted, time.Time) (map[string]*assess.Pods, time.Time) { return nil, time.Time{} },
		PreviouslyObserved: func(context.Context) (assess.Observed, error) { return assess.Observed{}, nil },
	}
	return caches, newFixture(t, insight.ControlPlaneInformer, caches.Assess)
}

func TestControlPlane(t *testing.T) {
	caches, f := controlPlane(t)
	etcd := builders.ClusterOperator("etcd", builders.OperatorVersion("4.20.2"), builders.Healthy(start))
	dns := builders.ClusterOperator("dns", builders.OperatorVersion("4.20.1"), builders.Healthy(start))
	put(t, caches.Caches(kinds.ClusterVersions), updating("4.20.2"))
	put(t, caches.Caches(kinds.ClusterOperators), etcd, dns, builders.ClusterOperator("theirs", builders.ThirdParty()))
	if got := f.run(t); got != "dns etcd version !" || f.sent[0].State.Target != "4.20.2" {
		t.Errorf("sent %q for the target %q", got, f.sent[0].State.Target)
	}
	for _, step := range []struct {
		name, want string
		change     func()
	}{
		{"the same", "!", func() {}},
		{"an operator, and the control plane that counts it", "dns version !", func() {
			put(t, caches.Caches(kinds.ClusterOperators), builders.ClusterOperator("dns", builders.OperatorVersion("4.20.2"), builders.Healthy(start)))
		}},
		{"a deleted operator", "-dns !", func() { remove(t, caches.Caches(kinds.ClusterOperators), dns) }},
		{"an operator that joins the payload", "theirs !", func() {
			put(t, caches.Caches(kinds.ClusterOperators), builders.ClusterOperator("theirs", builders.OperatorVersion("4.20.2"), builders.Healthy(start)))
		}},
		{"an operator that leaves the payload", "-theirs !", func() {
			put(t, caches.Caches(kinds.ClusterOperators), builders.ClusterOperator("theirs", builders.ThirdParty()))
		}},
		{"another update", "etcd version !", func() { put(t, caches.Caches(kinds.ClusterVersions), updating("4.20.3")) }},
		{"no ClusterVersion", "-version !", func() { remove(t, caches.Caches(kinds.ClusterVersions), updating("")) }},
	} {
		step.change()
		if got := f.run(t); got != step.want {
			t.Errorf("%s: sent %q, want %q", step.name, got, step.want)
		}
	}
}

// TestRequestAfterRestart: since when an update is requested is known from the status, and a request that could not be read is an error.
func TestRequestAfterRestart(t *testing.T) {
	caches, f := controlPlane(t)
	put(t, caches.Caches(kinds.ClusterVersions), builders.ClusterVersion(
		builders.Completed("4.20.2", start.Add(-2*time.Hour), start.Add(-time.Hour)), builders.Requested(configv1.Update{Version: "4.20.3"}),
		builders.VersionCondition(builders.Condition(configv1.OperatorProgressing, configv1.ConditionFalse, start, "", "")),
	))
	put(t, caches.Caches(kinds.ClusterOperators), builders.ClusterOperator("etcd", builders.OperatorVersion("4.20.2"), builders.Healthy(start)))
	unreadable := errors.New("unreadable")
	read := unreadable
	since := metav1.NewTime(start.Add(-time.Hour))
	caches.PreviouslyObserved = func(context.Context) (assess.Observed, error) {
		return assess.Observed{Requested: &updatev1alpha1.RequestedUpdate{Version: "4.20.3", Since: &since}}, read
	}
	if err := f.trySync(); !errors.Is(err, unreadable) || len(f.sent) > 0 {
		t.Errorf("error %v, sent %v", err, f.sent)
	}
	read = nil
	f.run(t)
	for _, report := range f.sent[0].Reports {
		for _, one := range report.Insights {
			if version := one.Insight.ClusterVersion; version != nil && !version.Requested.Since.Equal(&since) {
				t.Errorf("requested since %v, want %v", version.Requested.Since, since)
			}
		}
	}
}

// TestImageOfTheMachineConfigOperator: a change of its Deployment alone changes what is reported of the operator.
func TestImageOfTheMachineConfigOperator(t *testing.T) {
	caches, f := controlPlane(t)
	put(t, caches.Caches(kinds.ClusterVersions), updating("4.20.2"))
	put(t, caches.Caches(kinds.ClusterOperators), builders.ClusterOperator("machine-config", builders.OperatorVersion("4.20.2"), builders.OperandVersion("operator-image", "a"), builders.Healthy(start)))
	put(t, caches.Caches(kinds.MachineConfigOperator), machineConfigOperator("a"))
	f.run(t)
	put(t, caches.Caches(kinds.MachineConfigOperator), machineConfigOperator("b"))
	if got := f.run(t); got != "machine-config version !" {
		t.Errorf("sent %q", got)
	}
}

func machineConfigOperator(image string) *appsv1.Deployment {
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: controlplane.MachineConfigOperatorNamespace, Name: controlplane.MachineConfigOperatorDeployment}}
	deployment.Spec.Template.Spec.Containers = []corev1.Container{{Name: "machine-config-operator", Image: image, Command: []string{"start"}}}
	return deployment
}

// TestPodsOfOperators: what was in the object before stays until pods are read, and what was read is reported in the same assessment.
func TestPodsOfOperators(t *testing.T) {
	caches, _ := controlPlane(t)
	put(t, caches.Caches(kinds.ClusterVersions), updating("4.20.2"))
	etcd := builders.ClusterOperator("etcd", builders.OperatorVersion("4.20.1"), builders.Healthy(start))
	etcd.Status.RelatedObjects = []configv1.ObjectReference{{Resource: "namespaces", Name: "openshift-etcd"}}
	for at := range etcd.Status.Conditions {
		if one := &etcd.Status.Conditions[at]; one.Type == configv1.OperatorDegraded {
			one.Status = configv1.ConditionTrue
		}
	}
	put(t, caches.Caches(kinds.ClusterOperators), etcd)
	known := func(name string) map[string]*assess.Pods {
		return map[string]*assess.Pods{"etcd": {Worst: &updatev1alpha1.PodReport{Namespace: "openshift-etcd", Name: name, State: "NotReady"}}}
	}
	caches.PreviouslyObserved = func(context.Context) (assess.Observed, error) { return assess.Observed{Pods: known("before")}, nil }
	var read map[string]*assess.Pods
	var wanted []podstate.Wanted
	caches.Pods = func(of []podstate.Wanted, now time.Time) (map[string]*assess.Pods, time.Time) {
		wanted = of
		return read, now.Add(time.Minute)
	}
	for _, step := range []struct {
		name string
		read map[string]*assess.Pods
		want string
	}{{"before the first read", nil, "before"}, {"read", known("after"), "after"}, {"the same", known("after"), "after"}, {"none is bad", map[string]*assess.Pods{}, ""}} {
		read = step.read
		message, next, err := caches.Assess(t.Context(), start.Add(time.Hour-time.Second))
		if err != nil || len(wanted) != 1 || next.Sub(start) > time.Hour+time.Minute {
			t.Errorf("%s: wanted %v, next %v, error %v", step.name, wanted, next, err)
		}
		if got := podIn(message); got != step.want {
			t.Errorf("%s: pod %q, want %q", step.name, got, step.want)
		}
	}
}

// podIn returns the name of the pod that an insight names, empty if none does.
func podIn(message insight.Message) string {
	for _, report := range message.Reports {
		for _, one := range report.Insights {
			if health := one.Insight.Health; health != nil && health.Pod != nil {
				return health.Pod.Name
			}
		}
	}
	return ""
}

func TestNextCheckOfEstimate(t *testing.T) {
	caches, f := controlPlane(t)
	put(t, caches.Caches(kinds.ClusterVersions), updating("4.20.2"))
	put(t, caches.Caches(kinds.ClusterOperators), builders.ClusterOperator("etcd", builders.OperatorVersion("4.20.1"), builders.Healthy(start.Add(time.Minute))))
	f.at(t, time.Hour-30*time.Second)
	if f.next != 30*time.Second+time.Millisecond {
		t.Errorf("next sync after %s", f.next)
	}
	f.at(t, 2*time.Hour)
	if f.next != 0 {
		t.Errorf("a stalled update is assessed again after %s", f.next)
	}
}

// TestTrimKeepsWhatIsAssessed compares reports from full and from trimmed objects.
func TestTrimKeepsWhatIsAssessed(t *testing.T) {
	report := func(add func(into cache.SharedIndexInformer, object runtime.Object)) insight.Message {
		caches, f := controlPlane(t)
		add(caches.Caches(kinds.ClusterVersions), updating("4.20.2"))
		add(caches.Caches(kinds.MachineConfigOperator), machineConfigOperator("b"))
		add(caches.Caches(kinds.ClusterOperators), builders.ClusterOperator("machine-config", builders.OperatorVersion("4.20.2"), builders.OperandVersion("operator-image", "a"), builders.Healthy(start)))
		add(caches.Caches(kinds.ClusterOperators), builders.ClusterOperator("theirs", builders.ThirdParty()))
		f.run(t)
		slices.SortFunc(f.sent[0].Reports, func(a, b insight.Report) int { return strings.Compare(a.Subject.Name, b.Subject.Name) })
		return f.sent[0]
	}
	trimmed := report(func(into cache.SharedIndexInformer, object runtime.Object) { put(t, into, object) })
	full := report(func(into cache.SharedIndexInformer, object runtime.Object) {
		if err := into.GetStore().Update(object); err != nil {
			t.Fatal(err)
		}
	})
	if diff := cmp.Diff(full, trimmed); diff != "" {
		t.Errorf("reports (-full +trimmed):\n%s", diff)
	}
}
