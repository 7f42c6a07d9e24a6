package checks

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// TestNameOf checks that the name of each health check is found in the uids of its insights, of names of any length.
func TestNameOf(t *testing.T) {
	for _, check := range all {
		for _, name := range []string{"a", "worker-3.example.com", string(make([]byte, 253))} {
			if got := NameOf(insight.UID("health", check.Name+"/"+name)); got != check.Name {
				t.Errorf("%s of %q is taken for %q", check.Name, name, got)
			}
		}
	}
	if got := NameOf("health-of-a-newer-controller-1"); got != "" {
		t.Errorf("an unknown check is taken for %s", got)
	}
}

func TestNextSteps(t *testing.T) {
	node := updatev1alpha1.ResourceRef{Resource: "nodes", Name: "worker-3"}
	budget := updatev1alpha1.ResourceRef{Group: "policy", Resource: "poddisruptionbudgets", Namespace: "shop", Name: "cart"}
	pods := "oc get pods -A -o wide --field-selector spec.nodeName=worker-3"
	for name, tc := range map[string]struct {
		check     string
		resources []updatev1alpha1.ResourceRef
		want      []string
	}{
		"a node and a budget":  {"node-drain-blocked", []updatev1alpha1.ResourceRef{node, budget}, []string{"oc describe poddisruptionbudget -n shop cart", pods}},
		"a pod":                {"node-drain-blocked", []updatev1alpha1.ResourceRef{node, {Resource: "pods", Namespace: "shop", Name: "cart-0"}}, []string{"oc describe pod -n shop cart-0", pods}},
		"without a budget":     {"node-drain-blocked", []updatev1alpha1.ResourceRef{node}, []string{pods}},
		"without a resource":   {"node-drain-blocked", nil, nil},
		"a name with commands": {"node-disk-pressure", []updatev1alpha1.ResourceRef{{Resource: "nodes", Name: "a; reboot"}}, nil},
		"a namespace with commands": {
			"node-drain-blocked",
			[]updatev1alpha1.ResourceRef{node, {Resource: "poddisruptionbudgets", Namespace: "$(reboot)", Name: "cart"}},
			[]string{pods},
		},
		"a pool of a hosted cluster": {
			"node-pool-unhealthy",
			[]updatev1alpha1.ResourceRef{{Resource: "nodepools", Namespace: "clusters", Name: "surge"}},
			[]string{"oc describe nodepool -n clusters surge"},
		},
		"a degraded node": {
			"node-degraded",
			[]updatev1alpha1.ResourceRef{node},
			[]string{"oc describe node worker-3", "oc logs -n openshift-machine-config-operator -c machine-config-daemon --tail=100 " +
				"$(oc get pods -n openshift-machine-config-operator -l k8s-app=machine-config-daemon --field-selector spec.nodeName=worker-3 -o name)"},
		},
		"a degraded node of a hosted cluster": {
			"node-degraded",
			[]updatev1alpha1.ResourceRef{{Resource: "nodes", Name: "a", Cluster: updatev1alpha1.ClusterHosted}},
			[]string{"oc describe node a  # in the hosted cluster"},
		},
		"an operator of a hosted cluster": {
			"cluster-operator-degraded",
			[]updatev1alpha1.ResourceRef{{Resource: "clusteroperators", Name: "dns", Cluster: updatev1alpha1.ClusterHosted}},
			[]string{"oc describe clusteroperator dns  # in the hosted cluster", "oc adm inspect clusteroperator/dns  # in the hosted cluster"},
		},
		"a hosted cluster": {
			"hosted-cluster-etcd-unavailable",
			[]updatev1alpha1.ResourceRef{{Resource: "hostedclusters", Namespace: "clusters", Name: "east.a", Cluster: updatev1alpha1.ClusterManagement}},
			[]string{"oc describe hostedcluster -n clusters east.a", "oc get pods -n clusters-east-a"},
		},
		"a component": {
			"component-unavailable",
			[]updatev1alpha1.ResourceRef{{Resource: "controlplanecomponents", Namespace: "clusters-east", Name: "etcd", Cluster: updatev1alpha1.ClusterManagement}},
			[]string{"oc describe controlplanecomponent -n clusters-east etcd", "oc get pods -n clusters-east"},
		},
		"a hosted cluster that fails": {
			"hosted-cluster-failing",
			[]updatev1alpha1.ResourceRef{{Resource: "hostedclusters", Namespace: "clusters", Name: "east", Cluster: updatev1alpha1.ClusterManagement}},
			[]string{"oc describe hostedcluster -n clusters east", "oc get clusteroperators  # in the hosted cluster"},
		},
		"a component without a name": {"component-unavailable", nil, nil},
		"without names":              {"cluster-version-failing", nil, []string{"oc describe clusterversion version", "oc get clusteroperators"}},
	} {
		health := &updatev1alpha1.HealthInsight{Scope: updatev1alpha1.HealthScope{Resources: tc.resources}}
		if diff := cmp.Diff(tc.want, NextSteps(insight.UID("health", tc.check+"/worker-3"), health)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
