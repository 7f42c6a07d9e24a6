package builders_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/test/builders"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func TestClusterVersionHistory(t *testing.T) {
	version := builders.ClusterVersion(
		builders.Completed("4.20.0", start, start.Add(time.Hour)),
		builders.Partial("4.20.1", start.Add(2*time.Hour)),
		builders.Partial("4.20.2", start.Add(3*time.Hour)),
	)

	var got []string
	for _, item := range version.Status.History {
		line := string(item.State) + " " + item.Version + " " + item.StartedTime.UTC().Format(time.TimeOnly)
		if item.CompletionTime != nil {
			line += " " + item.CompletionTime.UTC().Format(time.TimeOnly)
		}
		got = append(got, line)
	}
	want := []string{
		"Partial 4.20.2 06:04:05",
		"Partial 4.20.1 05:04:05 06:04:05",
		"Completed 4.20.0 03:04:05 04:04:05",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
	if got := version.Status.Desired.Version; got != "4.20.2" {
		t.Errorf("desired version is %s", got)
	}
}

func TestOptionsReplace(t *testing.T) {
	operator := builders.ClusterOperator("etcd",
		builders.OperatorVersion("4.20.0"),
		builders.OperatorVersion("4.20.1"),
		builders.Healthy(start),
		builders.Progressing(start.Add(time.Minute), "NodeInstaller", "two of three nodes"),
	)
	if got := operator.Status.Versions; len(got) != 1 || got[0].Version != "4.20.1" {
		t.Errorf("versions are %v", got)
	}
	if got := len(operator.Status.Conditions); got != 3 {
		t.Errorf("the operator has %d conditions", got)
	}
	progressing := operator.Status.Conditions[1]
	if progressing.Type != configv1.OperatorProgressing || progressing.Status != configv1.ConditionTrue {
		t.Errorf("Progressing is %v", progressing)
	}

	node := builders.Node("a", builders.Role("worker"), builders.NotReady(start))
	if got := node.Status.Conditions; len(got) != 1 || got[0].Status != corev1.ConditionFalse {
		t.Errorf("the node's conditions are %v", got)
	}
}
