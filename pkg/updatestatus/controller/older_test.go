package controller

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// TestRestartOverOlder: the controller is restarted over an object of the version before. What it writes before the sources of the insights
// have reported has what this version requires, and the times that the version before has observed.
func TestRestartOverOlder(t *testing.T) {
	content, err := os.ReadFile("../../../test/updatestatus/schema/testdata/older.yaml")
	if err != nil {
		t.Fatal(err)
	}
	older := &updatev1alpha1.UpdateStatus{}
	if err := yaml.Unmarshal(content, older); err != nil {
		t.Fatal(err)
	}
	f := newFixture(t)
	if _, err := f.client.UpdateV1alpha1().UpdateStatuses().Create(t.Context(), older.DeepCopy(), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	f.refreshCache()
	f.send(complete(insight.ControlPlaneInformer))
	f.passTime(startupPatience)
	f.mustSync(0)
	stored := f.refreshCache()
	worker := stored.Status.WorkerPools[0].Informers[0].Insights
	if diff := cmp.Diff(older.Status.WorkerPools[0].Informers[0].Insights[1].Node.DrainStartedAt, worker[1].Node.DrainStartedAt); diff != "" {
		t.Errorf("start of the drain (-older +stored):\n%s", diff)
	}
	health := worker[2].Health
	got := []string{worker[1].Node.Pool, string(health.Impact.Type), string(health.Scope.Resources[0].Role), string(health.Remediation.Commands[0].Effect)}
	if diff := cmp.Diff([]string{"worker", "APIAvailability", "Subject", "Changes"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
