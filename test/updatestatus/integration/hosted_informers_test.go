package integration_test

import (
	"encoding/json"
	"strings"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

const (
	contributor = "storage"
	rebuilding  = "/storage: The array rebuilds 12 of 96 disks"
)

// expectInformers checks that an UpdateInformer in the namespace of the hosted control plane contributes to the update of that
// hosted cluster once it is trusted, and that one in another namespace does not, even if it is trusted.
func (p *hostedPlay) expectInformers() {
	p.t.Helper()
	// The controller reads all at once, so that it would report the first one not later than the second.
	for _, namespace := range []string{hostedCluster.Namespace, hostedCluster.ControlPlaneNamespace} {
		p.contribute(namespace)
		p.trust(namespace)
	}
	object := p.until("the insight of the UpdateInformer, which is trusted", func(object hostedObjects) bool {
		found := contributedTo(object, hostedCluster.ControlPlaneNamespace)
		return found != nil && found.Impact.Level == updatev1alpha1.LevelError
	})
	found := contributedTo(object, hostedCluster.ControlPlaneNamespace)
	want := builders.Resources(updatev1alpha1.ResourceRef{
		Cluster: updatev1alpha1.ClusterManagement, Group: updatev1alpha1.GroupName, Resource: "updateinformers",
		Namespace: hostedCluster.ControlPlaneNamespace, Name: contributor,
	}, updatev1alpha1.ResourceRef{Cluster: updatev1alpha1.ClusterHosted, Resource: "nodes", Name: "metal-0.example.com"})
	want[1].Role = updatev1alpha1.RoleAffected
	if diff := cmp.Diff(want, found.Scope.Resources); diff != "" {
		p.t.Errorf("resources (-want +got):\n%s", diff)
	}
	if contributedTo(object, hostedCluster.Namespace) != nil {
		p.t.Error("an UpdateInformer of another namespace is reported")
	}
	informers := p.client.UpdateV1alpha1().UpdateInformers(hostedCluster.ControlPlaneNamespace)
	if err := informers.Delete(p.t.Context(), contributor, metav1.DeleteOptions{}); err != nil {
		p.t.Fatal(err)
	}
	p.until("the insight to be gone", func(object hostedObjects) bool {
		return contributedTo(object, hostedCluster.ControlPlaneNamespace) == nil
	})
}

// contribute creates an UpdateInformer that reports an error about the node of the hosted cluster.
func (p *hostedPlay) contribute(namespace string) {
	p.t.Helper()
	client := p.client.UpdateV1alpha1().UpdateInformers(namespace)
	created, err := client.Create(p.t.Context(), &updatev1alpha1.UpdateInformer{ObjectMeta: metav1.ObjectMeta{Name: contributor}}, metav1.CreateOptions{})
	if err != nil {
		p.t.Fatal(err)
	}
	now := metav1.Now()
	_, summary, _ := strings.Cut(rebuilding, ": ")
	created.Status = updatev1alpha1.UpdateInformerStatus{RenewedAt: &now, Insights: []updatev1alpha1.InformerInsight{{
		Name: "rebuilding", Reason: "StorageRebuilding", Level: updatev1alpha1.InformerError, Impact: updatev1alpha1.ImpactUpdateStalled,
		Summary: summary, Resources: []updatev1alpha1.ResourceRef{{Resource: "nodes", Name: "metal-0.example.com"}},
	}}}
	if _, err := client.UpdateStatus(p.t.Context(), created, metav1.UpdateOptions{}); err != nil {
		p.t.Fatal(err)
	}
}

// trust trusts the UpdateInformer of a namespace, as an administrator of the management cluster does.
func (p *hostedPlay) trust(namespace string) {
	p.t.Helper()
	patch, err := json.Marshal([]map[string]any{{"op": "add", "path": "/spec/informers/-", "value": updatev1alpha1.InformerSetting{
		Namespace: namespace, Name: contributor, State: updatev1alpha1.InformerTrusted,
	}}})
	if err != nil {
		p.t.Fatal(err)
	}
	statuses := p.client.UpdateV1alpha1().HostedClusterUpdateStatuses(hostedCluster.Namespace)
	if _, err := statuses.Patch(p.t.Context(), hostedCluster.Name, types.JSONPatchType, patch, metav1.PatchOptions{}); err != nil {
		p.t.Fatal(err)
	}
}

// contributedTo returns the insight that the UpdateInformer of a namespace contributed, nil if there is none.
func contributedTo(object hostedObjects, namespace string) *updatev1alpha1.HealthInsight {
	for _, one := range insight.ReadAll(insight.FromHosted(&object.Status)).Health {
		if one.Health.Impact.Summary == namespace+rebuilding {
			return one.Health
		}
	}
	return nil
}
