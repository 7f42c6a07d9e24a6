package slim_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/streaming"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/scheme"
	restwatch "k8s.io/client-go/rest/watch"
	"sigs.k8s.io/randfill"

	"github.com/openshift/cluster-version-operator/pkg/slim"
)

// kept are the paths in these tests: fields that are kept whole and in part, single and lists.
func kept() []string {
	return []string{
		"metadata.name", "metadata.annotations", "metadata.ownerReferences.name",
		"spec.unschedulable", "spec.taints", "status.conditions", "status.nodeInfo.kubeletVersion",
	}
}

// only returns of a Node what the paths lead to.
func only(full *corev1.Node) *corev1.Node {
	slim := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: full.Name, Annotations: full.Annotations}}
	for _, owner := range full.OwnerReferences {
		slim.OwnerReferences = append(slim.OwnerReferences, metav1.OwnerReference{Name: owner.Name})
	}
	slim.Spec.Unschedulable, slim.Spec.Taints = full.Spec.Unschedulable, full.Spec.Taints
	slim.Status.Conditions = full.Status.Conditions
	slim.Status.NodeInfo.KubeletVersion = full.Status.NodeInfo.KubeletVersion
	return slim
}

// anyNode returns a Node with something in each of its fields.
func anyNode(seed int64) *corev1.Node {
	node := &corev1.Node{}
	randfill.NewWithSeed(seed).NilChance(0).NumElements(1, 4).MaxDepth(20).Funcs(
		func(quantity *resource.Quantity, from randfill.Continue) {
			*quantity = *resource.NewQuantity(from.Int63n(1000), resource.DecimalSI)
		},
		func(moment *metav1.Time, from randfill.Continue) { *moment = metav1.Unix(from.Int63n(1<<32), 0) },
		func(managed *metav1.FieldsV1, _ randfill.Continue) { managed.Raw = []byte(`{"f:status":{}}`) },
	).Fill(node)
	node.TypeMeta = metav1.TypeMeta{}
	return node
}

// negotiator has what a client reads with.
func negotiator(t testing.TB, paths ...string) runtime.ClientNegotiator {
	t.Helper()
	codecs, err := slim.Codecs(scheme.Codecs.WithoutConversion(), &corev1.NodeList{}, paths...)
	if err != nil {
		t.Fatal(err)
	}
	return runtime.NewClientNegotiator(codecs, corev1.SchemeGroupVersion)
}

// encode returns an object as an API server sends it.
func encode(t testing.TB, media string, obj runtime.Object) []byte {
	t.Helper()
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), media)
	content, err := runtime.Encode(scheme.Codecs.EncoderForVersion(info.Serializer, schema.GroupVersion{Version: "v1"}), obj)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// stream returns an event of a watch as an API server sends it.
func stream(t testing.TB, media string, kind watch.EventType, obj runtime.Object) []byte {
	t.Helper()
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), media)
	var sent bytes.Buffer
	event := &metav1.WatchEvent{Type: string(kind), Object: runtime.RawExtension{Raw: encode(t, media, obj)}}
	encoder := streaming.NewEncoder(info.StreamSerializer.Framer.NewFrameWriter(&sent), info.StreamSerializer.Serializer)
	if err := encoder.Encode(event); err != nil {
		t.Fatal(err)
	}
	return sent.Bytes()
}

// receive reads the events of a watch as a client does.
func receive(t testing.TB, media string, by runtime.ClientNegotiator, sent []byte) *restwatch.Decoder {
	t.Helper()
	objects, events, framer, err := by.StreamDecoder(media, nil)
	if err != nil {
		t.Fatal(err)
	}
	frames := framer.NewFrameReader(io.NopCloser(bytes.NewReader(sent)))
	return restwatch.NewDecoder(streaming.NewDecoder(frames, events), objects)
}

func next(t testing.TB, from *restwatch.Decoder) (watch.EventType, runtime.Object) {
	t.Helper()
	kind, obj, err := from.Decode()
	if err != nil {
		t.Fatal(err)
	}
	return kind, obj
}

func decode(t testing.TB, media string, by runtime.ClientNegotiator, content []byte) runtime.Object {
	t.Helper()
	decoder, err := by.Decoder(media, nil)
	if err != nil {
		t.Fatal(err)
	}
	obj, err := runtime.Decode(decoder, content)
	if err != nil {
		t.Fatal(err)
	}
	return obj
}

// equal compares objects, whose kinds are there or not as the serializer likes it.
func equal(t testing.TB, what string, want, got runtime.Object) {
	t.Helper()
	got = got.DeepCopyObject()
	got.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	if difference := cmp.Diff(want, got); difference != "" {
		t.Errorf("%s: not what was sent without what is not kept (-want, +got):\n%s", what, difference)
	}
}

func TestNodesHaveWhatIsKept(t *testing.T) {
	by := negotiator(t, kept()...)
	for seed := range int64(50) {
		full := anyNode(seed)
		want := only(full)
		list := &corev1.NodeList{ListMeta: metav1.ListMeta{ResourceVersion: "7", Continue: "more"}, Items: []corev1.Node{*full, *full}}
		wantList := &corev1.NodeList{ListMeta: list.ListMeta, Items: []corev1.Node{*want, *want}}
		equal(t, "a list", wantList, decode(t, runtime.ContentTypeProtobuf, by, encode(t, runtime.ContentTypeProtobuf, list)))

		sent := append(stream(t, runtime.ContentTypeProtobuf, watch.Modified, full),
			stream(t, runtime.ContentTypeProtobuf, watch.Deleted, full)...)
		events := receive(t, runtime.ContentTypeProtobuf, by, sent)
		for _, wantKind := range []watch.EventType{watch.Modified, watch.Deleted} {
			kind, got := next(t, events)
			if kind != wantKind {
				t.Errorf("the event is %s, want %s", kind, wantKind)
			}
			equal(t, "an event", want, got)
		}
	}
}

// What ends a watch is no Node, and all of it is needed.
func TestOtherKindsPass(t *testing.T) {
	by := negotiator(t, "metadata.name")
	want := &metav1.Status{Status: metav1.StatusFailure, Reason: metav1.StatusReasonExpired, Message: "too old", Code: 410}
	kind, got := next(t, receive(t, runtime.ContentTypeProtobuf, by, stream(t, runtime.ContentTypeProtobuf, watch.Error, want)))
	if kind != watch.Error {
		t.Errorf("the event is %s", kind)
	}
	equal(t, "an error in a watch", want, got)
	equal(t, "an error", want, decode(t, runtime.ContentTypeProtobuf, by, encode(t, runtime.ContentTypeProtobuf, want)))
}

func TestOtherMediaPass(t *testing.T) {
	by := negotiator(t, "metadata.name")
	full := anyNode(1)
	equal(t, "an answer in JSON", full, decode(t, runtime.ContentTypeJSON, by, encode(t, runtime.ContentTypeJSON, full)))
	_, got := next(t, receive(t, runtime.ContentTypeJSON, by, stream(t, runtime.ContentTypeJSON, watch.Added, full)))
	equal(t, "an event in JSON", full, got)
}

// What can't be read must reach the decoder that says so.
func TestTruncatedMessages(t *testing.T) {
	by := negotiator(t, kept()...)
	content := encode(t, runtime.ContentTypeProtobuf, &corev1.NodeList{Items: []corev1.Node{*anyNode(2)}})
	stock, err := runtime.NewClientNegotiator(scheme.Codecs.WithoutConversion(), corev1.SchemeGroupVersion).
		Decoder(runtime.ContentTypeProtobuf, nil)
	if err != nil {
		t.Fatal(err)
	}
	decoder, err := by.Decoder(runtime.ContentTypeProtobuf, nil)
	if err != nil {
		t.Fatal(err)
	}
	for length := range content {
		_, want := runtime.Decode(stock, content[:length])
		if _, got := runtime.Decode(decoder, content[:length]); want != nil && got == nil {
			t.Fatalf("%d of %d bytes are read as a list, else: %v", length, len(content), want)
		}
	}
}

func TestPathsThatLeadNowhere(t *testing.T) {
	for _, path := range []string{"", "metadata.nam", "status.conditions.type.length", "name"} {
		if _, err := slim.Codecs(scheme.Codecs, &corev1.NodeList{}, path); err == nil {
			t.Errorf("%q is taken", path)
		}
	}
	if _, err := slim.Codecs(scheme.Codecs, &corev1.Node{}, "metadata.name"); err == nil {
		t.Error("an object that is no list is taken")
	}
}

// BenchmarkReadEvent compares reading a heartbeat of a Node with and without what nobody reads, and as a bookmark, since it
// brings the same again.
func BenchmarkReadEvent(b *testing.B) {
	node := anyNode(3)
	node.Status.Images = nil
	for range 50 {
		node.Status.Images = append(node.Status.Images, corev1.ContainerImage{Names: []string{
			"quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
			"registry.example.com/openshift/release@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
		}})
	}
	const events = 1000
	sent := bytes.Repeat(stream(b, runtime.ContentTypeProtobuf, watch.Modified, node), events)
	for name, by := range map[string]runtime.ClientNegotiator{
		"full": runtime.NewClientNegotiator(scheme.Codecs.WithoutConversion(), corev1.SchemeGroupVersion),
		"slim": negotiator(b, "metadata.name", "metadata.labels", "metadata.annotations", "status.conditions"),
		"again": negotiator(b, "metadata.uid", "metadata.resourceVersion", "metadata.name", "metadata.labels", "metadata.annotations",
			"status.conditions"),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var from *restwatch.Decoder
			for at := range b.N {
				if at%events == 0 {
					from = receive(b, runtime.ContentTypeProtobuf, by, sent)
				}
				next(b, from)
			}
		})
	}
}
