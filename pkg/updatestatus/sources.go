package updatestatus

import (
	"context"
	"fmt"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"

	"github.com/openshift/library-go/pkg/controller/controllercmd"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drainahead"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drainreader"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/podreader"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/podstate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/source"
)

// The resources that are watched.
var (
	clusterVersions    = watched(kinds.ClusterVersions)
	clusterOperators   = watched(kinds.ClusterOperators)
	deployments        = watched(kinds.MachineConfigOperator)
	machineConfigPools = watched(kinds.MachineConfigPools)
	machineConfigs     = watched(kinds.MachineConfigs)
	machineConfigNodes = watched(kinds.MachineConfigNodes)
	clusterNodes       = watched(kinds.Nodes)
	updateInformers    = watched(kinds.UpdateInformers)
	updateStatuses     = written(watched(kinds.UpdateStatuses))
)

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
	send      insight.Send
	view      view
}

// view is what sources read of what the primary controller knows (controller.Controller).
type view interface { //nolint:interfacebloat // all of it comes from one place, and goes one way
	// Update returns the update of the cluster, and Settings the settings of the object.
	Update() ledger.Update
	Settings() updatev1alpha1.UpdateStatusSpec
	// Reported returns what all sources have reported, and PreviouslyObserved what the object had when the controller started.
	Reported(ctx context.Context) (ledger.View, error)
	PreviouslyObserved(ctx context.Context) (assess.Observed, error)
}

// waitingNodes returns the nodes that wait for their update as the sources report them, with their pools.
func (in sourceInput) waitingNodes(ctx context.Context) (map[string]string, error) {
	reported, err := in.view.Reported(ctx)
	return reported.WaitingNodes(), err
}

// choosePods returns the operators whose pods are to be read, and the nodes whose pods don't count, by what the sources report.
func (in sourceInput) choosePods(ctx context.Context, wanted []podstate.Wanted) ([]podstate.Wanted, podstate.Away, error) {
	reported, err := in.view.Reported(ctx)
	chosen, away := causes.ChoosePods(wanted, reported)
	return chosen, away, err
}

// controlPlane returns the source of the control plane.
func (in sourceInput) controlPlane() (source.Assess, background, error) {
	pods := podreader.New(podreader.Input{Kube: in.clients.kube, Clock: in.Clock, Update: in.view.Update, Choose: in.choosePods})
	controlPlane := &source.ControlPlane{
		Caches:             in.informers.of,
		Pods:               pods.Pods,
		PreviouslyObserved: in.view.PreviouslyObserved,
		ReadLease: func(ctx context.Context) (*coordinationv1.Lease, error) {
			return in.clients.kube.CoordinationV1().Leases(kinds.VersionOperatorLease.Namespace).Get(ctx, kinds.VersionOperatorLease.Name, metav1.GetOptions{})
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
					Caches:             in.informers.of,
					Drains:             drains.Blockers,
					PreviouslyObserved: in.view.PreviouslyObserved,

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
					Update:  in.view.Update,
					Waiting: in.waitingNodes,
				})
				return ahead.Assess, nil, nil
			},
		},
		informersSource([]*resource{updateInformers}),
	}
}

// informersSource returns the source of what others contribute. A cluster may have no UpdateInformers.
func informersSource(contributed []*resource) sourceEntry {
	return sourceEntry{
		name:      insight.UpdateInformers,
		resources: contributed,
		missing:   &insight.State{Complete: true},
		build: func(in sourceInput) (source.Assess, background, error) {
			informers := &source.Informers{
				Caches:   in.informers.of,
				Update:   in.view.Update,
				Reported: in.view.Reported,
				Settings: in.view.Settings,
				IsHosted: in.options.IsHosted(),
			}
			return informers.Assess, nil, nil
		},
	}
}
