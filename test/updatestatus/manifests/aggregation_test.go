package manifests_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/manifests"
)

// TestAggregation: those who can view a cluster can read all that update.openshift.io has there, and nothing else is added to a role
// that others have. Whoever may edit a namespace may not write its UpdateInformers.
func TestAggregation(t *testing.T) {
	hosted, err := manifests.HostedFiles(root(t))
	if err != nil {
		t.Fatal(err)
	}
	hostedCRDs, err := manifests.Read(hosted, image)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := manifests.HostedReader(root(t))
	if err != nil {
		t.Fatal(err)
	}
	inHosted, err := manifests.HostedCluster(root(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, all := range map[string][]manifests.Manifest{
		"a cluster":            read(t),
		"a management cluster": slices.Concat(hostedCRDs, reader, readController(t)),
		"a hosted cluster":     inHosted,
	} {
		var served, readable []string
		for _, manifest := range all {
			switch object := manifest.Object.(type) {
			case *apiextensionsv1.CustomResourceDefinition:
				served = append(served, object.Spec.Names.Plural)
			case *rbacv1.ClusterRole:
				readable = append(readable, aggregated(t, object)...)
			}
		}
		slices.Sort(served)
		slices.Sort(readable)
		if diff := cmp.Diff(served, readable); diff != "" {
			t.Errorf("%s: resources (-that it has +that readers can read):\n%s", name, diff)
		}
	}
}

// aggregated returns the resources that a role adds to cluster-reader. It must add to no other role, and must not allow writes.
func aggregated(t *testing.T, role *rbacv1.ClusterRole) []string {
	t.Helper()
	var resources []string
	for label := range role.Labels {
		to, isAggregated := strings.CutPrefix(label, "rbac.authorization.k8s.io/aggregate-to-")
		if !isAggregated {
			continue
		}
		if to != "cluster-reader" {
			t.Errorf("%s adds to the role %s", role.Name, to)
		}
		for _, rule := range role.Rules {
			resources = append(resources, rule.Resources...)
			if diff := cmp.Diff([]string{"get", "list", "watch"}, rule.Verbs); diff != "" {
				t.Errorf("%s, %v: verbs (-want +got):\n%s", role.Name, rule.Resources, diff)
			}
		}
	}
	return resources
}
