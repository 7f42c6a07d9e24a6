package nodes

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"

	"github.com/openshift/cluster-version-operator/pkg/slim"
)

// nodeFields are the paths of all that Trim reads of a Node.
func nodeFields() []string {
	return []string{
		"metadata.name", "metadata.uid", "metadata.resourceVersion", "metadata.labels", "metadata.annotations",
		"spec.unschedulable", "spec.taints",
		// All but lastHeartbeatTime, so that a heartbeat brings the same again.
		"status.conditions.type", "status.conditions.status", "status.conditions.lastTransitionTime", "status.conditions.reason",
		"status.conditions.message",
	}
}

// NewClient returns a client of Nodes for an informer. From an API server that answers in protobuf it reads no more of a Node
// than Trim does, and for a heartbeat a bookmark.
func NewClient(config *rest.Config) (corev1client.NodesGetter, error) {
	codecs, err := slim.Codecs(scheme.Codecs.WithoutConversion(), &corev1.NodeList{}, nodeFields()...)
	if err != nil {
		return nil, fmt.Errorf("making serializers: %w", err)
	}
	config = rest.CopyConfig(config)
	config.GroupVersion, config.APIPath, config.NegotiatedSerializer = &corev1.SchemeGroupVersion, "/api", codecs
	client, err := rest.RESTClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("making a REST client: %w", err)
	}
	return corev1client.New(client), nil
}
