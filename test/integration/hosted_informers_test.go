package integration_test

import (
	"encoding/json"
	"strings"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

const (
	contributor = "storage"
	rebuilding  = "/storage: The array rebuilds 12 of 96 disks"
)

// expectInformers checks that an UpdateInformer in the namespace of the hosted control plane contributes to the update of that
// hosted cluster once it is trusted, and that one in another namespace does not, even if it is trusted.
func (u *hostedUpdate) expectInformers() {
	u.t.Helper()
	// The controller reads all at once, so that it would report the first one not later than the second.
	for _, namespace := range []string{hostedCluster.Namespace, hostedCluster.ControlPlaneNamespace} {
		u.contribute(namespace)
		u.trust(namespace)
	}
	object := u.until("the insight of the UpdateInformer", func(object hostedObjects) bool {
		return contributedTo(object, hostedCluster.ControlPlaneNamespace) != nil
	})
	found := contributedTo(object, hostedCluster.ControlPlaneNamespace)
	if level := found.Impact.Level; level != updatev1alpha1.LevelError {
		u.t.Errorf("level %s", level)
	}
	want := []updatev1alpha1.ResourceRef{
		{
			Cluster: updatev1alpha1.ClusterManagement, Group: updatev1alpha1.GroupName, Resource: "updateinformers",
			Namespace: hostedCluster.ControlPlaneNamespace, Name: contributor,
		},
		{Cluster: updatev1alpha1.ClusterHosted, Resource: "nodes", Name: "a"},
	}
	if diff := cmp.Diff(want, found.Scope.Resources); diff != "" {
		u.t.Errorf("resources (-want +got):\n%s", diff)
	}
	if contributedTo(object, hostedCluster.Namespace) != nil {
		u.t.Error("an UpdateInformer of another namespace is reported")
	}
	informers := u.client.UpdateV1alpha1().UpdateInformers(hostedCluster.ControlPlaneNamespace)
	if err := informers.Delete(u.t.Context(), contributor, metav1.DeleteOptions{}); err != nil {
		u.t.Fatal(err)
	}
	u.until("the insight to be gone", func(object hostedObjects) bool {
		return contributedTo(object, hostedCluster.ControlPlaneNamespace) == nil
	})
}

// contribute creates an UpdateInformer that reports an error about the node of the hosted cluster.
func (u *hostedUpdate) contribute(namespace string) {
	u.t.Helper()
	client := u.client.UpdateV1alpha1().UpdateInformers(namespace)
	created, err := client.Create(u.t.Context(), &updatev1alpha1.UpdateInformer{ObjectMeta: metav1.ObjectMeta{Name: contributor}}, metav1.CreateOptions{})
	if err != nil {
		u.t.Fatal(err)
	}
	now := metav1.Now()
	_, summary, _ := strings.Cut(rebuilding, ": ")
	created.Status = updatev1alpha1.UpdateInformerStatus{RenewedAt: &now, Insights: []updatev1alpha1.InformerInsight{{
		Name: "rebuilding", Reason: "StorageRebuilding", Level: updatev1alpha1.InformerError, Impact: updatev1alpha1.InformerImpactUpdateStalled,
		Summary: summary, Resources: []updatev1alpha1.ResourceRef{{Resource: "nodes", Name: "a"}},
	}}}
	if _, err := client.UpdateStatus(u.t.Context(), created, metav1.UpdateOptions{}); err != nil {
		u.t.Fatal(err)
	}
}

// trust trusts the UpdateInformer of a namespace, as an administrator of the management cluster does.
func (u *hostedUpdate) trust(namespace string) {
	u.t.Helper()
	patch, err := json.Marshal([]map[string]any{{"op": "add", "path": "/spec/informers/-", "value": updatev1alpha1.InformerSetting{
		Namespace: namespace, Name: contributor, State: updatev1alpha1.InformerTrusted,
	}}})
	if err != nil {
		u.t.Fatal(err)
	}
	statuses := u.client.UpdateV1alpha1().HostedClusterUpdateStatuses(hostedCluster.Namespace)
	if _, err := statuses.Patch(u.t.Context(), hostedCluster.Name, types.JSONPatchType, patch, metav1.PatchOptions{}); err != nil {
		u.t.Fatal(err)
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
