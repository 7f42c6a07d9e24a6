package nodes_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/nodes"
)

// fullNode has all that is read of a Node, and more.
func fullNode() *corev1.Node {
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{
			Name: "worker-1", UID: "b7c1", ResourceVersion: "12", Generation: 3,
			Labels:        map[string]string{"node-role.kubernetes.io/worker": ""},
			Annotations:   map[string]string{"k8s.ovn.org/node-subnets": "{}"},
			ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "kubelet"}},
		},
		Spec: corev1.NodeSpec{
			ProviderID: "aws:///a/i-1", Unschedulable: true,
			Taints: []corev1.Taint{{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}, {Key: "other"}},
		},
		Status: corev1.NodeStatus{Images: []corev1.ContainerImage{{Names: []string{"release"}}}},
	}
	for _, key := range assess.NodeAnnotations() {
		node.Annotations[key] = "of " + key
	}
	moment := metav1.Unix(1_772_000_000, 0)
	for _, kind := range append(assess.NodeConditions(), corev1.NodeDiskPressure) {
		node.Status.Conditions = append(node.Status.Conditions, corev1.NodeCondition{
			Type: kind, Status: corev1.ConditionFalse, Reason: "Reason", Message: "Message.",
			LastTransitionTime: moment, LastHeartbeatTime: moment,
		})
	}
	return node
}

// readNode returns what a client reads of a Node that an API server has.
func readNode(ctx context.Context, t *testing.T, sent *corev1.Node) *corev1.Node {
	t.Helper()
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeProtobuf)
	content, err := runtime.Encode(scheme.Codecs.EncoderForVersion(info.Serializer, corev1.SchemeGroupVersion),
		&corev1.NodeList{Items: []corev1.Node{*sent}})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, _ *http.Request) {
		response.Header().Set("Content-Type", runtime.ContentTypeProtobuf)
		if _, err := response.Write(content); err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	client, err := nodes.NewClient(&rest.Config{Host: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	read, err := client.Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return &read.Items[0]
}

// TestClientReadsAllThatTrimKeeps: what the client leaves out must be missing nowhere.
func TestClientReadsAllThatTrimKeeps(t *testing.T) {
	read := readNode(t.Context(), t, fullNode())
	if len(read.Status.Images) > 0 || read.Spec.ProviderID != "" || len(read.ManagedFields) > 0 {
		t.Errorf("more is read than is needed: %v", read)
	}
	want, wantErr := nodes.Trim(fullNode())
	got, gotErr := nodes.Trim(read)
	if wantErr != nil || gotErr != nil {
		t.Fatal(wantErr, gotErr)
	}
	if difference := cmp.Diff(want, got); difference != "" {
		t.Errorf("a Node that this client has read is not the same (-want, +got):\n%s", difference)
	}
}
