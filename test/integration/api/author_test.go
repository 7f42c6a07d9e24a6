package api_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	applyv1alpha1 "github.com/openshift/cluster-version-operator/pkg/generated/applyconfigurations/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/repository"
)

// author is the account that renews the UpdateInformer of docs/security.md.
var author = types.NamespacedName{Namespace: metav1.NamespaceDefault, Name: "author"}

// TestAuthor: the Role of docs/security.md lets an author apply its UpdateInformer, which creates it, and renew its status, and nothing
// else.
func TestAuthor(t *testing.T) {
	reset(t)
	grant(t, roleOfDocument(t))
	config, err := plane.As(t.Context(), author)
	if err != nil {
		t.Fatal(err)
	}
	access := authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: &authorizationv1.ResourceAttributes{
		Namespace: author.Namespace, Group: updatev1alpha1.GroupName, Resource: "updateinformers", Name: "ceph", Verb: "patch",
	}}
	if err := controlplane.AwaitAccess(t.Context(), config, access, true); err != nil {
		t.Fatal(err)
	}
	client := versioned.NewForConfigOrDie(config).UpdateV1alpha1()
	informers, options := client.UpdateInformers(author.Namespace), metav1.ApplyOptions{FieldManager: "author"}
	own := applyv1alpha1.UpdateInformer("ceph", author.Namespace)
	if _, err := informers.Apply(t.Context(), own, options); err != nil {
		t.Errorf("creating its own: %v", err)
	}
	status := applyv1alpha1.UpdateInformerStatus().WithRenewedAt(metav1.Now())
	if renewed, err := informers.ApplyStatus(t.Context(), own.WithStatus(status), options); err != nil || renewed.Status.RenewedAt == nil {
		t.Errorf("renewing its own: %v", err)
	}
	for what, err := range map[string]error{
		"creating another": second(informers.Apply(t.Context(), applyv1alpha1.UpdateInformer("other", author.Namespace), options)),
		"creating one in another namespace": second(client.UpdateInformers(controlplane.Namespace).
			Apply(t.Context(), applyv1alpha1.UpdateInformer("ceph", controlplane.Namespace), options)),
		"listing":     second(informers.List(t.Context(), metav1.ListOptions{})),
		"deleting":    informers.Delete(t.Context(), "ceph", metav1.DeleteOptions{}),
		"trusting it": second(client.UpdateStatuses().Patch(t.Context(), updatev1alpha1.SingletonName, types.JSONPatchType, []byte("[]"), metav1.PatchOptions{})),
	} {
		if !apierrors.IsForbidden(err) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func second[T any](_ T, err error) error {
	return err
}

// roleOfDocument reads the Role of docs/security.md.
func roleOfDocument(t *testing.T) *rbacv1.Role {
	t.Helper()
	root, err := repository.Root()
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(filepath.Join(root, "docs/security.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(content), "```yaml\n")
	block, _, _ = strings.Cut(block, "```")
	role := &rbacv1.Role{}
	if err := yaml.UnmarshalStrict([]byte(block), role); err != nil || role.Kind != "Role" {
		t.Fatalf("docs/security.md has no Role: %v\n%s", err, block)
	}
	return role
}

// grant grants a Role to the author, in its own namespace.
func grant(t *testing.T, role *rbacv1.Role) {
	t.Helper()
	role.Namespace = author.Namespace
	kube := kubernetes.NewForConfigOrDie(plane.Admin())
	binding := &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: role.Name, Namespace: role.Namespace},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: role.Kind, Name: role.Name},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: author.Namespace, Name: author.Name}},
	}
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: author.Name, Namespace: author.Namespace}}
	t.Cleanup(func() {
		ctx := context.WithoutCancel(t.Context())
		_ = kube.CoreV1().ServiceAccounts(author.Namespace).Delete(ctx, author.Name, metav1.DeleteOptions{})
		_ = kube.RbacV1().Roles(role.Namespace).Delete(ctx, role.Name, metav1.DeleteOptions{})
		_ = kube.RbacV1().RoleBindings(role.Namespace).Delete(ctx, binding.Name, metav1.DeleteOptions{})
	})
	if _, err := kube.CoreV1().ServiceAccounts(author.Namespace).Create(t.Context(), account, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := kube.RbacV1().Roles(role.Namespace).Create(t.Context(), role, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := kube.RbacV1().RoleBindings(role.Namespace).Create(t.Context(), binding, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}
