package updatestatus

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	configv1 "github.com/openshift/api/config/v1"
	configclient "github.com/openshift/client-go/config/clientset/versioned"
	machineconfigclient "github.com/openshift/client-go/machineconfiguration/clientset/versioned"
	"github.com/openshift/library-go/pkg/controller/controllercmd"
	"github.com/openshift/library-go/pkg/operator/events"

	"github.com/openshift/cluster-version-operator/pkg/assess/standalone"
	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
	"github.com/openshift/cluster-version-operator/pkg/redirect"
)

const userAgent = "update-status-controller"

// clients are the API clients of the controllers.
type clients struct {
	kube          kubernetes.Interface
	config        configclient.Interface
	machineConfig machineconfigclient.Interface
	metadata      metadata.Interface
	update        updateclient.Interface
	// dynamic is set in the management cluster of a hosted cluster, and hosted are the clients of that, nil without its kubeconfig.
	dynamic dynamic.Interface
	hosted  *clients
}

func newClients(controllerContext *controllercmd.ControllerContext) (clients, error) {
	var c clients
	var err error
	proto, json := unlimited(controllerContext.ProtoKubeConfig), unlimited(controllerContext.KubeConfig)
	if c.kube, err = kubernetes.NewForConfig(proto); err != nil {
		return c, fmt.Errorf("building a Kubernetes client: %w", err)
	}
	if c.config, err = configclient.NewForConfig(json); err != nil {
		return c, fmt.Errorf("building a client of config.openshift.io: %w", err)
	}
	if c.machineConfig, err = machineconfigclient.NewForConfig(json); err != nil {
		return c, fmt.Errorf("building a client of machineconfiguration.openshift.io: %w", err)
	}
	if c.metadata, err = metadata.NewForConfig(json); err != nil {
		return c, fmt.Errorf("building a metadata client: %w", err)
	}
	if c.update, err = updateclient.NewForConfig(json); err != nil {
		return c, fmt.Errorf("building a client of update.openshift.io: %w", err)
	}
	return c, nil
}

// addHosted adds the clients that only the controller of a hosted cluster has. Without a kubeconfig it has none of that cluster.
func (c *clients) addHosted(controllerContext *controllercmd.ControllerContext, kubeconfig string) error {
	var err error
	if c.dynamic, err = dynamic.NewForConfig(unlimited(controllerContext.KubeConfig)); err != nil {
		return fmt.Errorf("building a dynamic client: %w", err)
	}
	if kubeconfig == "" {
		return nil
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return fmt.Errorf("reading the kubeconfig of the hosted cluster: %w", err)
	}
	config = unlimited(config)
	c.hosted = &clients{}
	if c.hosted.kube, err = kubernetes.NewForConfig(config); err != nil {
		return fmt.Errorf("building a Kubernetes client of the hosted cluster: %w", err)
	}
	if c.hosted.config, err = configclient.NewForConfig(config); err != nil {
		return fmt.Errorf("building a client of config.openshift.io of the hosted cluster: %w", err)
	}
	return nil
}

// newEvents returns a recorder of events about the ClusterVersion. They are in the namespace of the controller, as the
// Cluster Version Operator has its own: an event must be in the namespace of the object that it is about, and a
// cluster-scoped object has none.
func newEvents(controllerContext *controllercmd.ControllerContext, from clients) events.Recorder {
	return events.NewRecorder(from.kube.CoreV1().Events(controllerContext.OperatorNamespace), userAgent, &corev1.ObjectReference{
		APIVersion: configv1.GroupVersion.String(),
		Kind:       "ClusterVersion",
		Name:       standalone.ClusterVersionName,
		Namespace:  controllerContext.OperatorNamespace,
	}, controllerContext.Clock)
}

// unlimited returns a configuration without client-go's rate limit of five requests a second: informers need few requests,
// and the primary controller paces its writes. They follow no redirect to another server.
func unlimited(config *rest.Config) *rest.Config {
	config = redirect.Refuse(config)
	config.QPS = -1
	return rest.AddUserAgent(config, userAgent)
}
