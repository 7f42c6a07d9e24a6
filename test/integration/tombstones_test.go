package integration_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/restmapper"
	"k8s.io/utils/ptr"

	configv1 "github.com/openshift/api/config/v1"
	"github.com/openshift/library-go/pkg/manifest"

	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/repository"
)

// TestTombstones deletes what the tombstones name, as the Cluster Version Operator does: nothing of the manifests remains. They are
// in force in a release that knows neither the capability nor the feature set.
func TestTombstones(t *testing.T) {
	other := pool.Start(t, controlplane.Options{})
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(kubernetes.NewForConfigOrDie(other.Admin()).Discovery()))
	client := dynamic.NewForConfigOrDie(other.Admin())
	resource := func(of *manifest.Manifest) dynamic.ResourceInterface {
		t.Helper()
		mapping, err := mapper.RESTMapping(of.GVK.GroupKind(), of.GVK.Version)
		if err != nil {
			t.Fatal(err)
		}
		return client.Resource(mapping.Resource).Namespace(of.Obj.GetNamespace())
	}
	for _, tombstone := range tombstones(t) {
		if err := tombstone.Include(nil, ptr.To("Default"), ptr.To("self-managed-high-availability"), &configv1.ClusterVersionCapabilitiesStatus{}, nil, nil, nil); err != nil {
			t.Errorf("%s is not in force: %v", tombstone.String(), err)
		}
		if tombstone.Obj.GetAnnotations()["release.openshift.io/delete"] != "true" {
			t.Errorf("%s deletes nothing", tombstone.String())
		}
		if err := resource(&tombstone).Delete(t.Context(), tombstone.Obj.GetName(), metav1.DeleteOptions{}); err != nil {
			t.Errorf("deleting %s: %v", tombstone.String(), err)
		}
	}
	for _, written := range written(t) {
		object, err := resource(&written).Get(t.Context(), written.Obj.GetName(), metav1.GetOptions{})
		// A namespace and a CRD end when their content is gone, which other controllers see to.
		if !apierrors.IsNotFound(err) && (err != nil || object.GetDeletionTimestamp() == nil) {
			t.Errorf("%s remains: %v", written.String(), err)
		}
	}
}

func tombstones(t *testing.T) []manifest.Manifest {
	t.Helper()
	root, err := repository.Root()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(root, "tombstones", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var all []manifest.Manifest
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		objects, err := manifest.ParseManifests(bytes.NewReader(content))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, objects...)
	}
	return all
}
