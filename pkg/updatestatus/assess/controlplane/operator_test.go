package controlplane_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

func TestClusterOperator(t *testing.T) {
	const (
		updated   = "Updating False Updated"
		pending   = "Updating False Pending"
		asWell    = "Healthy True AsExpected"
		unknown   = "Updating Unknown CannotDetermine"
		unhealthy = "Healthy Unknown CannotDetermine"
	)
	for _, test := range []struct {
		name    string
		options []builders.ClusterOperatorOption
		want    []string
		reason  string
	}{
		{
			name:    "updated",
			options: []builders.ClusterOperatorOption{builders.OperatorVersion(target), builders.Healthy(installed)},
			want:    []string{updated, asWell},
		},
		{
			name: "updated, still progressing",
			options: []builders.ClusterOperatorOption{
				builders.OperatorVersion(target), builders.Healthy(installed), builders.Progressing(changed, "Rolling", "out"),
			},
			want: []string{updated, asWell},
		},
		{
			name: "progressing",
			options: []builders.ClusterOperatorOption{
				builders.OperatorVersion(before), builders.Healthy(installed), builders.Progressing(changed, "NodeInstaller::Pending", "one\ntwo"),
			},
			want:   []string{"Updating True Progressing one\ntwo @08:07", asWell},
			reason: "NodeInstaller::Pending",
		},
		{
			name:    "pending",
			options: []builders.ClusterOperatorOption{builders.OperatorVersion(before), builders.Healthy(installed)},
			want:    []string{pending, asWell},
		},
		{
			name:    "reports no version",
			options: []builders.ClusterOperatorOption{builders.Healthy(installed)},
			want:    []string{pending, asWell},
		},
		{
			name:    "no conditions",
			options: []builders.ClusterOperatorOption{builders.OperatorVersion(before)},
			want: []string{
				unknown + " The operator has no Progressing condition", unhealthy + " The operator has no Available condition",
			},
		},
		{
			name: "Progressing unknown",
			options: []builders.ClusterOperatorOption{
				builders.OperatorVersion(before), builders.Healthy(installed), is(configv1.OperatorProgressing, configv1.ConditionUnknown, "", "lost"),
			},
			want: []string{unknown + " The operator has Progressing=Unknown: lost @08:07", asWell},
		},
		{
			name: "degraded",
			options: []builders.ClusterOperatorOption{
				builders.OperatorVersion(target), builders.Healthy(installed), is(configv1.OperatorDegraded, configv1.ConditionTrue, "Bad", "it is bad"),
			},
			want: []string{updated, "Healthy False Degraded it is bad @08:07"},
		},
		{
			name: "unavailable and degraded",
			options: []builders.ClusterOperatorOption{
				builders.OperatorVersion(target), is(configv1.OperatorDegraded, configv1.ConditionTrue, "Bad", "it is bad"),
				is(configv1.OperatorAvailable, configv1.ConditionUnknown, "Down", "it is down"),
			},
			want: []string{updated, "Healthy False Unavailable it is down @08:07"},
		},
		{
			name: "Degraded unknown",
			options: []builders.ClusterOperatorOption{
				builders.OperatorVersion(target), builders.Healthy(installed), is(configv1.OperatorDegraded, configv1.ConditionUnknown, "", ""),
			},
			want: []string{updated, unhealthy + " The operator has Degraded=Unknown @08:07"},
		},
		{
			name:    "Degraded absent",
			options: []builders.ClusterOperatorOption{builders.OperatorVersion(target), is(configv1.OperatorAvailable, configv1.ConditionTrue, "", "")},
			want:    []string{updated, unhealthy + " The operator has no Degraded condition"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			operator := builders.ClusterOperator("etcd", test.options...)
			scoped := controlplane.Operator(controlplane.OperatorInput{Operator: operator, Target: target}, changed).Report.Insights
			if len(scoped) != 1 || scoped[0].Part != insight.ControlPlane || scoped[0].Insight.UID != "co-etcd" {
				t.Fatalf("insights: %v", scoped)
			}
			got := scoped[0].Insight.ClusterOperator
			if diff := cmp.Diff(test.want, describe(got.Conditions)); diff != "" {
				t.Errorf("conditions (-want +got):\n%s", diff)
			}
			if got.Reason != test.reason {
				t.Errorf("reason %q, want %q", got.Reason, test.reason)
			}
		})
	}
}

func TestThirdPartyOperator(t *testing.T) {
	operator := builders.ClusterOperator("theirs", builders.ThirdParty(), builders.OperatorVersion(before))
	report := controlplane.Operator(controlplane.OperatorInput{Operator: operator, Target: target}, changed).Report
	if len(report.Insights) != 0 || report.Subject.Name != "theirs" {
		t.Errorf("report %v: a third-party operator must be taken back, whatever it was before", report)
	}
	operator.Annotations = map[string]string{"exclude.release.openshift.io/internal-openshift-hosted": "true"}
	if !controlplane.InPayload(operator) {
		t.Error("an operator that is excluded from some clusters is in the payload of the others")
	}
}

func TestMachineConfigImage(t *testing.T) {
	deployment := func(image string) *appsv1.Deployment {
		return &appsv1.Deployment{Spec: appsv1.DeploymentSpec{Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
			Containers: []corev1.Container{{Name: "kube-rbac-proxy", Image: "proxy"}, {Name: "machine-config-operator", Image: image}},
		}}}}
	}
	for _, test := range []struct {
		name       string
		operator   string
		image      string
		deployment *appsv1.Deployment
		want       string
	}{
		{
			name:       "the same image",
			operator:   "machine-config",
			image:      "new",
			deployment: deployment("new"),
			want:       updatev1alpha1.ReasonUpdated,
		},
		{
			name:       "another image",
			operator:   "machine-config",
			image:      "old",
			deployment: deployment("new"),
			want:       updatev1alpha1.ReasonPending,
		},
		{name: "Deployment not known", operator: "machine-config", image: "old", want: updatev1alpha1.ReasonUpdated},
		{
			name:       "container not there",
			operator:   "machine-config",
			image:      "old",
			deployment: &appsv1.Deployment{},
			want:       updatev1alpha1.ReasonUpdated,
		},
		{
			name:       "image not reported",
			operator:   "machine-config",
			deployment: deployment("new"),
			want:       updatev1alpha1.ReasonUpdated,
		},
		{
			name:       "another operator",
			operator:   "etcd",
			image:      "old",
			deployment: deployment("new"),
			want:       updatev1alpha1.ReasonUpdated,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			operator := builders.ClusterOperator(test.operator, builders.OperatorVersion(target), builders.Healthy(installed))
			if test.image != "" {
				builders.OperandVersion("operator-image", test.image)(operator)
			}
			got := controlplane.Operator(controlplane.OperatorInput{
				Operator: operator, Target: target, MachineConfigOperator: test.deployment,
			}, changed).Report.Insights[0].Insight.ClusterOperator
			if got.Conditions[0].Reason != test.want {
				t.Errorf("%s, want %s", got.Conditions[0].Reason, test.want)
			}
		})
	}
}

func TestOperatorTextsAreShortened(t *testing.T) {
	long := strings.Repeat("é", 100<<10)
	operator := builders.ClusterOperator("etcd", builders.Healthy(installed), builders.Progressing(changed, long, long))
	got := controlplane.Operator(controlplane.OperatorInput{Operator: operator, Target: target}, changed).Report.Insights[0].Insight.ClusterOperator
	if n := utf8.RuneCountInString(got.Conditions[0].Message); n != 4096 {
		t.Errorf("a message of %d characters", n)
	}
	if n := utf8.RuneCountInString(got.Reason); n != 256 || !strings.HasSuffix(got.Reason, "…") {
		t.Errorf("a reason of %d characters", n)
	}
}

// TestSyncError: what machine-config waits for is why it is updating, and is all that is kept of its extension.
func TestSyncError(t *testing.T) {
	const why = "error required MachineConfigPool master is not ready, retrying. Status: (total: 3, ready 1, updated: 1, unavailable: 1, degraded: 0)"
	for name, test := range map[string]struct{ operator, extension, want string }{
		"it says why":        {"machine-config", `{"lastSyncError":"` + why + `","master":"1 (ready 1) out of 3 nodes are updating"}`, why},
		"it says nothing":    {"machine-config", `{"master":"all 3 nodes are at latest configuration rendered-master-a"}`, ""},
		"no extension":       {"machine-config", "", ""},
		"another operator":   {"dns", `{"lastSyncError":"` + why + `"}`, ""},
		"it is no such text": {"machine-config", `{"lastSyncError":7}`, ""},
	} {
		operator := builders.ClusterOperator(test.operator, builders.Healthy(installed), is(configv1.OperatorProgressing, configv1.ConditionTrue, "", "Working towards 4.20.2"))
		operator.Status.Extension.Raw = []byte(test.extension)
		in := controlplane.OperatorInput{Operator: controlplane.TrimOperator(operator), Target: target}
		one, got := controlplane.Operator(in, changed).Report.Insights[0].Insight.ClusterOperator, ""
		if one.Reported != nil {
			got = one.Reported.Message
		}
		if got != test.want || one.Conditions[0].Message != "Working towards 4.20.2" {
			t.Errorf("%s: %q, %q, want %q", name, got, one.Conditions[0].Message, test.want)
		}
	}
}
