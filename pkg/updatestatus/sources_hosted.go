package updatestatus

import (
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/hosted"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drainreader"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/source"
)

// hostedPatience is how long the sources of a hosted cluster wait at the start for what is not always there: the API server of the
// hosted cluster restarts in each update, as this controller does, and until the first report the insights of before stay.
const hostedPatience = time.Minute

// hostedResources are the resources that are watched for a hosted cluster.
type hostedResources struct {
	name         types.NamespacedName
	controlPlane string
	byKind       map[*kinds.Kind]*resource
	// object has the status that is written, and inHosted are resources of the hosted cluster, none without its kubeconfig.
	object   *resource
	inHosted []*resource
}

// newHostedResources returns the resources of a hosted cluster whose control plane is in a namespace.
func newHostedResources(name types.NamespacedName, controlPlane string, hasKubeconfig bool) hostedResources {
	r := hostedResources{name: name, controlPlane: controlPlane, byKind: map[*kinds.Kind]*resource{}}
	r.object = written(watchedFor(kinds.HostedClusterUpdateStatuses, name, controlPlane))
	if hasKubeconfig {
		r.inHosted = r.of(kinds.ClusterOperators, kinds.Nodes)
	}
	return r
}

// of returns the resources of kinds.
func (r hostedResources) of(all ...*kinds.Kind) []*resource {
	var found []*resource
	for _, kind := range all {
		if r.byKind[kind] == nil {
			r.byKind[kind] = watchedFor(kind, r.name, r.controlPlane)
		}
		found = append(found, r.byKind[kind])
	}
	return found
}

// watchedFor returns a kind as it is watched for a hosted cluster whose control plane is in a namespace.
func watchedFor(kind *kinds.Kind, hosted types.NamespacedName, controlPlane string) *resource {
	r := watched(kind)
	switch {
	case kind.Verbs[kinds.HostedClusterNamespace] != "":
		r.namespace = hosted.Namespace
	case kind.Verbs[kinds.ControlPlaneNamespace] != "":
		r.namespace = controlPlane
	default:
		r.isHosted = true
	}
	if kind.OfHosted {
		r.name = hosted.Name
	}
	return r
}

// sources returns the sources of a hosted cluster. The management cluster has no ControlPlaneComponents before 4.20. hostedState
// returns what they lack of the hosted cluster.
func (r hostedResources) sources(hostedState func() *insight.State) []sourceEntry {
	newSource := func(in sourceInput, rules func(hosted.Input, time.Time) (insight.Message, time.Time)) *source.Hosted {
		return &source.Hosted{
			Name: r.name, Caches: in.informers.of, Rules: rules, HostedState: hostedState,
			PreviouslyObserved: in.view.PreviouslyObserved,
		}
	}
	return []sourceEntry{
		{
			name:      insight.ControlPlaneInformer,
			resources: r.of(kinds.HostedClusters, kinds.NodePools),
			secondary: append(r.of(kinds.ControlPlaneComponents), r.inHosted...),
			patience:  hostedPatience,
			build: func(in sourceInput) (source.Assess, background, error) {
				return newSource(in, hosted.ControlPlane).Assess, nil, nil
			},
		},
		{
			name:      insight.NodeInformer,
			resources: r.of(kinds.HostedClusters, kinds.NodePools, kinds.Machines),
			secondary: append(r.of(kinds.MachineDeployments, kinds.MachineSets), r.inHosted...),
			patience:  hostedPatience,
			build: func(in sourceInput) (source.Assess, background, error) {
				nodes := newSource(in, hosted.Nodes)
				if in.clients.hosted == nil {
					return nodes.Assess, nil, nil
				}
				drains := drainreader.New(in.clients.hosted.kube)
				nodes.Drains = drains.Blockers
				return nodes.Assess, drains.Run, nil
			},
		},
		informersSource(r.of(kinds.UpdateInformers)),
	}
}
