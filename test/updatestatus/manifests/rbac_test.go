package manifests_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/manifests"
)

// grants are the verbs that read a resource, by the resource with its namespace and name.
type grants map[string]string

func (g grants) add(namespace, group, resource, name, verbs string) {
	if verbs != "" {
		g[strings.TrimRight(group+"/"+resource+" in "+namespace+"/"+name, "/")] = verbs
	}
}

// ofProcess are the resources that the controller reads in its own namespace about its own process.
var ofProcess = []string{"leases", "pods", "replicasets"}

// addRules adds what rules grant to read, without subresources.
func (g grants) addRules(namespace string, rules []rbacv1.PolicyRule) {
	for _, rule := range rules {
		var verbs []string
		for _, verb := range rule.Verbs {
			if slices.Contains([]string{"get", "list", "watch"}, verb) {
				verbs = append(verbs, verb)
			}
		}
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				isOfProcess := slices.Contains([]string{controlplane.Namespace, hosted.ControlPlaneNamespace}, namespace) && slices.Contains(ofProcess, resource)
				if !strings.Contains(resource, "/") && !isOfProcess {
					g.add(namespace, group, resource, strings.Join(rule.ResourceNames, ","), strings.Join(verbs, " "))
				}
			}
		}
	}
}

// grantsOf returns what the roles of the controller grant to read.
func grantsOf(all []manifests.Manifest) grants {
	granted := grants{}
	for _, manifest := range all {
		switch role := manifest.Object.(type) {
		case *rbacv1.ClusterRole:
			if len(role.Labels) == 0 {
				granted.addRules("", role.Rules)
			}
		case *rbacv1.Role:
			if strings.HasPrefix(role.Name, name) {
				granted.addRules(role.Namespace, role.Rules)
			}
		}
	}
	return granted
}

// TestRBAC: the controllers may read the kinds of the table, and nothing else.
func TestRBAC(t *testing.T) {
	inHosted, err := manifests.HostedCluster(root(t))
	if err != nil {
		t.Fatal(err)
	}
	for of, test := range map[string]struct {
		manifests []manifests.Manifest
		// namespaces are those of places, empty for a whole cluster.
		namespaces map[kinds.Place]string
	}{
		"a standalone cluster": {read(t), map[kinds.Place]string{kinds.Cluster: ""}},
		"a management cluster": {readController(t), map[kinds.Place]string{
			kinds.HostedClusterNamespace: hosted.Namespace, kinds.ControlPlaneNamespace: hosted.ControlPlaneNamespace,
		}},
		"a hosted cluster": {inHosted, map[kinds.Place]string{kinds.Hosted: ""}},
	} {
		want := grants{}
		for kind := range kinds.All() {
			for place, namespace := range test.namespaces {
				name := kind.Name
				if kind.OfHosted {
					name = hosted.Name
				}
				want.add(namespace+kind.Namespace, kind.Group, kind.Resource(), name, kind.Verbs[place])
			}
		}
		if diff := cmp.Diff(want, grantsOf(test.manifests)); diff != "" || len(want) < 3 {
			t.Errorf("%s (-table of kinds +roles):\n%s", of, diff)
		}
	}
}

// TestRBACDocuments: the documents name each kind that is read.
func TestRBACDocuments(t *testing.T) {
	rows := regexp.MustCompile(`(?m)^\|.*$`)
	for file, places := range map[string][]kinds.Place{
		"security.md": {kinds.Cluster}, "hypershift.md": {kinds.HostedClusterNamespace, kinds.ControlPlaneNamespace, kinds.Hosted},
	} {
		content, err := os.ReadFile(filepath.Join(root(t), "docs", "updatestatus", file))
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(rows.FindAllString(string(content), -1), "\n")
		for kind := range kinds.All() {
			isRead := slices.ContainsFunc(slices.Collect(maps.Keys(kind.Verbs)), func(place kinds.Place) bool { return slices.Contains(places, place) })
			if named := regexp.MustCompile(`\b(` + kind.Kind + `|` + kind.Plural + `)\b`); isRead && !named.MatchString(text) {
				t.Errorf("the tables of docs/%s do not have %s", file, kind.Plural)
			}
		}
	}
}
