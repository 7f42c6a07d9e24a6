package assess_test

import (
	"strings"
	"testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// TestPodOfInsight: what an insight says of the pod that is why there is the condition, and what to do.
func TestPodOfInsight(t *testing.T) {
	check := assess.Check[int]{HealthCheck: assess.HealthCheck{
		Name: "any", Subject: assess.OperatorNoun, Texts: assess.Texts{assess.NoCase: {One: "is down", Description: "Down."}},
		NextSteps: assess.ReadOnly("oc describe clusteroperator OPERATOR"),
	}}
	ended := &updatev1alpha1.ContainerTermination{ExitCode: 137, Reason: "OOMKilled"}
	const ownStep = "; oc describe clusteroperator etcd"
	for _, test := range []struct {
		name                    string
		pods                    *assess.Pods
		summary, details, steps string
	}{
		{"none known", nil, "", "", ownStep},
		{"none is bad", &assess.Pods{}, "", "", ownStep},
		{"not known", &assess.Pods{Unread: "openshift-etcd"}, "", "", ownStep + "; oc get pods -n openshift-etcd -o wide"},
		{"a namespace that is none", &assess.Pods{Unread: "$(x)"}, "", "", ownStep},
		{
			"not ready", &assess.Pods{Worst: &updatev1alpha1.PodReport{Namespace: "openshift-etcd", Name: "etcd-a", Node: "a", State: "NotReady", Container: "etcd"}},
			"; pod etcd-a on a is not ready", "\nPod openshift-etcd/etcd-a, container etcd: NotReady.", "; oc describe pod -n openshift-etcd etcd-a" + ownStep,
		},
		{"ended, with one more", &assess.Pods{Worst: &updatev1alpha1.PodReport{
			Namespace: "openshift-etcd", Name: "etcd-a", State: "CrashLoopBackOff", Container: "wait", LastTermination: ended, Alike: 1,
		}}, "; pod etcd-a is CrashLoopBackOff", "\nPod openshift-etcd/etcd-a, container wait: CrashLoopBackOff. It last ended with exit code 137 (OOMKilled)." +
			" 1 other pod is in the same state.", "; oc describe pod -n openshift-etcd etcd-a; oc logs -n openshift-etcd etcd-a -c wait --previous" + ownStep},
		{
			"a container whose name is none", &assess.Pods{Worst: &updatev1alpha1.PodReport{
				Namespace: "openshift-etcd", Name: "etcd-a", State: "Failed", Container: "$(x)", LastTermination: ended, Alike: 2, Message: "Evicted.",
			}}, "; pod etcd-a has failed", "\nPod openshift-etcd/etcd-a, container $(x): Evicted. It last ended with exit code 137 (OOMKilled). 2 other pods are in the same state.",
			"; oc describe pod -n openshift-etcd etcd-a" + ownStep,
		},
		{
			"of a retrieval", &assess.Pods{Worst: &updatev1alpha1.PodReport{Namespace: "openshift-cluster-version", State: "NotScheduled", LastTermination: ended}},
			"; the pod that retrieves the release is not scheduled",
			"\nPod openshift-cluster-version/(the one that retrieves the release): NotScheduled. It last ended with exit code 137 (OOMKilled).", ownStep,
		},
	} {
		check.Find = func(int) *assess.Finding { return &assess.Finding{} }
		insights, _ := assess.CheckHealth([]assess.Check[int]{check}, 0, assess.Subject{Resource: assess.OperatorRef("etcd"), Part: insight.ControlPlane, Pods: test.pods}, start)
		health, steps := insights[0].Insight.Health, ""
		for _, command := range health.Remediation.Commands {
			steps += "; " + strings.Join(command.Argv, " ")
		}
		if got := health.Impact.Summary; got != "Cluster Operator etcd is down"+test.summary {
			t.Errorf("%s: summary %q", test.name, got)
		}
		if got := health.Impact.Description; got != "Down."+test.details {
			t.Errorf("%s: description %q", test.name, got)
		}
		if steps != test.steps {
			t.Errorf("%s: steps %q", test.name, steps)
		}
	}
	check.Texts = assess.Texts{assess.NoCase: {One: "is down: " + strings.Repeat("why ", 100)}}
	check.Find = func(int) *assess.Finding {
		return &assess.Finding{Pods: &assess.Pods{Worst: &updatev1alpha1.PodReport{Name: strings.Repeat("p", 100), State: "NotReady"}}}
	}
	insights, _ := assess.CheckHealth([]assess.Check[int]{check}, 0, assess.Subject{Resource: assess.OperatorRef("etcd")}, start)
	if got := insights[0].Insight.Health.Impact.Summary; !strings.HasSuffix(got, "…; pod "+strings.Repeat("p", 100)+" is not ready") || len([]rune(got)) > updatev1alpha1.SummaryMaxLength {
		t.Errorf("a long summary: %q", got)
	}
}

// TestObservedPods: after a restart an insight names the same pod until pods are read.
func TestObservedPods(t *testing.T) {
	pod := func(name string) *updatev1alpha1.PodReport { return &updatev1alpha1.PodReport{Name: name} }
	health := func(ref updatev1alpha1.ResourceRef, pod *updatev1alpha1.PodReport) updatev1alpha1.Insight {
		return updatev1alpha1.Insight{Type: updatev1alpha1.InsightHealth, Health: &updatev1alpha1.HealthInsight{Pod: pod, Scope: updatev1alpha1.HealthScope{
			Resources: []updatev1alpha1.HealthResource{{ResourceRef: ref}},
		}}}
	}
	version := updatev1alpha1.ResourceRef{Group: "config.openshift.io", Resource: "clusterversions", Name: "version"}
	got := assess.ObservedBefore(&updatev1alpha1.UpdateStatusStatus{ControlPlane: &updatev1alpha1.ControlPlane{Informers: []updatev1alpha1.Informer{{
		Name: string(insight.ControlPlaneInformer), Insights: []updatev1alpha1.Insight{
			health(assess.OperatorRef("etcd"), pod("a")), health(assess.OperatorRef("dns"), nil), health(version, pod("")), health(assess.NodeRef("n"), pod("b")),
			{Type: updatev1alpha1.InsightHealth, Health: &updatev1alpha1.HealthInsight{Pod: pod("c")}},
		},
	}}}}).Pods
	if len(got) != 2 || got["etcd"].Worst.Name != "a" || got[""] == nil {
		t.Error(got)
	}
}
