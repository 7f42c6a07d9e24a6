package assess

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

func TestCommandsFor(t *testing.T) {
	ref := func(resource, namespace, name string, cluster ...updatev1alpha1.ResourceCluster) updatev1alpha1.ResourceRef {
		return updatev1alpha1.ResourceRef{Resource: resource, Namespace: namespace, Name: name, Cluster: append(cluster, "")[0]}
	}
	drain := ReadOnly("oc describe poddisruptionbudget -n NAMESPACE BUDGET", "oc describe pod -n NAMESPACE POD", "oc get pods --field-selector spec.nodeName=NODE")
	node, budget := ref("nodes", "", "worker-3"), ref("poddisruptionbudgets", "shop", "cart")
	const pods = "oc get pods --field-selector spec.nodeName=worker-3"
	for name, tc := range map[string]struct {
		row       []updatev1alpha1.Command
		resources []updatev1alpha1.ResourceRef
		want      []string
	}{
		"a node and a budget":          {drain, []updatev1alpha1.ResourceRef{node, budget}, []string{"oc describe poddisruptionbudget -n shop cart", pods}},
		"a pod":                        {drain, []updatev1alpha1.ResourceRef{node, ref("pods", "shop", "cart-0")}, []string{"oc describe pod -n shop cart-0", pods}},
		"without a budget":             {drain, []updatev1alpha1.ResourceRef{node}, []string{pods}},
		"without a resource":           {drain, nil, nil},
		"a name with commands":         {ReadOnly("oc describe node NODE"), []updatev1alpha1.ResourceRef{ref("nodes", "", "a; reboot")}, nil},
		"a namespace with commands":    {drain, []updatev1alpha1.ResourceRef{node, ref("poddisruptionbudgets", "$(reboot)", "cart")}, []string{pods}},
		"without a namespace":          {drain, []updatev1alpha1.ResourceRef{node, ref("poddisruptionbudgets", "", "cart")}, []string{pods}},
		"an argument that is too long": {ReadOnly("oc get pods --field-selector spec.nodeName=NODE"), []updatev1alpha1.ResourceRef{ref("nodes", "", strings.Repeat("a", 253))}, nil},
		"no placeholder":               {ReadOnly("oc adm upgrade"), nil, []string{"oc adm upgrade"}},
		"more than three":              {ReadOnly("oc a", "oc b", "oc c", "oc d"), nil, []string{"oc a", "oc b", "oc c"}},
		"a change": {
			Mutating("oc patch machineconfigpool/POOL -p", `{"spec": null}`),
			[]updatev1alpha1.ResourceRef{ref("machineconfigpools", "", "infra")},
			[]string{`! oc patch machineconfigpool/infra -p {"spec": null}`},
		},
		"an object of a hosted cluster": {
			ReadOnly("oc describe node NODE"),
			[]updatev1alpha1.ResourceRef{ref("nodes", "", "a", updatev1alpha1.ClusterHosted)},
			[]string{"oc describe node a @Hosted"},
		},
		"a hosted cluster": {
			slices.Concat(ReadOnly("oc get pods -n CONTROLPLANE"), InHosted(ReadOnly("oc get clusteroperators"))),
			[]updatev1alpha1.ResourceRef{ref("hostedclusters", "clusters", "east.a", updatev1alpha1.ClusterManagement)},
			[]string{"oc get pods -n clusters-east-a @Management", "oc get clusteroperators @Hosted"},
		},
		"a component": {
			ReadOnly("oc get pods -n CONTROLPLANE"),
			[]updatev1alpha1.ResourceRef{ref("controlplanecomponents", "clusters-east", "etcd")},
			[]string{"oc get pods -n clusters-east"},
		},
		"no control plane": {ReadOnly("oc get pods -n CONTROLPLANE"), []updatev1alpha1.ResourceRef{node}, nil},
	} {
		var got []string
		for _, command := range commandsFor(rolesOf(tc.resources), tc.row) {
			line := strings.Join(command.Argv, " ")
			if command.Effect == updatev1alpha1.CommandChanges {
				line = "! " + line
			}
			if command.Cluster != "" {
				line += " @" + string(command.Cluster)
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if row := ReadOnly("oc describe node NODE"); len(commandsFor(rolesOf([]updatev1alpha1.ResourceRef{node}), row)) != 1 || row[0].Argv[3] != "NODE" {
		t.Errorf("the row has become %v", row)
	}
}

// rolesOf returns resources of which the first is the subject.
func rolesOf(refs []updatev1alpha1.ResourceRef) []updatev1alpha1.HealthResource {
	var resources []updatev1alpha1.HealthResource
	for _, ref := range refs {
		resources = append(resources, updatev1alpha1.HealthResource{ResourceRef: ref, Role: updatev1alpha1.RoleSubject})
	}
	return resources
}

func TestReasonOf(t *testing.T) {
	for check, want := range map[string]string{"node-drain-blocked": "NodeDrainBlocked", "alert-firing": "AlertFiring"} {
		if got := ReasonOf(check); got != want {
			t.Errorf("%s has the reason %s, want %s", check, got, want)
		}
	}
}
