package manifests_test

import (
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
)

// peer is the other end of a connection: a pod, or, without a namespace, a host, which no selector matches.
type peer struct {
	namespace string
	labels    labels.Set
}

// connection is one to or from the pods of a policy.
type connection struct {
	name     string
	peer     peer
	protocol corev1.Protocol
	port     int32
	allowed  bool
}

// allows is how OVN-Kubernetes applies one rule of a policy: the peers and the ports must both match. The name of a port counts as
// no port, which admits all of the protocol.
func allows(t *testing.T, policy *networkingv1.NetworkPolicy, peers []networkingv1.NetworkPolicyPeer, ports []networkingv1.NetworkPolicyPort, to connection) bool {
	t.Helper()
	matches := func(selector *metav1.LabelSelector, set labels.Set) bool {
		parsed, err := metav1.LabelSelectorAsSelector(selector)
		if err != nil {
			t.Fatal(err)
		}
		return parsed.Matches(set)
	}
	isPeer := func(one networkingv1.NetworkPolicyPeer) bool {
		if one.IPBlock != nil {
			t.Fatal("addresses differ in each cluster")
		}
		inNamespace := to.peer.namespace == policy.Namespace
		if one.NamespaceSelector != nil {
			inNamespace = matches(one.NamespaceSelector, namespaceLabels(to.peer.namespace))
		}
		return to.peer.namespace != "" && inNamespace && (one.PodSelector == nil || matches(one.PodSelector, to.peer.labels))
	}
	isPort := func(one networkingv1.NetworkPolicyPort) bool {
		port := ptr.Deref(one.Port, intstr.IntOrString{}).IntVal
		return *one.Protocol == to.protocol && (port == 0 || port == to.port)
	}
	return (len(peers) == 0 || slices.ContainsFunc(peers, isPeer)) && (len(ports) == 0 || slices.ContainsFunc(ports, isPort))
}

// namespaceLabels returns those of a namespace: the second one is in openshift/cluster-monitoring-operator,
// manifests/0000_50_cluster-monitoring-operator_01-namespace.yaml.
func namespaceLabels(name string) labels.Set {
	set := labels.Set{corev1.LabelMetadataName: name}
	if name == "openshift-monitoring" {
		set["network.openshift.io/policy-group"] = "monitoring"
	}
	return set
}

// checkConnections compares what a policy allows.
func checkConnections(t *testing.T, policy *networkingv1.NetworkPolicy, ingress, egress []connection) {
	t.Helper()
	for _, from := range ingress {
		if allowed := slices.ContainsFunc(policy.Spec.Ingress, func(rule networkingv1.NetworkPolicyIngressRule) bool {
			return allows(t, policy, rule.From, rule.Ports, from)
		}); allowed != from.allowed {
			t.Errorf("from %s, port %d: %t", from.name, from.port, allowed)
		}
	}
	for _, to := range egress {
		if allowed := slices.ContainsFunc(policy.Spec.Egress, func(rule networkingv1.NetworkPolicyEgressRule) bool {
			return allows(t, policy, rule.To, rule.Ports, to)
		}); allowed != to.allowed {
			t.Errorf("to %s, port %d %s: %t", to.name, to.port, to.protocol, allowed)
		}
	}
}

// Pods of a cluster, with the labels that their operators give them: openshift/cluster-monitoring-operator, assets/prometheus-k8s and
// assets/thanos-querier; openshift/cluster-dns-operator, pkg/operator/controller/names.go.
var (
	prometheusLabels = labels.Set{
		"app.kubernetes.io/component": "prometheus", "app.kubernetes.io/name": "prometheus", "app.kubernetes.io/part-of": "openshift-monitoring",
		"app.kubernetes.io/instance": "k8s", "prometheus": "k8s",
	}
	prometheus   = peer{"openshift-monitoring", prometheusLabels}
	alertmanager = peer{"openshift-monitoring", labels.Set{"app.kubernetes.io/name": "alertmanager", "app.kubernetes.io/part-of": "openshift-monitoring"}}
	querier      = peer{"openshift-monitoring", labels.Set{
		"app.kubernetes.io/component": "query-layer", "app.kubernetes.io/instance": "thanos-querier", "app.kubernetes.io/name": "thanos-query",
	}}
	dns = peer{"openshift-dns", labels.Set{"dns.operator.openshift.io/daemonset-dns": "default"}}
)

// TestNetworkPolicy: Prometheus alone can connect to the controller, and the controller to nothing but the API server, the pods of
// the cluster's DNS and the Thanos querier.
func TestNetworkPolicy(t *testing.T) {
	policy := find[*networkingv1.NetworkPolicy](t, name)
	if types := []networkingv1.PolicyType{networkingv1.PolicyTypeIngress, networkingv1.PolicyTypeEgress}; !slices.Equal(policy.Spec.PolicyTypes, types) || policy.Spec.PodSelector.Size() > 0 {
		t.Errorf("it is for %v of %v", policy.Spec.PolicyTypes, policy.Spec.PodSelector)
	}
	served := find[*appsv1.Deployment](t, name).Spec.Template.Spec.Containers[0].Ports[0].ContainerPort
	checkConnections(t, policy, []connection{
		{"Prometheus", prometheus, "TCP", served, true},
		{"Prometheus", prometheus, "TCP", 8080, false},
		{"another pod of the monitoring", alertmanager, "TCP", 8443, false},
		{"a Prometheus of another namespace", peer{"tenant", prometheusLabels}, "TCP", 8443, false},
		{"a host", peer{}, "TCP", 8443, false},
	}, []connection{
		{"the API server", peer{}, "TCP", 6443, true},
		{"a host", peer{}, "TCP", 443, false},
		{"a host", peer{}, "UDP", 6443, false},
		{"DNS", dns, "UDP", 5353, true},
		{"DNS", dns, "TCP", 5353, true},
		{"DNS", dns, "TCP", 9154, false},
		{"another pod of DNS", peer{"openshift-dns", nil}, "UDP", 5353, false},
		{"DNS of another namespace", peer{"tenant", dns.labels}, "UDP", 5353, false},
		{"the querier", querier, "TCP", 9091, true},
		{"the querier", querier, "TCP", 9092, false},
		{"another pod of the monitoring", alertmanager, "TCP", 9091, false},
		{"a querier of another namespace", peer{"tenant", querier.labels}, "TCP", 9091, false},
	})
}
