package kinds

import (
	"iter"
	"reflect"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Place is where a controller reads objects.
type Place string

// The places. The first is a standalone cluster, and the others are of a hosted cluster: two namespaces of its management cluster, and itself.
const (
	Cluster                Place = "cluster"
	HostedClusterNamespace Place = "namespace of the HostedCluster"
	ControlPlaneNamespace  Place = "namespace of the control plane"
	Hosted                 Place = "hosted cluster"
)

// Verbs are verbs of permissions, separated by spaces, by the place where they are granted.
type Verbs map[Place]string

// Kind is a kind of object, and how its objects are read.
type Kind struct {
	schema.GroupVersionKind
	// Type is not set for a kind of which no object is decoded.
	Type
	// Plural is the kind in the plural, as reasons of conditions give it. In small letters it is the resource.
	Plural string
	// OtherVersion is a version in which the kind is read where Version is not served, empty if there is none. Type decodes both.
	OtherVersion string
	// Namespace and Name are those of the only object that is read, empty if all are.
	Namespace, Name string
	// OfHosted is whether one object for each HostedCluster is read, which has its name.
	OfHosted bool
	// Optional is whether a cluster is complete without the kind.
	Optional bool
	// MetadataOnly is whether nothing but the metadata is read.
	MetadataOnly bool
	// Trim drops what nothing reads before an object is cached. It is a cache.TransformFunc, and drops managedFields if it is not set.
	Trim func(any) (any, error)
	// Verbs are the permissions to read objects. A role grants what is watched in a namespace or by name there and so only.
	Verbs Verbs

	// Once is whether the client reads it to assess a cluster without an UpdateStatus. Unremarked is whether it says nothing if it may not.
	Once, Unremarked bool
	// Gathered is whether it is collected for support.
	Gathered bool
	// ManagedFields is whether managedFields are read in files, which are most of many objects, and UnknownFields whether fields are that
	// this version does not know.
	ManagedFields, UnknownFields bool
	// TrimFile returns what is read of an object of a file. Nil is the whole object.
	TrimFile func(Object) Object
	// IsWhole returns whether an object has a field that all of its kind have, late in its YAML, whose keys are sorted. It is nil if there is
	// none.
	IsWhole func(object Object, text []byte) bool
}

// Object is an object of a kind.
type Object interface {
	metav1.Object
	runtime.Object
}

// Type is the Go type of a kind, and that of its lists.
type Type struct {
	New     func() Object
	NewList func() runtime.Object
}

func typeOf[T any, P pointer[T]]() Type {
	return Type{New: func() Object { return P(new(T)) }, NewList: func() runtime.Object { return &List[T]{} }}
}

type pointer[T any] interface {
	*T
	Object
}

// List is a list of objects, also of those for which no package has such a type.
type List[T any] struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata"`

	Items []T `json:"items"`
}

// DeepCopyObject implements runtime.Object. It copies the list, not the objects: readers of a list take them out of it.
func (l *List[T]) DeepCopyObject() runtime.Object {
	copied := *l
	copied.Items = slices.Clone(l.Items)
	return &copied
}

var all []*Kind

// add adds an entry to the table.
func add(kind Kind) *Kind {
	if kind.Trim == nil {
		kind.Trim = dropManagedFields
	}
	all = append(all, &kind)
	return &kind
}

// decoded adds an entry of a kind that has the name of its type.
func decoded[T any, P pointer[T]](version schema.GroupVersion, kind Kind) *Kind {
	kind.GroupVersionKind, kind.Type = version.WithKind(reflect.TypeFor[T]().Name()), typeOf[T, P]()
	return add(kind)
}

// trimmed returns a Trim of objects of a type.
func trimmed[T any](trim func(T) T) func(any) (any, error) {
	return func(obj any) (any, error) {
		if full, isOne := obj.(T); isOne {
			return trim(full), nil
		}
		return obj, nil
	}
}

func dropManagedFields(obj any) (any, error) {
	if object, isObject := obj.(metav1.Object); isObject {
		object.SetManagedFields(nil)
	}
	return obj, nil
}

// All returns the table.
func All() iter.Seq[*Kind] {
	return slices.Values(all)
}

// Find returns the kind whose objects are decoded, of any version.
func Find(group, kind string) (*Kind, bool) {
	at := slices.IndexFunc(all, func(k *Kind) bool { return k.New != nil && k.Kind == kind && k.Group == group })
	if at < 0 {
		return nil, false
	}
	return all[at], true
}

// Resource returns the name of the resource.
func (k *Kind) Resource() string {
	return strings.ToLower(k.Plural)
}

// Served returns the resource in the version in which it is read first.
func (k *Kind) Served() schema.GroupVersionResource {
	return k.GroupVersion().WithResource(k.Resource())
}

// Versions returns the versions in which the kind is read, the first one first.
func (k *Kind) Versions() []string {
	if k.OtherVersion == "" {
		return []string{k.Version}
	}
	return []string{k.Version, k.OtherVersion}
}

// Includes returns whether an object is read.
func (k *Kind) Includes(object metav1.Object) bool {
	return k.Name == "" || object.GetName() == k.Name && object.GetNamespace() == k.Namespace
}

// String returns the kind in the plural, or the only object.
func (k *Kind) String() string {
	if k.Name == "" {
		return k.Plural
	}
	return "the " + k.Kind + " " + k.Name
}
