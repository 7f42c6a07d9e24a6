package updatestatus

import (
	"context"
	"fmt"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	configv1 "github.com/openshift/api/config/v1"
	configclient "github.com/openshift/client-go/config/clientset/versioned"
	machineconfigclient "github.com/openshift/client-go/machineconfiguration/clientset/versioned"
	"github.com/openshift/library-go/pkg/controller/controllercmd"
	"github.com/openshift/library-go/pkg/network"
	"github.com/openshift/library-go/pkg/operator/events"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/coalesce"
	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
	"github.com/openshift/cluster-version-operator/pkg/nodes"
)

const userAgent = "update-status-controller"

// clients are the API clients of the controllers.
type clients struct {
	kube          kubernetes.Interface
	config        configclient.Interface
	machineConfig machineconfigclient.Interface
	metadata      metadata.Interface
	update        updateclient.Interface
	// nodes has of a Node only what is assessed.
	nodes corev1client.NodesGetter
}

func newClients(ctx context.Context, controllerContext *controllercmd.ControllerContext) (clients, error) {
	var made clients
	var err error
	proto, json := unlimited(controllerContext.ProtoKubeConfig), unlimited(controllerContext.KubeConfig)
	if made.kube, err = kubernetes.NewForConfig(proto); err != nil {
		return made, fmt.Errorf("making a Kubernetes client: %w", err)
	}
	if made.nodes, err = nodes.NewClient(coalesced(ctx, proto)); err != nil {
		return made, fmt.Errorf("making a client of Nodes: %w", err)
	}
	if made.config, err = configclient.NewForConfig(json); err != nil {
		return made, fmt.Errorf("making a client of config.openshift.io: %w", err)
	}
	if made.machineConfig, err = machineconfigclient.NewForConfig(json); err != nil {
		return made, fmt.Errorf("making a client of machineconfiguration.openshift.io: %w", err)
	}
	if made.metadata, err = metadata.NewForConfig(json); err != nil {
		return made, fmt.Errorf("making a metadata client: %w", err)
	}
	if made.update, err = updateclient.NewForConfig(json); err != nil {
		return made, fmt.Errorf("making a client of update.openshift.io: %w", err)
	}
	return made, nil
}

// newEvents returns a recorder of events about the ClusterVersion. They are in the namespace of the controller, as the
// Cluster Version Operator has its own: an event must be in the namespace of the object that it is about, and a
// cluster-scoped object has none.
func newEvents(controllerContext *controllercmd.ControllerContext, from clients) events.Recorder {
	return events.NewRecorder(from.kube.CoreV1().Events(controllerContext.OperatorNamespace), userAgent, &corev1.ObjectReference{
		APIVersion: configv1.GroupVersion.String(),
		Kind:       "ClusterVersion",
		Name:       assess.ClusterVersionName,
		Namespace:  controllerContext.OperatorNamespace,
	}, controllerContext.Clock)
}

// coalesced returns the configuration of a client with a connection of its own, which brings much, a little at a time.
func coalesced(ctx context.Context, config *rest.Config) *rest.Config {
	return redialed(ctx, config, coalesce.Dial)
}

// redialed returns the configuration of a client whose connection is its own and made by what dialer returns for the dialer that
// it would have had. That is only known in the end: library-go's transports have one of their own, whatever the configuration
// says. A transport that is another one, or wrapped already, stays as it is.
func redialed(ctx context.Context, config *rest.Config, dialer func(coalesce.DialFunc) coalesce.DialFunc) *rest.Config {
	config = rest.CopyConfig(config)
	if config.Dial == nil {
		// client-go shares a transport among configurations, but not among those that name a dialer.
		config.Dial = network.DefaultClientDialContext()
	}
	config.Wrap(func(by http.RoundTripper) http.RoundTripper {
		transport, isHTTP := by.(*http.Transport)
		if !isHTTP {
			klog.FromContext(ctx).V(2).Info("The connection of Nodes is not read in batches", "transport", fmt.Sprintf("%T", by))
			return by
		}
		transport.DialContext = dialer(transport.DialContext)
		return by
	})
	return config
}

// unlimited takes the client's own rate limit of five requests a second away: informers need few requests, and writes
// have a pace of their own.
func unlimited(config *rest.Config) *rest.Config {
	config = rest.CopyConfig(config)
	config.QPS = -1
	return rest.AddUserAgent(config, userAgent)
}
