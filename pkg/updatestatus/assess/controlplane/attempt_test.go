package controlplane_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
)

func TestReadAttempt(t *testing.T) {
	of := func(applied, total int32, waitingOn ...string) controlplane.Attempt {
		return controlplane.Attempt{Manifests: &updatev1alpha1.ManifestProgress{Applied: applied, Total: total}, WaitingOn: waitingOn}
	}
	for message, want := range map[string]controlplane.Attempt{
		"":                          {},
		"Cluster version is 4.20.2": {},
		"Working towards 4.20.2":    {},
		"Working towards 4.20.2: 0 of 0 done (0% complete)":                                                    {},
		"Working towards 4.20.2: 96 of 744 done (12% complete)":                                                of(96, 744),
		"Working towards 4.20.2: 99999999999 of 744 done (12% complete)":                                       of(0, 744),
		"Working towards 4.20.2: 800 of 744 done (12% complete)":                                               of(744, 744),
		"Unable to apply 4.20.2: 96 of 744 done":                                                               {},
		"Working towards 4.20.2: 96 of 744 done (12% complete), waiting on etcd":                               of(96, 744, "etcd"),
		"Working towards 4.20.2: 96 of 744 done (12% complete), waiting on etcd, kube-apiserver":               of(96, 744, "etcd", "kube-apiserver"),
		"Working towards 4.20.2: 96 of 744 done (12% complete), waiting up to 40 minutes on etcd":              of(96, 744, "etcd"),
		"Working towards 4.20.2: waiting on dns over 30 minutes which is longer than expected":                 {WaitingOn: []string{"dns"}},
		"waiting on a, b over 30 minutes and machine-config over 90 minutes which is longer than expected":     {WaitingOn: []string{"a", "b", "machine-config"}},
		"Unable to apply 4.20.2: wait has exceeded 40 minutes for these operators: network, dns":               {WaitingOn: []string{"network", "dns"}},
		"Multiple errors are preventing progress:\n* waiting on a, a\n* waiting on b":                          {WaitingOn: []string{"a", "b"}},
		"Working towards 4.20.2: 1 of 2 done (50% complete), the cluster operator waiting-on has no condition": of(1, 2),
	} {
		t.Run(message, func(t *testing.T) {
			if diff := cmp.Diff(want, controlplane.ReadAttempt(message)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestFailedObjects(t *testing.T) {
	for message, want := range map[string][]controlplane.FailedObject{
		"Cluster operator etcd is degraded": nil,
		`Could not update deployment "openshift-etcd-operator/etcd-operator" (96 of 744): the server is down or not responding`: {
			{Kind: "deployment", Namespace: "openshift-etcd-operator", Name: "etcd-operator", IsManifest: true},
		},
		`Could not update customresourcedefinition "a.example.com" (1 of 744)`: {{Kind: "customresourcedefinition", Name: "a.example.com", IsManifest: true}},
		`Could not update customresourcedefinition "a.example.com"`:            nil,
		"deployment ns/a is not available MinimumReplicasUnavailable: no":      {{Kind: "deployment", Namespace: "ns", Name: "a"}},
		"deployment ns/a is not progressing ProgressDeadlineExceeded: no":      {{Kind: "deployment", Namespace: "ns", Name: "a"}},
		"deployment ns/a has a replica failure FailedCreate: denied":           {{Kind: "deployment", Namespace: "ns", Name: "a"}},
		"deployment ns/a is Progressing=False: ProgressDeadlineExceeded: no":   {{Kind: "deployment", Namespace: "ns", Name: "a"}},
		"deployment ns/a is being deleted":                                     nil,
		"Multiple errors are preventing progress:\n* Could not update role \"ns/a\" (1 of 7)\n* Could not update thing \"b\" (2 of 7): no": {
			{Kind: "role", Namespace: "ns", Name: "a", IsManifest: true}, {Kind: "thing", Name: "b", IsManifest: true},
		},
	} {
		t.Run(message, func(t *testing.T) {
			if diff := cmp.Diff(want, controlplane.FailedObjects(message)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestFailedOperators(t *testing.T) {
	for message, want := range map[string][]string{
		`Could not update role "a" (1 of 7)`:                                                                                     nil,
		"Cluster operator etcd is degraded":                                                                                      {"etcd"},
		"Cluster operators console, machine-config are not available":                                                            {"console", "machine-config"},
		"Cluster operator monitoring is reporting a failure: it is so":                                                           {"monitoring"},
		"wait has exceeded 40 minutes for these operators: network, dns":                                                         {"network", "dns"},
		"Multiple errors are preventing progress:\n* Cluster operator b is degraded\n* Cluster operators a, b are not available": {"b", "a"},
	} {
		if diff := cmp.Diff(want, controlplane.FailedOperators(message)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", message, diff)
		}
	}
}

func TestFailedObjectRef(t *testing.T) {
	policy := controlplane.FailedObject{Kind: "networkpolicy", Namespace: "ns", Name: "a"}
	want := updatev1alpha1.ResourceRef{Group: "networking.k8s.io", Resource: "networkpolicies", Namespace: "ns", Name: "a"}
	if got, isKnown := policy.Ref(); got != want || !isKnown {
		t.Errorf("got %v, %v", got, isKnown)
	}
	if _, isKnown := (controlplane.FailedObject{Kind: "thing", Name: "a"}).Ref(); isKnown {
		t.Error("the group of a kind that is not known is known")
	}
}
