package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/hosted"
	"github.com/openshift/cluster-version-operator/test/updatestatus/manifests"
)

const (
	fleetComponents = 40
	fleetNodes      = 100

	leaseName = "update-status-controller-lock"
	// storedNamespace has the copies of hosted clusters for the client.
	storedNamespace = "stored"

	readyInterval = time.Second
	readyPatience = 5 * time.Minute
)

// fleet are hosted clusters of one management cluster. They share an API server, which stands for theirs.
type fleet struct {
	management *controlplane.ControlPlane
	clusters   []manifests.Hosted
	// hostedKubeconfig is the same for all.
	hostedKubeconfig string
	processes        []*harness.Process
}

// newFleet creates complete hosted clusters.
func newFleet(ctx context.Context, management, shared *controlplane.ControlPlane, count int) (*fleet, error) {
	f := &fleet{management: management}
	if err := shared.InstallHosted(ctx); err != nil {
		return nil, fmt.Errorf("granting the controllers what they read of hosted clusters: %w", err)
	}
	var err error
	if f.hostedKubeconfig, err = shared.Kubeconfig(ctx, controlplane.ServiceAccount); err != nil {
		return nil, fmt.Errorf("writing the kubeconfig of the hosted clusters: %w", err)
	}
	writer, err := hosted.NewWriter(management.Admin(), shared.Admin())
	if err != nil {
		return nil, fmt.Errorf("making clients: %w", err)
	}
	writes := fleetWrites(time.Now())
	for at := range count {
		of := fleetCluster(at)
		if err := management.InstallHyperShift(ctx, of); err != nil {
			return nil, fmt.Errorf("installing manifests/hypershift for %s: %w", of.Namespace, err)
		}
		for _, write := range writes {
			if write.IsHosted && at > 0 {
				continue
			}
			if !write.IsHosted {
				if write.Object, err = inNamespaces(write.Object, of); err != nil {
					return nil, err
				}
			}
			if err := writer.Apply(ctx, write); err != nil {
				return nil, fmt.Errorf("creating hosted cluster %s: %w", of.Namespace, err)
			}
		}
		f.clusters = append(f.clusters, of)
	}
	return f, nil
}

// fleetCluster returns one of the hosted clusters, each in namespaces of its own: they have the same names.
func fleetCluster(at int) manifests.Hosted {
	namespace := fmt.Sprintf("fleet-%02d", at)
	return manifests.Hosted{
		Namespace: namespace, Name: hosted.Name, ControlPlaneNamespace: namespace + "-" + hosted.Name, Image: controlplane.Image,
	}
}

// fleetWrites are the writes that create a hosted cluster, with as many components as a large one has.
func fleetWrites(now time.Time) []hosted.Write {
	played := hosted.Play(hosted.Script{Start: now, Pools: []hosted.Pool{{Name: "workers", UpgradeType: hosted.Replace, Nodes: fleetNodes}}})
	writes, components := played.Before, 0
	var last hosted.Write
	for _, write := range played.Before {
		if write.Object.GetObjectKind().GroupVersionKind().Kind == "ControlPlaneComponent" {
			components++
			last = write
		}
	}
	for ; components < fleetComponents; components++ {
		more := last
		more.Object = last.Object.DeepCopyObject().(hosted.Object) //nolint:forcetypeassert // a copy is of the same type
		more.Object.SetName(fmt.Sprintf("component-%02d", components))
		writes = append(writes, more)
	}
	return writes
}

// inNamespaces returns an object of the played hosted cluster as one of another, wherever it names a namespace.
func inNamespaces(object hosted.Object, of manifests.Hosted) (hosted.Object, error) {
	content, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("encoding %s: %w", object.GetName(), err)
	}
	renamed := strings.NewReplacer(
		`"`+hosted.ControlPlaneNamespace+`"`, `"`+of.ControlPlaneNamespace+`"`, `"`+hosted.Namespace+`"`, `"`+of.Namespace+`"`,
		`"`+hosted.Namespace+`/`, `"`+of.Namespace+`/`,
	).Replace(string(content))
	whole := &unstructured.Unstructured{}
	if err := json.Unmarshal([]byte(renamed), &whole.Object); err != nil {
		return nil, fmt.Errorf("decoding %s: %w", object.GetName(), err)
	}
	return whole, nil
}

// start starts the controllers, and waits until each has reported everything.
func (f *fleet) start(ctx context.Context) error {
	for _, of := range f.clusters {
		account := types.NamespacedName{Namespace: of.ControlPlaneNamespace, Name: controlplane.ServiceAccount.Name}
		kubeconfig, err := f.management.Kubeconfig(ctx, account)
		if err != nil {
			return fmt.Errorf("writing the kubeconfig of a controller: %w", err)
		}
		process, err := harness.StartProcess(ctx, f.management, harness.ProcessOptions{
			Kubeconfig: kubeconfig, Logs: io.Discard, Environment: []string{"GOMAXPROCS=1"}, // as in the manifest
			Flags: []string{
				"--namespace", of.ControlPlaneNamespace, "--hosted-cluster", of.Namespace + "/" + of.Name, "--hosted-kubeconfig", f.hostedKubeconfig,
			},
		})
		if err != nil {
			return fmt.Errorf("starting a controller: %w", err)
		}
		f.processes = append(f.processes, process)
	}
	client, err := updateclient.NewForConfig(f.management.Admin())
	if err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	for _, of := range f.clusters {
		err := wait.PollUntilContextTimeout(ctx, readyInterval, readyPatience, true, func(ctx context.Context) (bool, error) {
			read, err := client.UpdateV1alpha1().HostedClusterUpdateStatusSummaries(of.Namespace).Get(ctx, of.Name, metav1.GetOptions{})
			return err == nil && meta.IsStatusConditionFalse(read.Status.Conditions, updatev1alpha1.ConditionUpdating), nil //nolint:nilerr // it is not there yet
		})
		if err != nil {
			return fmt.Errorf("waiting for the summary of %s/%s: %w", of.Namespace, of.Name, err)
		}
	}
	return nil
}

// stop stops the controllers that run.
func (f *fleet) stop() error {
	var errs []error
	for _, process := range f.processes {
		errs = append(errs, process.Stop())
	}
	f.processes = nil
	return errors.Join(errs...)
}

// store stores copies of a hosted cluster's status and summary until there are so many.
func (f *fleet) store(ctx context.Context, count int) error {
	kube, err := kubernetes.NewForConfig(f.management.Admin())
	if err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: storedNamespace}}
	if _, err := kube.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("creating a namespace: %w", err)
	}
	client, err := updateclient.NewForConfig(f.management.Admin())
	if err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	from, one := client.UpdateV1alpha1(), f.clusters[0]
	status, err := from.HostedClusterUpdateStatuses(one.Namespace).Get(ctx, one.Name, metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("reading a status: %w", err)
	}
	summary, err := from.HostedClusterUpdateStatusSummaries(one.Namespace).Get(ctx, one.Name, metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("reading a summary: %w", err)
	}
	for at := len(f.clusters); at < count; at++ {
		named := metav1.ObjectMeta{Namespace: storedNamespace, Name: fmt.Sprintf("east-%04d", at)}
		if err := harness.Store(ctx, from.HostedClusterUpdateStatuses(storedNamespace), &updatev1alpha1.HostedClusterUpdateStatus{
			ObjectMeta: named, Status: status.Status,
		}); err != nil {
			return err
		}
		if err := harness.Store(ctx, from.HostedClusterUpdateStatusSummaries(storedNamespace), &updatev1alpha1.HostedClusterUpdateStatusSummary{
			ObjectMeta: named, Status: summary.Status,
		}); err != nil {
			return err
		}
	}
	return nil
}
