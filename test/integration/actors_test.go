package integration_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	configclient "github.com/openshift/client-go/config/clientset/versioned"
	machineconfigclient "github.com/openshift/client-go/machineconfiguration/clientset/versioned"

	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/playback"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// TestPlayer plays an update and compares each object on the API server with that of the simulation.
func TestPlayer(t *testing.T) {
	plane := pool.Take(t)
	writer, err := playback.NewWriter(plane.Admin())
	if err != nil {
		t.Fatal(err)
	}
	writes := 0
	player := playback.Player{Writer: writer, Wrote: func(simulator.Write) { writes++ }}
	simulation := simulator.NewSimulation(simulator.Update{Seed: 1, Start: time.Now(), HeartbeatEvery: 20 * time.Minute})
	if err := player.Create(t.Context(), simulation); err != nil {
		t.Fatal(err)
	}
	if _, err := player.Play(t.Context(), simulation, nil); err != nil {
		t.Fatal(err)
	}
	if writes < 300 {
		t.Errorf("the update had %d writes", writes)
	}
	for _, object := range simulation.Objects() {
		want, got := assessed(t, object), assessed(t, fetch(t, plane, object))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s %s (-played +stored):\n%s", object.GetObjectKind().GroupVersionKind().Kind, object.GetName(), diff)
		}
	}
}

// fetch gets an object of a cluster from the API server.
func fetch(t *testing.T, plane *controlplane.ControlPlane, object simulator.Object) any {
	t.Helper()
	ctx, name, options := t.Context(), object.GetName(), metav1.GetOptions{}
	config := configclient.NewForConfigOrDie(plane.Admin()).ConfigV1()
	machineConfig := machineconfigclient.NewForConfigOrDie(plane.Admin()).MachineconfigurationV1()
	kube := kubernetes.NewForConfigOrDie(plane.Admin())
	var fetched any
	var err error
	switch object.GetObjectKind().GroupVersionKind().Kind {
	case "ClusterVersion":
		fetched, err = config.ClusterVersions().Get(ctx, name, options)
	case "ClusterOperator":
		fetched, err = config.ClusterOperators().Get(ctx, name, options)
	case "MachineConfigPool":
		fetched, err = machineConfig.MachineConfigPools().Get(ctx, name, options)
	case "MachineConfig":
		fetched, err = machineConfig.MachineConfigs().Get(ctx, name, options)
	case "MachineConfigNode":
		fetched, err = machineConfig.MachineConfigNodes().Get(ctx, name, options)
	case "Deployment":
		fetched, err = kube.AppsV1().Deployments(object.GetNamespace()).Get(ctx, name, options)
	default:
		fetched, err = kube.CoreV1().Nodes().Get(ctx, name, options)
	}
	if err != nil {
		t.Fatal(err)
	}
	return fetched
}

// assessed returns the fields of an object that assessments read.
func assessed(t *testing.T, object any) any {
	t.Helper()
	content, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	var parts struct {
		Metadata struct {
			Labels, Annotations map[string]string
		}
		Spec struct {
			Unschedulable, Paused       bool
			Configuration, NodeSelector any
			MaxUnavailable              any
		}
		Status struct {
			Conditions, History, Versions, Configuration any
			MachineCount, UpdatedMachineCount            any
		}
	}
	if err := json.Unmarshal(content, &parts); err != nil {
		t.Fatal(err)
	}
	return parts
}
