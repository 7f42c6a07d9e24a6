package describe

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// contributed returns a status with an insight that an UpdateInformer contributed, with a page.
func contributed(page string, settings ...updatev1alpha1.InformerSetting) *updatev1alpha1.UpdateStatus {
	started := metav1.NewTime(testNow)
	return &updatev1alpha1.UpdateStatus{
		ObjectMeta: metav1.ObjectMeta{Name: updatev1alpha1.SingletonName},
		Spec:       updatev1alpha1.UpdateStatusSpec{Informers: settings},
		Status: updatev1alpha1.UpdateStatusStatus{ControlPlane: &updatev1alpha1.ControlPlane{Informers: []updatev1alpha1.Informer{{
			Name: "informers", Insights: []updatev1alpha1.Insight{{UID: "contributed", Health: &updatev1alpha1.HealthInsight{
				StartedAt:   &started,
				Scope:       updatev1alpha1.HealthScope{Resources: builders.Resources(updatev1alpha1.ResourceRef{Group: updatev1alpha1.GroupName, Resource: "updateinformers", Namespace: "acme-storage", Name: "array"})},
				Impact:      updatev1alpha1.HealthImpact{Level: updatev1alpha1.LevelWarning, Summary: "acme-storage/array: The array rebuilds"},
				Remediation: updatev1alpha1.HealthRemediation{Reference: page},
			}}},
		}}}},
	}
}

// TestInformer checks what is shown of an insight that an UpdateInformer contributed: how to trust or disable it, and its own page, not
// that about updates in general.
func TestInformer(t *testing.T) {
	const own, patch = "https://acme.example.com/rebuilding", `oc patch updatestatus cluster --type=json ` +
		`'--patch=[{"op":"add","path":"/spec/informers/-","value":{"namespace":"acme-storage","name":"array","state":`
	trusted := updatev1alpha1.InformerSetting{Namespace: "acme-storage", Name: "array", State: updatev1alpha1.InformerTrusted}
	hosted := contributed(reference.Updating, trusted)
	hosted.Name, hosted.Namespace = "demo", "clusters"
	for name, test := range map[string]struct {
		status        *updatev1alpha1.UpdateStatus
		want, without []string
	}{
		"not trusted": {
			status: contributed(reference.Updating),
			want: []string{
				"\n  To trust, or to disable, this informer:\n    " + patch + "\"Trusted\"}}]'\n    " + patch + "\"Disabled\"}}]'\n",
			},
			without: []string{"→", "see https"},
		},
		"trusted": {
			status:  contributed(own, trusted),
			want:    []string{"→ see " + own, "\n  This informer is trusted. To change that:\n    oc edit updatestatus cluster\n"},
			without: []string{"To trust"},
		},
		"of a hosted cluster": {
			status: hosted, want: []string{"    oc edit hostedclusterupdatestatus demo --namespace=clusters\n"}, without: []string{"→"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := text(t, test.status, Options{Now: testNow, Head: Head(read(test.status, testNow), testNow), Details: DetailsHealth})
			for _, one := range test.want {
				if !strings.Contains(got, one) {
					t.Errorf("it lacks\n%s\nin\n%s", one, got)
				}
			}
			for _, one := range test.without {
				if strings.Contains(got, one) {
					t.Errorf("it has\n%s\nin\n%s", one, got)
				}
			}
		})
	}
}

// TestNotRenewed: the text starts with trusted informers that are not renewed, and not with what anybody can bring about.
func TestNotRenewed(t *testing.T) {
	for reason, want := range map[string]string{
		updatev1alpha1.ReasonNotRenewed:          "a/b",
		"CannotListUpdateInformers":              "a/b",
		updatev1alpha1.ReasonUntrustedNotRenewed: "",
		updatev1alpha1.ReasonTooManyInformers:    "",
	} {
		one := metav1.Condition{Type: updatev1alpha1.ConditionInformersReporting, Status: metav1.ConditionFalse, Reason: reason, Message: "a/b"}
		if got := notRenewed([]metav1.Condition{one}); got != want {
			t.Errorf("%s: %q", reason, got)
		}
	}
	if got := notRenewed(nil); got != "" {
		t.Errorf("without the condition: %q", got)
	}
}
