package updatestatus

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	configv1 "github.com/openshift/api/config/v1"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess/hosted"
	"github.com/openshift/cluster-version-operator/pkg/drainreader"
	"github.com/openshift/cluster-version-operator/pkg/insight"
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
	r := hostedResources{
		object: &resource{
			GroupVersionResource: updatev1alpha1.SchemeGroupVersion.WithResource("hostedclusterupdatestatuses"), kinds: "HostedClusterUpdateStatuses",
			namespace: name.Namespace, name: name.Name, trim: dropManagedFields,
		},
		hostedClusters:     decoded[hypershiftv1beta1.HostedCluster](hypershift("hostedclusters"), "HostedClusters", name.Namespace),
		nodePools:          decoded[hypershiftv1beta1.NodePool](hypershift("nodepools"), "NodePools", name.Namespace),
		updateInformers:    updateInformersIn(controlPlane),
		components:         decoded[hypershiftv1beta1.ControlPlaneComponent](hypershift("controlplanecomponents"), "ControlPlaneComponents", controlPlane),
		machines:           clusterAPI(decoded[clusterapiv1beta1.Machine](clusterAPIResource("machines"), "Machines", controlPlane)),
		machineDeployments: clusterAPI(decoded[clusterapiv1beta1.MachineDeployment](clusterAPIResource("machinedeployments"), "MachineDeployments", controlPlane)),
		machineSets:        clusterAPI(decoded[clusterapiv1beta1.MachineSet](clusterAPIResource("machinesets"), "MachineSets", controlPlane)),
		clusterOperators: &resource{
			GroupVersionResource: clusterOperators.GroupVersionResource, kinds: clusterOperators.kinds, trim: hosted.Trim,
			object: &configv1.ClusterOperator{},
			client: func(c clients) cache.Getter { return c.hosted.config.ConfigV1().RESTClient() },
		},
		nodes: &resource{
			GroupVersionResource: clusterNodes.GroupVersionResource, kinds: clusterNodes.kinds, trim: hosted.Trim,
			object: &corev1.Node{},
			client: func(c clients) cache.Getter { return c.hosted.kube.CoreV1().RESTClient() },
		},
	}
	r.hostedClusters.name = name.Name
	if hasKubeconfig {
		r.inHosted = []*resource{r.clusterOperators, r.nodes}
	}
	return r
}

func hypershift(resource string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: hypershiftv1beta1.GroupName, Version: "v1beta1", Resource: resource}
}

func clusterAPIResource(resource string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: clusterapiv1beta1.GroupName, Version: "v1beta1", Resource: resource}
}

// clusterAPI returns a resource of the Cluster API, which will cease to serve v1beta1, and did not serve v1beta2 before 1.11
// (kubernetes-sigs/cluster-api, api/core/v1beta2).
func clusterAPI(r *resource) *resource {
	r.otherVersion = "v1beta2"
	return r
}

// decoded returns a resource of which the part that a type has is cached.
func decoded[T any, P interface {
	*T
	metav1.Object
}](of schema.GroupVersionResource, kinds, namespace string) *resource {
	return &resource{
		GroupVersionResource: of, kinds: kinds, namespace: namespace, trim: source.Decode[T, P](), object: &unstructured.Unstructured{},
	}
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
