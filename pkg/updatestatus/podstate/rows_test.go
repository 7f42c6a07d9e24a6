package podstate

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// table returns a table of pods as an API server has it: name, ready, status, age and node of each.
func table(pods ...string) *metav1.Table {
	made := &metav1.Table{}
	for _, column := range []string{"Name", "Ready", "Status", "Restarts", "Age", "IP", "Node"} {
		made.ColumnDefinitions = append(made.ColumnDefinitions, metav1.TableColumnDefinition{Name: column})
	}
	for _, one := range pods {
		cells := strings.Fields(one)
		made.Rows = append(made.Rows, metav1.TableRow{Cells: []any{cells[0], cells[1], cells[2], "9 (2m ago)", cells[3], "<none>", cells[4]}})
	}
	return made
}

func rows(t *testing.T, pods ...string) []Row {
	t.Helper()
	made, err := RowsOf("ns", table(pods...))
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestRowStates(t *testing.T) {
	for printed, want := range map[string]state{
		"1/1 Running a":               "",
		"0/1 Running a":               notReady,
		"0/1 NotReady a":              notReady,
		"0/1 Completed a":             "",
		"0/1 Succeeded a":             "",
		"0/1 Terminating a":           "",
		"0/1 Pending <none>":          notScheduled,
		"0/1 SchedulingGated <none>":  notScheduled,
		"0/1 Pending a":               containerCreating,
		"0/1 ContainerCreating a":     containerCreating,
		"0/1 PodInitializing a":       podInitializing,
		"0/1 Init:1/3 a":              podInitializing,
		"0/1 Init:CrashLoopBackOff a": crashLoop,
		"0/1 Init:Error a":            podInitializing,
		"0/1 Init:ExitCode:3 a":       podInitializing,
		"0/1 CrashLoopBackOff a":      crashLoop,
		"0/1 ImagePullBackOff a":      "ImagePullBackOff",
		"0/1 CreateContainerError a":  "CreateContainerError",
		"0/1 Error a":                 failed,
		"0/1 OOMKilled a":             failed,
		"0/1 ExitCode:3 a":            failed,
		"0/1 Signal:9 a":              failed,
		"0/1 Failed a":                failed,
	} {
		cells := strings.Fields(printed)
		if got := rows(t, "p "+cells[0]+" "+cells[1]+" 5d "+cells[2])[0].state(); got != want {
			t.Errorf("%s: %q, want %q", printed, got, want)
		}
	}
}

func TestRowsOf(t *testing.T) {
	for printed, want := range map[string]time.Duration{
		"3h24m": 3*time.Hour + 24*time.Minute, "45s": 45 * time.Second, "2d3h": 51 * time.Hour, "2y": 2 * 365 * 24 * time.Hour, "<unknown>": 0,
	} {
		if got := rows(t, "p 1/1 Running "+printed+" <none>")[0]; got.Age != want || got.Node != "" || got.Namespace != "ns" {
			t.Errorf("%s: %+v", printed, got)
		}
	}
	short := table("p 1/1 Running 5d a")
	short.Rows[0].Cells = short.Rows[0].Cells[:1]
	if got, err := RowsOf("ns", short); err != nil || got[0] != (Row{Namespace: "ns", Name: "p"}) {
		t.Errorf("a row without cells: %+v, %v", got, err)
	}
	other := table()
	other.ColumnDefinitions = other.ColumnDefinitions[:2]
	if _, err := RowsOf("ns", other); err == nil {
		t.Error("a table without columns")
	}
}

func TestCandidates(t *testing.T) {
	previous := &updatev1alpha1.PodReport{Namespace: "ns", Name: "was", State: "CrashLoopBackOff"}
	wasNotReady := &updatev1alpha1.PodReport{Namespace: "ns", Name: "was", State: "NotReady"}
	all := []string{
		"fine 1/1 Running 5d a", "young 0/1 ContainerCreating 20s a", "stuck 0/1 ContainerCreating 3h24m a", "broken 0/1 ErrImagePull 9s a",
		"x-guard-a 0/1 Running 5d a", "lost 0/1 ErrImagePull 5d away", "installer-7-a 0/1 Error 5d a",
	}
	for _, test := range []struct {
		name     string
		more     []string
		previous *updatev1alpha1.PodReport
		says     string
		want     string
	}{
		{"none before", nil, nil, "", "broken stuck young installer-7-a"},
		{"the one before runs for a moment", []string{"was 1/1 Running 5d a"}, previous, "", "was broken stuck young installer-7-a"},
		{"the one before is as bad", []string{"was 0/1 Error 5d a"}, previous, "", "was broken stuck young installer-7-a"},
		{"the one before is better", []string{"was 0/1 Running 5d a"}, wasNotReady, "", "broken stuck young was installer-7-a"},
		{"the one before is of another namespace", []string{"was 1/1 Running 5d a"}, &updatev1alpha1.PodReport{Namespace: "other", Name: "was"}, "", "broken stuck young installer-7-a"},
		{"an installer", nil, nil, "NodeInstallerDegraded: 1 nodes are failing on revision 7:", "installer-7-a broken stuck young"},
	} {
		in := Input{Rows: rows(t, append(test.more, all...)...), Away: Away{"away": "worker"}, OperatorMessage: test.says}
		var names []string
		for _, row := range Candidates(in, test.previous) {
			names = append(names, row.Name)
		}
		if got := strings.Join(names, " "); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	var many []string
	for at := range maxCandidates + 1 {
		many = append(many, fmt.Sprintf("p-%d 0/1 ErrImagePull 1h a", at))
	}
	if got := len(Candidates(Input{Rows: rows(t, many...)}, nil)); got != maxCandidates {
		t.Errorf("%d candidates", got)
	}
}

func TestNamespaces(t *testing.T) {
	operator := func(name string, related ...string) *configv1.ClusterOperator {
		made := &configv1.ClusterOperator{ObjectMeta: metav1.ObjectMeta{Name: name}}
		made.Status.RelatedObjects = []configv1.ObjectReference{{Group: "config.openshift.io", Resource: "namespaces", Name: "openshift-x"}, {Resource: "pods", Name: "openshift-y"}}
		for _, one := range related {
			made.Status.RelatedObjects = append(made.Status.RelatedObjects, configv1.ObjectReference{Resource: "namespaces", Name: one})
		}
		return made
	}
	var many []string
	for at := range maxNamespaces + 1 {
		many = append(many, fmt.Sprintf("openshift-%d", at))
	}
	for _, test := range []struct {
		operator *configv1.ClusterOperator
		want     string
	}{
		{operator("etcd"), ""},
		{operator("etcd", "openshift-etcd-operator", "openshift-etcd", "kube-system", "shop", "openshift-etcd"), "openshift-etcd openshift-etcd-operator kube-system"},
		{operator("console", "openshift-console", "openshift-console-operator", "openshift-storage"), "openshift-console openshift-console-operator"},
		{operator("storage", "openshift-storage"), "openshift-storage"},
		{operator("many", many...), strings.Join(many[:maxNamespaces], " ")},
	} {
		if got := strings.Join(Namespaces(test.operator), " "); got != test.want {
			t.Errorf("%s: %s, want %s", test.operator.Name, got, test.want)
		}
		trimmed := &configv1.ClusterOperator{ObjectMeta: test.operator.ObjectMeta}
		trimmed.Status.RelatedObjects = TrimRelated(test.operator.Status.RelatedObjects)
		if got := strings.Join(Namespaces(trimmed), " "); got != test.want {
			t.Errorf("%s, trimmed: %s", test.operator.Name, got)
		}
	}
	both := []string{"openshift-a", "openshift-b"}
	if got := (Wanted{Namespaces: both, Message: `DaemonSet "/openshift-b/x"`}).First() + (Wanted{Namespaces: both}).First(); got != "openshift-bopenshift-a" {
		t.Error(got)
	}
}

func TestAwayOf(t *testing.T) {
	node := func(name, phase string, status metav1.ConditionStatus) *insight.ScopedInsight {
		return &insight.ScopedInsight{Insight: updatev1alpha1.Insight{Node: &updatev1alpha1.NodeInsight{
			Name: name, Pool: "worker",
			Conditions: []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: status, Reason: phase}},
		}}}
	}
	health := func(resource, name string) *insight.ScopedInsight {
		return &insight.ScopedInsight{Insight: updatev1alpha1.Insight{Health: &updatev1alpha1.HealthInsight{Scope: updatev1alpha1.HealthScope{
			Resources: []updatev1alpha1.HealthResource{{ResourceRef: updatev1alpha1.ResourceRef{Resource: resource, Name: name}}},
		}}}}
	}
	lost := node("lost", updatev1alpha1.ReasonCompleted, metav1.ConditionFalse)
	lost.NotReady = true
	got := AwayOf([]*insight.ScopedInsight{
		lost, node("ready", updatev1alpha1.ReasonCompleted, metav1.ConditionFalse), node("reboots", updatev1alpha1.ReasonRebooting, metav1.ConditionTrue),
		node("late", updatev1alpha1.ReasonRebooting, metav1.ConditionTrue), health("nodes", "late"), health("machineconfigpools", "reboots"),
		health("nodes", "lost"),
		{Insight: updatev1alpha1.Insight{Health: &updatev1alpha1.HealthInsight{}}},
	})
	if len(got) != 2 || got["lost"] != "worker" || got["reboots"] != "worker" {
		t.Error(got)
	}
}

// TestNeverFails: any text of a row is a state, and any pod is one.
func TestNeverFails(t *testing.T) {
	Worst(Input{Pods: []*corev1.Pod{{}, {Spec: corev1.PodSpec{NodeName: "a"}}}}, now)
}
