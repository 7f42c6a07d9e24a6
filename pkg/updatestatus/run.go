package updatestatus

import (
	"context"
	"sync"
	"time"

	"k8s.io/client-go/tools/cache"
	"k8s.io/component-base/metrics/legacyregistry"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/openshift/library-go/pkg/controller/controllercmd"

	"github.com/openshift/cluster-version-operator/pkg/controller"
	"github.com/openshift/cluster-version-operator/pkg/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/drainreader"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/nodes"
)

// deploymentPatience is how long the control plane informer waits for the machine-config-operator Deployment before its
// first report. A cluster may have none, or none that may be read; the Deployment tells of image changes only.
const deploymentPatience = 5 * time.Second

// servedMetrics returns the metrics of this process. They are registered with what controllercmd serves at /metrics when
// the process leads for the first time.
var servedMetrics = sync.OnceValue(func() *controller.Metrics {
	made := controller.NewMetrics()
	made.Register(legacyregistry.MustRegister, legacyregistry.CustomMustRegister)
	return made
})

// Run runs the controller until the context ends, and then writes what it knows.
func Run(ctx context.Context, controllerContext *controllercmd.ControllerContext, options Options) error {
	clients, err := newClients(ctx, controllerContext)
	if err != nil {
		return err
	}
	troubles := newTroubles()
	informers, err := newInformers(clients, troubles)
	if err != nil {
		return err
	}
	primary := controller.New(controller.Input{
		Clock:     controllerContext.Clock,
		Pace:      clock.RealClock{},
		Client:    clients.update.UpdateV1alpha1().UpdateStatuses(),
		PutStatus: controller.NewPutStatus(clients.update.UpdateV1alpha1().RESTClient()),
		Informer:  informers.updateStatuses,
		Recorder:  controllerContext.EventRecorder,
		Events:    newEvents(controllerContext, clients),
		Metrics:   servedMetrics(),
	})
	alertInformer, err := newAlerts(controllerContext, options, primary)
	if err != nil {
		return err
	}
	primary.OnUpdateChange(alertInformer.Requeue)
	gates, err := newGates(controllerContext, clients, informers, troubles, primary.PreviousDrainStarts, primary.Send)
	if err != nil {
		return err
	}

	// Without UpdateStatus there is nothing to keep.
	await(ctx, clients.metadata, updateStatuses)
	if ctx.Err() != nil {
		return nil
	}
	klog.FromContext(ctx).Info("Keeping the UpdateStatus")
	var running sync.WaitGroup
	running.Go(func() { informers.updateStatuses.RunWithContext(ctx) })
	// It has no gate: it asks only while others report an update, and says itself when it can't.
	running.Go(func() { alertInformer.Run(ctx, 1) })
	// Both sources watch the ClusterVersion. Its informer starts with the first of them.
	for _, gate := range gates {
		running.Go(func() { gate.run(ctx) })
	}
	primary.Run(ctx)
	running.Wait()
	return nil
}

func newGates(
	controllerContext *controllercmd.ControllerContext, clients clients, informers informers, troubles *troubles,
	keptDrains nodes.KeptDrains, send insight.Send,
) ([]*gate, error) {
	controlPlaneSight, nodeSight := newSight(send), newSight(send)
	controlPlane, err := controlplane.New(controlplane.Input{
		Clock:            controllerContext.Clock,
		ClusterVersions:  informers.clusterVersions,
		ClusterOperators: informers.clusterOperators,
		Deployments:      informers.deployments,
		Send:             controlPlaneSight.Send,
		Recorder:         controllerContext.EventRecorder,
	})
	if err != nil {
		return nil, err
	}
	nodeDrains := drainreader.New(clients.kube, clients.machineConfig)
	nodeInformer, err := nodes.New(nodes.Input{
		Clock:              controllerContext.Clock,
		ClusterVersions:    informers.clusterVersions,
		MachineConfigPools: informers.machineConfigPools,
		MachineConfigs:     informers.machineConfigs,
		Nodes:              informers.nodes,
		Send:               nodeSight.Send,
		Drains:             nodeDrains,
		KeptDrains:         keptDrains,
		Recorder:           controllerContext.EventRecorder,
	})
	if err != nil {
		return nil, err
	}

	runClusterVersions := once(informers.clusterVersions.RunWithContext)
	controlPlaneGate, err := newGate(gate{
		source: insight.ControlPlaneInformer, metadata: clients.metadata, sight: controlPlaneSight, troubles: troubles, resync: controlPlane.Resync,
		resources: []resource{clusterVersions, clusterOperators},
		open: func(ctx context.Context) {
			runAll(ctx, runClusterVersions, informers.clusterOperators.RunWithContext, informers.deployments.RunWithContext,
				func(ctx context.Context) {
					awaitSync(ctx, informers.deployments)
					controlPlane.Run(ctx, 1)
				})
		},
	}, informers.clusterVersions, informers.clusterOperators)
	if err != nil {
		return nil, err
	}
	nodeGate, err := newGate(gate{
		source: insight.NodeInformer, metadata: clients.metadata, sight: nodeSight, troubles: troubles, resync: nodeInformer.Resync,
		resources: []resource{machineConfigPools, machineConfigs, nodeResource, clusterVersions},
		optional:  []resource{machineConfigPools, machineConfigs},
		open: func(ctx context.Context) {
			runAll(ctx, runClusterVersions, informers.machineConfigPools.RunWithContext, informers.machineConfigs.RunWithContext,
				informers.nodes.RunWithContext, func(ctx context.Context) { nodeDrains.Run(ctx, nodeInformer.Requeue) },
				func(ctx context.Context) { nodeInformer.Run(ctx, 1) })
		},
	}, informers.machineConfigPools, informers.machineConfigs, informers.nodes)
	if err != nil {
		return nil, err
	}
	return []*gate{controlPlaneGate, nodeGate}, nil
}

// once returns a function that runs another one, the first time that it is called. Both sources watch the ClusterVersion.
func once(run func(context.Context)) func(context.Context) {
	var first sync.Once
	return func(ctx context.Context) {
		first.Do(func() { run(ctx) })
	}
}

// runAll runs functions side by side until the last has returned.
func runAll(ctx context.Context, functions ...func(context.Context)) {
	var running sync.WaitGroup
	for _, function := range functions {
		running.Go(func() { function(ctx) })
	}
	running.Wait()
}

func awaitSync(ctx context.Context, informer cache.SharedIndexInformer) {
	ctx, cancel := context.WithTimeout(ctx, deploymentPatience)
	defer cancel()
	cache.WaitForCacheSync(ctx.Done(), informer.HasSynced)
}
