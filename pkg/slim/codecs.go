package slim

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Codecs returns serializers that drop from objects in protobuf, before they are decoded, all but the fields at the paths,
// which are as in JSON ("metadata.name", "status.conditions"). list is an empty list of the objects: they are meant in a
// list and in the events of a watch. All else is as the given serializers have it. A path that leads to no field is an
// error.
//
// Where metadata.uid and metadata.resourceVersion are kept, a modification that brings what the watch has brought before becomes
// a bookmark, and it is for whoever watches to take these. SupportedMediaTypes must be called anew for each watch, as a client
// does: a StreamSerializer is for one.
func Codecs(of runtime.NegotiatedSerializer, list runtime.Object, paths ...string) (runtime.NegotiatedSerializer, error) {
	ofList, ofObject, err := slimmersOf(list, paths)
	if err != nil {
		return nil, fmt.Errorf("finding the fields of %T that are kept: %w", list, err)
	}
	return codecs{of, ofList, ofObject}, nil
}

type codecs struct {
	runtime.NegotiatedSerializer

	// answers slims lists, and events the objects in the events of a watch, which are decoded as an answer afterwards.
	answers, events slimmer
}

func (c codecs) SupportedMediaTypes() []runtime.SerializerInfo {
	infos := slices.Clone(c.NegotiatedSerializer.SupportedMediaTypes())
	for at, info := range infos {
		if info.MediaType != runtime.ContentTypeProtobuf {
			continue
		}
		infos[at].Serializer = serializer{info.Serializer, c.answers.object}
		if info.StreamSerializer != nil {
			stream := *info.StreamSerializer
			stream.Serializer = serializer{stream.Serializer, c.events.newRepeats().event}
			infos[at].StreamSerializer = &stream
		}
	}
	return infos
}

// serializer decodes what is left of a message, or all of one that is not to be changed or can't be read: what decodes it
// says why.
type serializer struct {
	runtime.Serializer

	slim change
}

func (s serializer) Decode(
	message []byte, defaults *schema.GroupVersionKind, into runtime.Object,
) (runtime.Object, *schema.GroupVersionKind, error) {
	if slim, err := s.slim(nil, message); err == nil {
		message = slim
	}
	return s.Serializer.Decode(message, defaults, into) //nolint:wrapcheck // it answers as any other serializer
}

// slimmer has the fields that are kept of objects of a kind.
type slimmer struct {
	kind     string
	kept     fields
	identity identity
}

// magic is before each object in protobuf, and a runtime.Unknown with its kind and its message behind it.
var magic = []byte{'k', '8', 's', 0}

// The fields of runtime.Unknown and of the runtime.TypeMeta in it, those of metav1.WatchEvent and of the
// runtime.RawExtension in it, by their generated.proto.
const (
	unknownTypeMeta protowire.Number = 1
	typeMetaKind    protowire.Number = 2
	unknownRaw      protowire.Number = 2

	watchEventType   protowire.Number = 1
	watchEventObject protowire.Number = 2
	rawExtensionRaw  protowire.Number = 1
)

// errOtherKind is what becomes of an object that is of another kind.
var errOtherKind = errors.New("an object of another kind")

// object is the change to an object.
func (s slimmer) object(into, message []byte) ([]byte, error) {
	unknown, found := bytes.CutPrefix(message, magic)
	if !found || string(find(unknown, unknownTypeMeta, typeMetaKind)) != s.kind {
		return nil, errOtherKind
	}
	// Of a Node about a quarter is left.
	into = append(slices.Grow(into, len(message)/4), magic...)
	return within(s.kept.keep, unknownRaw)(into, unknown)
}

// event is the change to an event of a watch.
func (s slimmer) event(into, message []byte) ([]byte, error) {
	return within(s.object, watchEventObject, rawExtensionRaw)(into, message)
}
