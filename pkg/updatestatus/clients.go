package updatestatus

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes"
	kubescheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	configv1 "github.com/openshift/api/config/v1"
	"github.com/openshift/library-go/pkg/controller/controllercmd"
	"github.com/openshift/library-go/pkg/operator/events"

	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/redirect"
)

const userAgent = "update-status-controller"

// clients are the API clients of the controllers.
type clients struct {
	config   *rest.Config
	kube     kubernetes.Interface
	metadata metadata.Interface
	update   updateclient.Interface
	// hosted are those of the hosted cluster, nil without its kubeconfig.
	hosted *clients
}

func newClients(config *rest.Config) (clients, error) {
	c := clients{config: unlimited(config)}
	var errs [3]error
	c.kube, errs[0] = kubernetes.NewForConfig(asProtobuf(c.config))
	c.metadata, errs[1] = metadata.NewForConfig(c.config)
	c.update, errs[2] = updateclient.NewForConfig(c.config)
	if err := errors.Join(errs[:]...); err != nil {
		return c, fmt.Errorf("building clients: %w", err)
	}
	return c, nil
}

// addHosted adds the clients of a hosted cluster, none without a kubeconfig.
func (c *clients) addHosted(kubeconfig string) error {
	if kubeconfig == "" {
		return nil
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return fmt.Errorf("reading the kubeconfig of the hosted cluster: %w", err)
	}
	hosted, err := newClients(config)
	c.hosted = &hosted
	return err
}

// typed returns a client that decodes the kinds of a version of an API.
func (c clients) typed(version schema.GroupVersion) (rest.Interface, error) {
	config, path := rest.CopyConfig(c.config), "/apis"
	if version.Group == corev1.GroupName {
		path = "/api"
	}
	if kubescheme.Scheme.IsGroupRegistered(version.Group) {
		config = asProtobuf(config)
	}
	config.APIPath, config.GroupVersion, config.NegotiatedSerializer = path, &version, codecs.WithoutConversion()
	client, err := rest.RESTClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("building a client of %s: %w", version, err)
	}
	return client, nil
}

// codecs decode the kinds that are watched. Those of Kubernetes itself are served as protobuf, which needs the lists of their packages.
var codecs = func() serializer.CodecFactory {
	scheme := runtime.NewScheme()
	utilruntime.Must(kubescheme.AddToScheme(scheme))
	for kind := range kinds.All() {
		if kind.New == nil || kind.MetadataOnly || scheme.Recognizes(kind.GroupVersionKind) {
			continue
		}
		for _, version := range kind.Versions() {
			served := schema.GroupVersion{Group: kind.Group, Version: version}
			scheme.AddKnownTypeWithName(served.WithKind(kind.Kind), kind.New())
			scheme.AddKnownTypeWithName(served.WithKind(kind.Kind+"List"), kind.NewList())
			metav1.AddToGroupVersion(scheme, served)
		}
	}
	return serializer.NewCodecFactory(scheme)
}()

// asProtobuf returns a configuration of clients of Kubernetes' own APIs.
func asProtobuf(config *rest.Config) *rest.Config {
	config = rest.CopyConfig(config)
	config.AcceptContentTypes, config.ContentType = runtime.ContentTypeProtobuf+","+runtime.ContentTypeJSON, runtime.ContentTypeProtobuf
	return config
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
