package updatestatus

import (
	"context"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"
	"github.com/openshift/library-go/pkg/controller/controllercmd"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/drainreader"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/nodes"
)

// resource is a resource that is watched.
type resource struct {
	schema.GroupVersionResource
	// kinds is the kind in the plural, as reasons of conditions give it.
	kinds string
	// namespace and name are those of the only object that is watched, empty if all are. A role can grant it by its name.
	namespace, name string
	// optional is whether a cluster is complete without the resource.
	optional bool
	// trim drops what nothing reads before an object is cached.
	trim cache.TransformFunc
	// object is an empty object, and client returns what lists and watches it; neither is set if only metadata is watched. One that
	// is unstructured has no client, and trim decodes it.
	object runtime.Object
	client func(clients) cache.Getter
}

// selectName restricts a list or watch to the only object that is watched.
func (r *resource) selectName(options *metav1.ListOptions) {
	if r.name != "" {
		options.FieldSelector = fields.OneTermEqualSelector(metav1.ObjectNameField, r.name).String()
	}
}

// The resources that are watched.
var (
	clusterVersions = &resource{
		GroupVersionResource: configv1.GroupVersion.WithResource("clusterversions"), kinds: "ClusterVersions",
		name: assess.ClusterVersionName, trim: assess.Trim,
		object: &configv1.ClusterVersion{},
		client: func(c clients) cache.Getter { return c.config.ConfigV1().RESTClient() },
	}
	clusterOperators = &resource{
		GroupVersionResource: configv1.GroupVersion.WithResource("clusteroperators"), kinds: "ClusterOperators",
		trim:   assess.Trim,
		object: &configv1.ClusterOperator{},
		client: func(c clients) cache.Getter { return c.config.ConfigV1().RESTClient() },
	}
	deployments = &resource{
		GroupVersionResource: appsv1.SchemeGroupVersion.WithResource("deployments"), kinds: "Deployments",
		namespace: assess.MachineConfigOperatorNamespace, name: assess.MachineConfigOperatorDeployment, trim: assess.Trim,
		object: &appsv1.Deployment{},
		client: func(c clients) cache.Getter { return c.kube.AppsV1().RESTClient() },
	}
	machineConfigPools = &resource{
		GroupVersionResource: machineconfigv1.GroupVersion.WithResource("machineconfigpools"), kinds: "MachineConfigPools",
		optional: true, trim: assess.Trim,
		object: &machineconfigv1.MachineConfigPool{},
		client: func(c clients) cache.Getter { return c.machineConfig.MachineconfigurationV1().RESTClient() },
	}
	// A MachineConfig has hundreds of KiB, and only an annotation is read.
	machineConfigs = &resource{
		GroupVersionResource: machineconfigv1.GroupVersion.WithResource("machineconfigs"), kinds: "MachineConfigs",
		optional: true, trim: assess.Trim,
	}
	machineConfigNodes = &resource{
		GroupVersionResource: machineconfigv1.GroupVersion.WithResource("machineconfignodes"), kinds: "MachineConfigNodes",
		optional: true, trim: assess.Trim,
		object: &machineconfigv1.MachineConfigNode{},
		client: func(c clients) cache.Getter { return c.machineConfig.MachineconfigurationV1().RESTClient() },
	}
	clusterNodes = &resource{
		GroupVersionResource: corev1.SchemeGroupVersion.WithResource("nodes"), kinds: "Nodes",
		trim:   assess.Trim,
		object: &corev1.Node{},
		client: func(c clients) cache.Getter { return c.kube.CoreV1().RESTClient() },
	}
	updateStatuses = &resource{
		GroupVersionResource: updatev1alpha1.SchemeGroupVersion.WithResource("updatestatuses"), kinds: "UpdateStatuses",
		name: updatev1alpha1.SingletonName, trim: dropManagedFields,
	}
)

// source is an informer controller that reports what it watches.
type source struct {
	name insight.Source
	// resources are watched. The source starts when all are served, and stops reporting while a watch of one fails. The first
	// that fails is the one that is reported.
	resources []*resource
	// secondary resources are watched too, if they may be. The source waits for them for as long as patience.
	secondary []*resource
	patience  time.Duration
	build     func(sourceInput) (sourceController, error)
}

// sourceController is what a source is built as.
type sourceController interface {
	Run(ctx context.Context, workers int)
	// Resync makes the source report everything again.
	Resync()
}

// sourceInput is what a source is built from.
type sourceInput struct {
	*controllercmd.ControllerContext

	clients   clients
	informers *informers
	send      insight.Send
	// watchState returns what the source reports of itself while its watches fail, nil while they work.
	watchState            func() *insight.State
	previousStarts        nodes.PreviousDrainStarts
	previousDrainFailures nodes.PreviousDrainFailures
}

// sources returns the sources that watch resources.
func sources() []source {
	return []source{
		{
			name:      insight.ControlPlaneInformer,
			resources: []*resource{clusterVersions, clusterOperators},
			secondary: []*resource{deployments},
			build: func(in sourceInput) (sourceController, error) {
				return controlplane.New(controlplane.Input{
					Clock:            in.Clock,
					ClusterVersions:  in.informers.of(clusterVersions),
					ClusterOperators: in.informers.of(clusterOperators),
					Deployments:      in.informers.of(deployments),
					WatchState:       in.watchState,
					Send:             in.send,
					Recorder:         in.EventRecorder,
				})
			},
		},
		{
			name:      insight.NodeInformer,
			resources: []*resource{machineConfigPools, machineConfigs, clusterNodes, clusterVersions},
			secondary: []*resource{machineConfigNodes},
			build: func(in sourceInput) (sourceController, error) {
				return nodes.New(nodes.Input{
					Clock:                 in.Clock,
					ClusterVersions:       in.informers.of(clusterVersions),
					MachineConfigPools:    in.informers.of(machineConfigPools),
					MachineConfigs:        in.informers.of(machineConfigs),
					Nodes:                 in.informers.of(clusterNodes),
					MachineConfigNodes:    in.informers.of(machineConfigNodes),
					WatchState:            in.watchState,
					Send:                  in.send,
					Drains:                drainreader.New(in.clients.kube),
					PreviousDrainStarts:   in.previousStarts,
					PreviousDrainFailures: in.previousDrainFailures,
					Recorder:              in.EventRecorder,
				})
			},
		},
	}
}
