package updatestatus

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"
	"github.com/openshift/library-go/pkg/controller/controllercmd"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess/controlplane"
	assessinformers "github.com/openshift/cluster-version-operator/pkg/assess/informers"
	"github.com/openshift/cluster-version-operator/pkg/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/causes"
	"github.com/openshift/cluster-version-operator/pkg/drainahead"
	"github.com/openshift/cluster-version-operator/pkg/drainreader"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
	"github.com/openshift/cluster-version-operator/pkg/podreader"
	"github.com/openshift/cluster-version-operator/pkg/podstate"
	"github.com/openshift/cluster-version-operator/pkg/source"
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
	// otherVersion is that of the API in which the resource is read where its version is not served, empty if there is none: trim decodes
	// both. usesOther is whether it was read in that last.
	otherVersion string
	usesOther    atomic.Bool
}

// served returns the resource in the version in which it was read last.
func (r *resource) served() schema.GroupVersionResource {
	if r.usesOther.Load() {
		return r.inOther()
	}
	return r.GroupVersionResource
}

func (r *resource) inOther() schema.GroupVersionResource {
	return r.GroupResource().WithVersion(r.otherVersion)
}

// list lists the resource, in its other version if it is not served in the one in which it was read last.
func (r *resource) list(in func(schema.GroupVersionResource) error) error {
	usesOther := r.usesOther.Load()
	err := in(r.served())
	if r.otherVersion == "" || !apierrors.IsNotFound(err) {
		return err
	}
	next := r.inOther()
	if usesOther {
		next = r.GroupVersionResource
	}
	if nextErr := in(next); !apierrors.IsNotFound(nextErr) {
		r.usesOther.Store(!usesOther)
		return nextErr
	}
	return err
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
		name: standalone.ClusterVersionName, trim: standalone.Trim,
		object: &configv1.ClusterVersion{},
		client: func(c clients) cache.Getter { return c.config.ConfigV1().RESTClient() },
	}
	clusterOperators = &resource{
		GroupVersionResource: configv1.GroupVersion.WithResource("clusteroperators"), kinds: "ClusterOperators",
		trim:   standalone.Trim,
		object: &configv1.ClusterOperator{},
		client: func(c clients) cache.Getter { return c.config.ConfigV1().RESTClient() },
	}
	deployments = &resource{
		GroupVersionResource: appsv1.SchemeGroupVersion.WithResource("deployments"), kinds: "Deployments",
		namespace: controlplane.MachineConfigOperatorNamespace, name: controlplane.MachineConfigOperatorDeployment, trim: standalone.Trim,
		object: &appsv1.Deployment{},
		client: func(c clients) cache.Getter { return c.kube.AppsV1().RESTClient() },
	}
	machineConfigPools = &resource{
		GroupVersionResource: machineconfigv1.GroupVersion.WithResource("machineconfigpools"), kinds: "MachineConfigPools",
		optional: true, trim: standalone.Trim,
		object: &machineconfigv1.MachineConfigPool{},
		client: func(c clients) cache.Getter { return c.machineConfig.MachineconfigurationV1().RESTClient() },
	}
	// A MachineConfig has hundreds of KiB, and only an annotation is read.
	machineConfigs = &resource{
		GroupVersionResource: machineconfigv1.GroupVersion.WithResource("machineconfigs"), kinds: "MachineConfigs",
		optional: true, trim: standalone.Trim,
	}
	machineConfigNodes = &resource{
		GroupVersionResource: machineconfigv1.GroupVersion.WithResource("machineconfignodes"), kinds: "MachineConfigNodes",
		optional: true, trim: standalone.Trim,
		object: &machineconfigv1.MachineConfigNode{},
		client: func(c clients) cache.Getter { return c.machineConfig.MachineconfigurationV1().RESTClient() },
	}
	clusterNodes = &resource{
		GroupVersionResource: corev1.SchemeGroupVersion.WithResource("nodes"), kinds: "Nodes",
		trim:   standalone.Trim,
		object: &corev1.Node{},
		client: func(c clients) cache.Getter { return c.kube.CoreV1().RESTClient() },
	}
	updateInformers = updateInformersIn(metav1.NamespaceAll)
	updateStatuses  = &resource{
		GroupVersionResource: updatev1alpha1.SchemeGroupVersion.WithResource("updatestatuses"), kinds: "UpdateStatuses",
		name: updatev1alpha1.SingletonName, trim: dropManagedFields,
	}
)

// updateInformersIn returns the UpdateInformers in a namespace.
func updateInformersIn(namespace string) *resource {
	return &resource{
		GroupVersionResource: updatev1alpha1.SchemeGroupVersion.WithResource(assessinformers.Resource), kinds: "UpdateInformers",
		namespace: namespace, optional: true, trim: assessinformers.Trim,
		object: &updatev1alpha1.UpdateInformer{},
		client: func(c clients) cache.Getter { return c.update.UpdateV1alpha1().RESTClient() },
	}
}

// sourceEntry is a source and what it needs.
type sourceEntry struct {
	name insight.Source
	// resources are watched. The source starts when all are served, and stops reporting while a watch of one fails. The first
	// that fails is the one that is reported.
	resources []*resource
	// secondary resources are watched too, if they may be. The source waits for them for as long as patience.
	secondary []*resource
	patience  time.Duration
	// missing is the state of the source while an optional one of its resources does not exist.
	missing *insight.State
	// build returns what the source assesses with, and what runs beside it, nil for nothing.
	build func(sourceInput) (assess source.Assess, background background, err error)
}

// background is what runs beside a source (source.Input).
type background func(ctx context.Context, changed func())

// sourceInput is what a source is built from.
type sourceInput struct {
	*controllercmd.ControllerContext

	clients   clients
	informers *informers
	options   Options
	// What follows is of the primary controller (controller.Controller).
	send               insight.Send
	previouslyObserved source.PreviouslyObserved
	update             func() ledger.Update
	reported           func(context.Context) (ledger.View, error)
	settings           func() updatev1alpha1.UpdateStatusSpec
	setRenewals        func(func() map[types.NamespacedName]time.Time)
}

// waitingNodes returns the nodes that wait for their update as the sources report them, with their pools.
func (in sourceInput) waitingNodes(ctx context.Context) (map[string]string, error) {
	reported, err := in.reported(ctx)
	return reported.WaitingNodes(), err
}

// choosePods returns the operators whose pods are to be read, and the nodes whose pods don't count, by what the sources report.
func (in sourceInput) choosePods(ctx context.Context, wanted []podstate.Wanted) ([]podstate.Wanted, podstate.Away, error) {
	reported, err := in.reported(ctx)
	chosen, away := causes.ChoosePods(wanted, reported)
	return chosen, away, err
}

// controlPlane returns the source of the control plane.
func (in sourceInput) controlPlane() (source.Assess, background, error) {
	pods := podreader.New(podreader.Input{Kube: in.clients.kube, Clock: in.Clock, Update: in.update, Choose: in.choosePods})
	controlPlane := &source.ControlPlane{
		ClusterVersions:    in.informers.of(clusterVersions),
		ClusterOperators:   in.informers.of(clusterOperators),
		Deployments:        in.informers.of(deployments),
		Pods:               pods.Pods,
		PreviouslyObserved: in.previouslyObserved,
		ReadLease: func(ctx context.Context) (*coordinationv1.Lease, error) {
			return in.clients.kube.CoordinationV1().Leases(standalone.LeaseNamespace).Get(ctx, standalone.LeaseName, metav1.GetOptions{})
		},
	}
	return controlPlane.Assess, pods.Run, nil
}

// sources returns the sources of a cluster. Those of alerts and of drains watch nothing: they poll while the others report an update.
func sources() []sourceEntry {
	return []sourceEntry{
		{
			name:      insight.ControlPlaneInformer,
			resources: []*resource{clusterVersions, clusterOperators},
			secondary: []*resource{deployments},
			build:     sourceInput.controlPlane,
		},
		{
			name:      insight.NodeInformer,
			resources: []*resource{machineConfigPools, machineConfigs, clusterNodes, clusterVersions},
			secondary: []*resource{machineConfigNodes, clusterOperators},
			missing:   standalone.NoMachineConfigPools(),
			build: func(in sourceInput) (source.Assess, background, error) {
				drains := drainreader.New(in.clients.kube)
				nodes := &source.Nodes{
					ClusterVersions:    in.informers.of(clusterVersions),
					MachineConfigPools: in.informers.of(machineConfigPools),
					MachineConfigs:     in.informers.of(machineConfigs),
					Nodes:              in.informers.of(clusterNodes),
					MachineConfigNodes: in.informers.of(machineConfigNodes),
					ClusterOperators:   in.informers.of(clusterOperators),
					Drains:             drains.Blockers,
					PreviouslyObserved: in.previouslyObserved,

					CertificateRequests: in.clients.certificateRequests,
				}
				return nodes.Assess, drains.Run, nil
			},
		},
		{
			name: insight.AlertInformer,
			build: func(in sourceInput) (source.Assess, background, error) {
				polled, err := newAlerts(in)
				if err != nil {
					return nil, nil, fmt.Errorf("polling alerts: %w", err)
				}
				return polled.Assess, nil, nil
			},
		},
		{
			name: insight.DrainInformer,
			build: func(in sourceInput) (source.Assess, background, error) {
				ahead := drainahead.New(drainahead.Input{
					Pace:    clock.RealClock{},
					Read:    drainreader.New(in.clients.kube).Ahead,
					Update:  in.update,
					Waiting: in.waitingNodes,
				})
				return ahead.Assess, nil, nil
			},
		},
		informersSource(updateInformers),
	}
}

// informersSource returns the source of what others contribute. A cluster may have no UpdateInformers.
func informersSource(contributed *resource) sourceEntry {
	return sourceEntry{
		name:      insight.UpdateInformers,
		resources: []*resource{contributed},
		missing:   &insight.State{Complete: true},
		build: func(in sourceInput) (source.Assess, background, error) {
			informers := &source.Informers{
				UpdateInformers: in.informers.of(contributed),
				Update:          in.update,
				Reported:        in.reported,
				Settings:        func() []updatev1alpha1.InformerSetting { return in.settings().Informers },
				IsHosted:        in.options.IsHosted(),
			}
			in.setRenewals(informers.Renewals)
			return informers.Assess, nil, nil
		},
	}
}
