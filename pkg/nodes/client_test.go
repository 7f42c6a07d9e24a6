package nodes_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/streaming"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/scheme"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
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

// encode returns an object in protobuf.
func encode(t *testing.T, object runtime.Object) []byte {
	t.Helper()
	content, err := runtime.Encode(scheme.Codecs.EncoderForVersion(protobufInfo().Serializer, corev1.SchemeGroupVersion), object)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func protobufInfo() runtime.SerializerInfo {
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeProtobuf)
	return info
}

// clientOf returns a client of an API server that answers everything with the same content.
func clientOf(t *testing.T, media string, content []byte) corev1client.NodeInterface {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, _ *http.Request) {
		response.Header().Set("Content-Type", media)
		if _, err := response.Write(content); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	client, err := nodes.NewClient(&rest.Config{Host: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	return client.Nodes()
}

// readNode returns what a client reads of a Node that an API server has.
func readNode(ctx context.Context, t *testing.T, sent *corev1.Node) *corev1.Node {
	t.Helper()
	client := clientOf(t, runtime.ContentTypeProtobuf, encode(t, &corev1.NodeList{Items: []corev1.Node{*sent}}))
	read, err := client.List(ctx, metav1.ListOptions{})
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

// heartbeat returns a Node and the same with a heartbeat.
func heartbeat() (before, after *corev1.Node) {
	before, after = fullNode(), fullNode()
	after.ResourceVersion = "13"
	after.ManagedFields = nil
	after.Status.Images = nil
	for at := range after.Status.Conditions {
		after.Status.Conditions[at].LastHeartbeatTime.Time = after.Status.Conditions[at].LastHeartbeatTime.Add(time.Minute)
	}
	return before, after
}

// sentEvent is an event as an API server sends it.
type sentEvent struct {
	kind watch.EventType
	node *corev1.Node
}

// watched returns a client of an API server that answers each watch with the same events.
func watched(t *testing.T, events ...sentEvent) corev1client.NodeInterface {
	t.Helper()
	var sent bytes.Buffer
	stream := protobufInfo().StreamSerializer
	encoder := streaming.NewEncoder(stream.Framer.NewFrameWriter(&sent), stream.Serializer)
	for _, one := range events {
		event := &metav1.WatchEvent{Type: string(one.kind), Object: runtime.RawExtension{Raw: encode(t, one.node)}}
		if err := encoder.Encode(event); err != nil {
			t.Fatal(err)
		}
	}
	return clientOf(t, protobufInfo().MediaType+";stream=watch", sent.Bytes())
}

// TestAHeartbeatIsABookmark: 5,000 nodes send 80 a second, and none of them changes anything.
func TestAHeartbeatIsABookmark(t *testing.T) {
	before, after := heartbeat()
	events, err := watched(t, sentEvent{watch.Modified, before}, sentEvent{watch.Modified, after}).Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer events.Stop()
	if first := <-events.ResultChan(); first.Type != watch.Modified {
		t.Errorf("what is not known is told as %s", first.Type)
	}
	second := <-events.ResultChan()
	node, isNode := second.Object.(*corev1.Node)
	if second.Type != watch.Bookmark || !isNode || node.ResourceVersion != "13" {
		t.Errorf("a heartbeat is told as %s: %v", second.Type, second.Object)
	}
}

// TestEachWatchBeginsAnew: what one watch has brought, who watches for the second time may not know. It is the same client, as
// an informer has it.
func TestEachWatchBeginsAnew(t *testing.T) {
	before, after := heartbeat()
	for _, first := range []watch.EventType{watch.Added, watch.Modified} {
		client := watched(t, sentEvent{first, before}, sentEvent{watch.Modified, after})
		want := []watch.EventType{first, watch.Bookmark}
		for _, which := range []string{"first", "second"} {
			if diff := cmp.Diff(want, kindsOf(t, client)); diff != "" {
				t.Errorf("the %s watch that begins with %s (-want +got):\n%s", which, first, diff)
			}
		}
	}
}

// kindsOf returns what kinds of events a watch brings.
func kindsOf(t *testing.T, client corev1client.NodeInterface) (kinds []watch.EventType) {
	t.Helper()
	events, err := client.Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer events.Stop()
	for event := range events.ResultChan() {
		kinds = append(kinds, event.Type)
	}
	return kinds
}
