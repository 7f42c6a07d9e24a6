package hypershift_test

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/hypershift"
	hyperv1 "github.com/openshift/cluster-version-operator/test/updatestatus/hypershift/api/hypershift/v1beta1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/manifests"
	"github.com/openshift/cluster-version-operator/test/updatestatus/repository"
)

var east = manifests.Hosted{
	Namespace: "clusters", Name: "east", ControlPlaneNamespace: "clusters-east", ClusterID: "cf95e9d2-fb1d-4458-93b5-1e2d79536371",
	Image: "quay.io/example/cluster-version-operator:latest",
}

func root(t *testing.T) string {
	t.Helper()
	return repository.RootOf(t)
}

// render returns, by kind and name, what HyperShift creates.
func render(t *testing.T, change func(*hyperv1.HostedControlPlane)) map[string]any {
	t.Helper()
	hcp := hypershift.HostedControlPlane(east)
	change(hcp)
	rendered, err := hypershift.Render(root(t), east, hcp)
	if err != nil {
		t.Fatal(err)
	}
	objects := map[string]any{}
	for _, object := range rendered {
		objects[key(object)] = normalized(object)
	}
	return objects
}

func key(object manifests.Object) string {
	kind := reflect.TypeOf(object).Elem().Name()
	return kind + " " + object.GetNamespace() + "/" + object.GetName()
}

// normalized returns an object without what is of no importance: descriptions of objects that HyperShift makes in code, and the order of
// arguments. HyperShift adds the label of the component.
func normalized(object manifests.Object) any {
	switch typed := object.DeepCopyObject().(type) {
	case *appsv1.Deployment:
		slices.Sort(typed.Spec.Template.Spec.Containers[0].Args)
		delete(typed.Spec.Template.Labels, "hypershift.openshift.io/control-plane-component")
		return typed
	case *rbacv1.Role:
		return typed.Rules
	case *rbacv1.RoleBinding:
		return []any{typed.RoleRef, typed.Subjects}
	default:
		return typed
	}
}

// TestRendered: HyperShift would create what manifests/hypershift has, but for the network policy.
func TestRendered(t *testing.T) {
	controller, err := east.Controller(root(t))
	if err != nil {
		t.Fatal(err)
	}
	monitoring, err := east.Monitoring(root(t))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{}
	for _, manifest := range slices.Concat(controller, monitoring) {
		if _, isPolicy := manifest.Object.(*networkingv1.NetworkPolicy); !isPolicy {
			want[key(manifest.Object)] = normalized(manifest.Object)
		}
	}
	if diff := cmp.Diff(want, render(t, func(*hyperv1.HostedControlPlane) {})); diff != "" {
		t.Errorf("(-manifests/hypershift +HyperShift):\n%s", diff)
	}
}

// TestDisabled: without the feature set there is no component, and without monitoring nothing of monitoring.
func TestDisabled(t *testing.T) {
	const role, monitor = "Role clusters/update-status-controller-east", "PodMonitor clusters-east/update-status-controller"
	const rule, deployment = "PrometheusRule clusters-east/update-status-controller", "Deployment clusters-east/update-status-controller"
	for name, test := range map[string]struct {
		change       func(*hyperv1.HostedControlPlane)
		has, lacking []string
	}{
		"default features": {
			func(hcp *hyperv1.HostedControlPlane) { hcp.Spec.Configuration.FeatureGate.FeatureSet = "" }, []string{role}, []string{deployment, monitor},
		},
		"no feature gates": {
			func(hcp *hyperv1.HostedControlPlane) { hcp.Spec.Configuration.FeatureGate = nil }, []string{role}, []string{deployment},
		},
		"no configuration": {
			func(hcp *hyperv1.HostedControlPlane) { hcp.Spec.Configuration = nil }, []string{role}, []string{deployment},
		},
		"no monitoring": {
			func(hcp *hyperv1.HostedControlPlane) { hcp.Annotations[hyperv1.DisableMonitoringServices] = "" },
			[]string{deployment},
			[]string{monitor, rule},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := render(t, test.change)
			for _, one := range test.has {
				if got[one] == nil {
					t.Errorf("there is no %s", one)
				}
			}
			for _, one := range test.lacking {
				if got[one] != nil {
					t.Errorf("there is %s", one)
				}
			}
		})
	}
}

func TestWithoutHostedCluster(t *testing.T) {
	hcp := hypershift.HostedControlPlane(east)
	hcp.Annotations = nil
	const want = "HostedControlPlane east has no annotation hypershift.openshift.io/cluster"
	if _, err := hypershift.Render(root(t), east, hcp); err == nil || err.Error() != want {
		t.Errorf("got the error %v, want %s", err, want)
	}
}

// TestAssets: the folder has exactly what hack/updatestatus/update-manifests.sh writes.
func TestAssets(t *testing.T) {
	files, err := hypershift.AssetFiles(root(t))
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(root(t), hypershift.Assets)
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	want, got := map[string]string{}, map[string]string{}
	for _, entry := range entries {
		content, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		got[entry.Name()] = string(content)
	}
	for name, content := range files {
		want[name] = string(content)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("run hack/updatestatus/update-manifests.sh (-want +got):\n%s", diff)
	}
}
