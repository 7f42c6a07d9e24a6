package standalone_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/podstate"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// degradedSince is an operator of the payload with namespaces that is degraded.
func degradedSince(name string, age time.Duration, namespaces ...string) *configv1.ClusterOperator {
	operator := builders.ClusterOperator(name, builders.OperatorVersion(target), builders.Healthy(start))
	for at := range operator.Status.Conditions {
		if one := &operator.Status.Conditions[at]; one.Type == configv1.OperatorDegraded {
			*one = builders.Condition(configv1.OperatorDegraded, configv1.ConditionTrue, start.Add(-age), "Bad", "it is bad")
		}
	}
	for _, one := range namespaces {
		operator.Status.RelatedObjects = append(operator.Status.RelatedObjects, configv1.ObjectReference{Resource: "namespaces", Name: one})
	}
	return operator
}

func TestPodsWanted(t *testing.T) {
	operators := []*configv1.ClusterOperator{
		degradedSince("long", 10*time.Minute, "openshift-long"), degradedSince("short", 10*time.Minute-time.Second, "openshift-short"),
		degradedSince("nowhere", time.Hour), builders.ClusterOperator("fine", builders.OperatorVersion(target), builders.Healthy(start)),
	}
	retrieval := []builders.ClusterVersionOption{builders.Requested(configv1.Update{Version: next}), refused("RetrievePayload", `Retrieving payload failed version="4.20.3" image="x" failure=timeout`)}
	for name, test := range map[string]struct {
		version *configv1.ClusterVersion
		at      time.Time
		want    string
	}{
		"a silent operator":            {updating(), start.Add(7*time.Minute + assess.Tick), "openshift-cluster-version/cluster-version-operator [openshift-cluster-version] ; long [openshift-long] it is bad; short [openshift-short] it is bad"},
		"an operator that is not yet":  {updating(), start.Add(7 * time.Minute), "long [openshift-long] it is bad; short [openshift-short] it is bad"},
		"no update":                    {idle(), start, "long [openshift-long] it is bad"},
		"a retrieval that fails":       {idle(retrieval...), start.Add(6 * time.Minute), " [openshift-cluster-version] ; long [openshift-long] it is bad; short [openshift-short] it is bad"},
		"a retrieval, failed just now": {idle(retrieval...), start, " [openshift-cluster-version] ; long [openshift-long] it is bad"},
	} {
		in := standalone.ClusterVersionInput{ClusterVersion: trimmed(test.version), ClusterOperators: allTrimmed(operators), Lease: renewedAt(start)}
		_, in.Observed, _ = standalone.ControlPlane(in, start)
		message, _, _ := standalone.ControlPlane(in, test.at)
		var got []string
		for _, one := range standalone.PodsWanted(message, in.ClusterOperators, test.at) {
			got = append(got, fmt.Sprintf("%s %v %s", one.Operator, one.Namespaces, one.Message))
		}
		if text := strings.Join(got, "; "); text != test.want {
			t.Errorf("%s: %q, want %q", name, text, test.want)
		}
	}
}

// TestPodsOfInsights: the pods of an operator are named by its insights, that of a retrieval where a retrieval fails or is slow, and that of the
// Cluster Version Operator where it is silent.
func TestPodsOfInsights(t *testing.T) {
	pods := map[string]*assess.Pods{
		"etcd":                    {Worst: &updatev1alpha1.PodReport{Namespace: "openshift-etcd", Name: "etcd-a", State: "NotReady"}},
		podstate.ReleaseRetrieval: {Worst: &updatev1alpha1.PodReport{Namespace: podstate.VersionNamespace, State: "ErrImagePull"}},
		podstate.VersionOperator:  {Worst: &updatev1alpha1.PodReport{Namespace: podstate.VersionNamespace, Name: "cluster-version-operator-a", State: "CrashLoopBackOff"}},
	}
	asks := builders.Requested(configv1.Update{Version: next})
	for name, test := range map[string]struct {
		options []builders.ClusterVersionOption
		renewed time.Duration
		want    string
	}{
		"silent":        {[]builders.ClusterVersionOption{asks}, 0, "NotReady CrashLoopBackOff ErrImagePull"},
		"no answer":     {[]builders.ClusterVersionOption{asks}, 9 * time.Minute, "NotReady ErrImagePull"},
		"no request":    {nil, 9 * time.Minute, "NotReady"},
		"not retrieved": {[]builders.ClusterVersionOption{asks, refused("RetrievePayload", `version="4.20.3" image="x" failure=timeout`)}, 9 * time.Minute, "NotReady ErrImagePull"},
		"not verified":  {[]builders.ClusterVersionOption{asks, refused("RetrievePayload", `version="4.20.3" failure=The update cannot be verified`)}, 9 * time.Minute, "NotReady"},
		"not wanted":    {[]builders.ClusterVersionOption{asks, refused("UpgradePreconditionCheckFailed", `version="4.20.3": no`)}, 9 * time.Minute, "NotReady"},
	} {
		in := standalone.ClusterVersionInput{
			ClusterVersion: trimmed(idle(test.options...)), ClusterOperators: allTrimmed([]*configv1.ClusterOperator{degradedSince("etcd", time.Hour), degradedSince("dns", time.Hour)}), Pods: pods,
			Lease: renewedAt(start.Add(test.renewed)),
		}
		_, in.Observed, _ = standalone.ControlPlane(in, start)
		message, _, _ := standalone.ControlPlane(in, start.Add(10*time.Minute))
		if got := podStates(message); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// podStates returns the states of the pods of insights about operators, then of others.
func podStates(message insight.Message) string {
	var operators, others []string
	for _, report := range message.Reports {
		for _, one := range report.Insights {
			switch health := one.Insight.Health; {
			case health == nil || health.Pod == nil:
			case report.Subject.Kind == "ClusterOperator":
				operators = append(operators, health.Pod.State)
			default:
				others = append(others, health.Pod.State)
			}
		}
	}
	return strings.Join(append(operators, others...), " ")
}
