package updatestatus

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/openshift/library-go/pkg/controller/controllercmd"
	"github.com/openshift/library-go/pkg/operator/events"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/hosted"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/publish"
)

// runHosted runs the controller of a hosted cluster, in the namespace of its control plane in the management cluster.
func runHosted(ctx context.Context, controllerContext *controllercmd.ControllerContext, clients clients, options Options) error {
	if err := clients.addHosted(options.HostedKubeconfig); err != nil {
		return err
	}
	name := options.HostedCluster
	resources := newHostedResources(name, controllerContext.OperatorNamespace, clients.hosted != nil)
	health := newHostedHealth(resources)
	return run(ctx, cluster{
		ControllerContext: controllerContext, clients: clients, options: options,
		platform: publish.Hosted(clients.update.UpdateV1alpha1().RESTClient(), publish.Owner{
			NamespacedName: name,
			Reference: func(ctx context.Context) (metav1.OwnerReference, error) {
				return ownerReference(ctx, clients, name)
			},
		}, updatev1alpha1.ResourceRef{
			Group: kinds.HostedClusters.Group, Resource: kinds.HostedClusters.Resource(),
			Namespace: name.Namespace, Name: name.Name, Cluster: updatev1alpha1.ClusterManagement,
		}),
		object: resources.object, sources: resources.sources(hostedState(health)),
		events: events.NewRecorder(clients.kube.CoreV1().Events(name.Namespace), userAgent, &corev1.ObjectReference{
			APIVersion: kinds.HostedClusters.GroupVersion().String(), Kind: kinds.HostedClusters.Kind, Namespace: name.Namespace, Name: name.Name,
		}, controllerContext.Clock),
		metrics: registeredMetrics(metricLabels(name)), hosted: health,
	})
}

// metricLabels are what tells the metrics of hosted clusters apart. That of the namespace is none of the pod.
func metricLabels(hosted types.NamespacedName) map[string]string {
	return map[string]string{"namespace": hosted.Namespace, "name": hosted.Name}
}

// newHostedHealth returns the health of the watches of the hosted cluster, which are no reason for a source to stop reporting.
func newHostedHealth(resources hostedResources) *sourceHealth {
	health := newSourceHealth(sourceEntry{name: "hosted-cluster", resources: resources.inHosted}, newAPIServerHealth())
	health.isElsewhere = true
	return health
}

// hostedState returns what the sources lack while the watches of the hosted cluster fail, or if none of it is watched.
func hostedState(health *sourceHealth) func() *insight.State {
	if len(health.source.resources) == 0 {
		missing := hosted.Unreachable("the controller has no kubeconfig of it")
		return func() *insight.State { return missing }
	}
	return func() *insight.State {
		if failing := health.State(); failing != nil {
			return hosted.Unreachable(failing.Message)
		}
		return nil
	}
}

// ownerReference returns the reference of what belongs to a HostedCluster.
func ownerReference(ctx context.Context, from clients, name types.NamespacedName) (metav1.OwnerReference, error) {
	hosted, err := from.metadata.Resource(kinds.HostedClusters.Served()).Namespace(name.Namespace).Get(ctx, name.Name, metav1.GetOptions{})
	if err != nil {
		return metav1.OwnerReference{}, fmt.Errorf("getting its metadata: %w", err)
	}
	apiVersion, kind := kinds.HostedClusters.ToAPIVersionAndKind()
	return metav1.OwnerReference{APIVersion: apiVersion, Kind: kind, Name: hosted.Name, UID: hosted.UID}, nil
}
