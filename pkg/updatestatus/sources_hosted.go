package updatestatus

import (
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/openshift/cluster-version-operator/pkg/assess/hosted"
	"github.com/openshift/cluster-version-operator/pkg/drainreader"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/kinds"
	"github.com/openshift/cluster-version-operator/pkg/source"
)

// hostedPatience is how long the sources of a hosted cluster wait at the start for what is not always there: the API server of the
// hosted cluster restarts in each update, as this controller does, and until the first report the insights of before stay.
const hostedPatience = time.Minute

// hostedResources are the resources that are watched for a hosted cluster.
type hostedResources struct {
	// object has the status that is written.
	object *resource
	// hostedClusters and nodePools are in the namespace of the HostedCluster, the next ones in that of its control plane.
	hostedClusters, nodePools                             *resource
	components, machines, machineDeployments, machineSets *resource
	updateInformers                                       *resource
	// inHosted are resources of the hosted cluster, none without its kubeconfig.
	clusterOperators, nodes *resource
	inHosted                []*resource
}

// newHostedResources returns the resources of a hosted cluster whose control plane is in a namespace.
func newHostedResources(name types.NamespacedName, controlPlane string, hasKubeconfig bool) hostedResources {
	in := func(kind *kinds.Kind) *resource { return watchedFor(kind, name, controlPlane) }
	r := hostedResources{
		object:         written(in(kinds.HostedClusterUpdateStatuses)),
		hostedClusters: in(kinds.HostedClusters), nodePools: in(kinds.NodePools),
		components: in(kinds.ControlPlaneComponents), machines: in(kinds.Machines),
		machineDeployments: in(kinds.MachineDeployments), machineSets: in(kinds.MachineSets),
		updateInformers:  in(kinds.UpdateInformers),
		clusterOperators: in(kinds.ClusterOperators), nodes: in(kinds.Nodes),
	}
	if hasKubeconfig {
		r.inHosted = []*resource{r.clusterOperators, r.nodes}
	}
	return r
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

// informersOf returns the informers of the sources.
func (r hostedResources) informersOf(all *informers) source.HostedInformers {
	in := source.HostedInformers{
		HostedClusters: all.of(r.hostedClusters), Components: all.of(r.components), NodePools: all.of(r.nodePools),
		Machines: all.of(r.machines), MachineDeployments: all.of(r.machineDeployments), MachineSets: all.of(r.machineSets),
	}
	if len(r.inHosted) > 0 {
		in.ClusterOperators, in.Nodes = all.of(r.clusterOperators), all.of(r.nodes)
	}
	return in
}

// sources returns the sources of a hosted cluster. The management cluster has no ControlPlaneComponents before 4.20. hostedState
// returns what they lack of the hosted cluster.
func (r hostedResources) sources(name types.NamespacedName, hostedState func() *insight.State) []sourceEntry {
	newSource := func(in sourceInput, rules func(hosted.Input, time.Time) (insight.Message, time.Time)) *source.Hosted {
		return &source.Hosted{
			Name: name, HostedInformers: r.informersOf(in.informers), Rules: rules, HostedState: hostedState,
			PreviouslyObserved: in.previouslyObserved,
		}
	}
	return []sourceEntry{
		{
			name:      insight.ControlPlaneInformer,
			resources: []*resource{r.hostedClusters, r.nodePools},
			secondary: append([]*resource{r.components}, r.inHosted...),
			patience:  hostedPatience,
			build: func(in sourceInput) (source.Assess, background, error) {
				return newSource(in, hosted.ControlPlane).Assess, nil, nil
			},
		},
		{
			name:      insight.NodeInformer,
			resources: []*resource{r.hostedClusters, r.nodePools, r.machines},
			secondary: append([]*resource{r.machineDeployments, r.machineSets}, r.inHosted...),
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
		informersSource(r.updateInformers),
	}
}
