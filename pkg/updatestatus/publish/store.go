package publish

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// requestTimeout bounds a request. An API server that does not respond, since it is cut off or prepares the storage of the resource,
// must not be waited for until the connection breaks: the next attempt may reach another one.
const requestTimeout = 8 * time.Second

// errNotServed is why objects can't be kept: their CRD does not exist.
var errNotServed = errors.New("its CRD does not exist")

// object is an API object of type T.
type object[T any] interface {
	*T
	encodable
}

// encodable is what the types of the API are.
type encodable interface {
	runtime.Object
	metav1.Object
	metav1.ObjectMetaAccessor
}

// Store creates, reads, writes and deletes the objects of a kind. T is their type in a cluster; in the management cluster of a hosted
// cluster they are of another kind, which has the same content. Each request has a timeout. Errors of the API server are those of
// k8s.io/apimachinery/pkg/api/errors.
type Store[T any, P object[T]] struct {
	kind

	owner  Owner
	client rest.Interface
	// decode decodes an object, also as far as it can be in spite of an error, and encode encodes one, whose status may be encoded already.
	decode func(content []byte) (P, error)
	encode func(object P, status []byte) ([]byte, error)
}

// kind is a kind of objects in a cluster.
type kind struct {
	name, resource string
	// prefix is what names start with in the cluster, and labels are those by which the objects are told from those of others.
	prefix string
	labels labels.Set
}

// Owner is the HostedCluster to which objects in a management cluster belong, zero in the cluster that they are about.
type Owner struct {
	types.NamespacedName

	// Reference returns the reference to the HostedCluster.
	Reference func(context.Context) (metav1.OwnerReference, error)
}

// newStore returns the store of objects that are stored as they are.
func newStore[T any, P object[T]](client rest.Interface, of kind, owner Owner) *Store[T, P] {
	return &Store[T, P]{
		client: client, kind: of, owner: owner,
		decode: func(content []byte) (P, error) {
			decoded := P(new(T))
			return decoded, json.Unmarshal(content, decoded)
		},
		encode: func(object P, status []byte) ([]byte, error) { return encode(of, object, status) },
	}
}

// Get returns an object as far as it can be decoded, and whether that is all of it: another version may have stored a field of another type.
func (s *Store[T, P]) Get(ctx context.Context, name string) (object P, isWhole bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	content, err := contentOf(s.request(s.client.Get(), name).Do(ctx))
	if err != nil {
		return nil, false, fmt.Errorf("reading %s: %w", s.identity(name), err)
	}
	object, err = s.decodeNamed(content)
	if err == nil {
		return object, true, nil
	}
	if object.GetUID() == "" {
		return nil, false, fmt.Errorf("reading %s: %w", s.identity(name), err)
	}
	logUndecoded(ctx, s.identity(name), err)
	return object, false, nil
}

func logUndecoded(ctx context.Context, identity string, err error) {
	klog.FromContext(ctx).Info("Unable to decode part of a stored object, ignoring that part", "object", identity, "err", err)
}

// List returns all objects, in no order. Those that can't be decoded have no status.
func (s *Store[T, P]) List(ctx context.Context) ([]T, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	content, err := contentOf(s.requestAll(s.client.Get()).Param("labelSelector", s.labels.String()).Do(ctx))
	if err != nil {
		return nil, fmt.Errorf("listing %s: %w", s.resource, wrapNotServed(err))
	}
	var listed struct {
		Items []json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(content, &listed); err != nil {
		return nil, fmt.Errorf("decoding a response of the API server: %w", err)
	}
	objects := make([]T, 0, len(listed.Items))
	for _, item := range listed.Items {
		one, err := s.decodeNamed(item)
		if err != nil {
			logUndecoded(ctx, s.identity(strings.TrimPrefix(one.GetName(), s.prefix)), err)
			one = withoutStatus[T](one)
		}
		objects = append(objects, *one)
	}
	return objects, nil
}

// Create creates an object without a status.
func (s *Store[T, P]) Create(ctx context.Context, name string) (P, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	created, err := s.create(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("creating %s: %w", s.identity(name), err)
	}
	return created, nil
}

func (s *Store[T, P]) create(ctx context.Context, name string) (P, error) {
	desired := P(new(T))
	desired.SetName(s.prefix + name)
	if s.owner.Reference != nil {
		reference, err := s.owner.Reference(ctx)
		if apierrors.IsNotFound(err) {
			return nil, fmt.Errorf("there is no HostedCluster %s that the object would be about", s.owner.NamespacedName)
		}
		if err != nil {
			return nil, fmt.Errorf("reading HostedCluster %s: %w", s.owner.NamespacedName, err)
		}
		desired.SetNamespace(s.owner.Namespace)
		desired.SetOwnerReferences([]metav1.OwnerReference{reference})
		desired.SetLabels(s.labels)
	}
	content, err := encode(s.kind, desired, []byte("{}"))
	if err != nil {
		return nil, err
	}
	response, err := contentOf(s.requestAll(s.client.Post()).SetHeader("Content-Type", runtime.ContentTypeJSON).Body(content).Do(ctx))
	if err != nil {
		return nil, err
	}
	return s.decodeNamed(response)
}

// GetOrCreate returns an object, and creates it if it is missing.
func (s *Store[T, P]) GetOrCreate(ctx context.Context, name string) (object P, isNew bool, err error) {
	object, _, err = s.Get(ctx, name)
	if isNew = apierrors.IsNotFound(err); isNew {
		object, err = s.Create(ctx, name)
		err = wrapNotServed(err)
	}
	return object, isNew, err
}

// Encode encodes an object for Put. The status may be encoded already, as that of T.
func (s *Store[T, P]) Encode(object P, status []byte) ([]byte, error) {
	named := P(new(T))
	*named = *object
	named.SetName(s.prefix + object.GetName())
	return s.encode(named, status)
}

// Put writes the status of an object, with the resourceVersion that it was built from, and returns the metadata of what is stored: the
// response has nothing else.
func (s *Store[T, P]) Put(ctx context.Context, name string, content []byte) (*metav1.PartialObjectMetadata, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	response, err := contentOf(s.request(s.client.Put(), name).SubResource("status").
		SetHeader("Content-Type", runtime.ContentTypeJSON).
		SetHeader("Accept", "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1").
		Body(content).Do(ctx))
	if err != nil {
		return nil, fmt.Errorf("writing the status of %s: %w", s.identity(name), err)
	}
	stored := &metav1.PartialObjectMetadata{}
	if err := json.Unmarshal(response, stored); err != nil {
		return nil, fmt.Errorf("decoding the response of the API server: %w", err)
	}
	stored.Name, stored.ManagedFields = name, nil
	return stored, nil
}

// PutStatus writes the status that an object has, and sets its metadata to what is stored.
func (s *Store[T, P]) PutStatus(ctx context.Context, object P) error {
	content, err := s.Encode(object, nil)
	if err != nil {
		return err
	}
	stored, err := s.Put(ctx, object.GetName(), content)
	if err != nil {
		return err
	}
	object.SetResourceVersion(stored.ResourceVersion)
	return nil
}

// Delete deletes an object, if there is one.
func (s *Store[T, P]) Delete(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	if err := s.request(s.client.Delete(), name).Do(ctx).Error(); err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("deleting %s: %w", s.identity(name), err)
	}
	return nil
}

// identity returns KIND/NAME, or KIND/NAMESPACE/NAME.
func (s *Store[T, P]) identity(name string) string {
	return path.Join(s.name, s.owner.Namespace, s.prefix+name)
}

func (s *Store[T, P]) request(verb *rest.Request, name string) *rest.Request {
	return s.requestAll(verb).Name(s.prefix + name)
}

func (s *Store[T, P]) requestAll(verb *rest.Request) *rest.Request {
	return verb.NamespaceIfScoped(s.owner.Namespace, s.owner.Namespace != "").Resource(s.resource)
}

// contentOf returns the content of a response, or the error of the API server with its details, which Raw does not decode.
func contentOf(response rest.Result) ([]byte, error) {
	if err := response.Error(); err != nil {
		return nil, err //nolint:wrapcheck // the caller wraps it
	}
	return response.Raw() //nolint:wrapcheck // the caller wraps it
}

// decodeNamed decodes an object as far as it can be, with its name without the prefix, and without managedFields, which have half of its
// size.
func (s *Store[T, P]) decodeNamed(content []byte) (P, error) {
	decoded, err := s.decode(content)
	decoded.SetName(strings.TrimPrefix(decoded.GetName(), s.prefix))
	decoded.SetManagedFields(nil)
	if err != nil {
		return decoded, fmt.Errorf("decoding a response of the API server: %w", err)
	}
	return decoded, nil
}

// withoutStatus returns what is left of an object without its content.
func withoutStatus[T any, P object[T]](of P) P {
	named := P(new(T))
	named.SetName(of.GetName())
	return named
}

// encode encodes an object. Its status is taken as it is, if it is encoded already: it has up to 1 MiB.
func encode(of kind, object encodable, status []byte) ([]byte, error) {
	object.GetObjectKind().SetGroupVersionKind(updatev1alpha1.SchemeGroupVersion.WithKind(of.name))
	if status == nil {
		content, err := json.Marshal(object)
		if err != nil {
			return nil, fmt.Errorf("encoding %s/%s: %w", of.name, object.GetName(), err)
		}
		return content, nil
	}
	frame, err := json.Marshal(metav1.PartialObjectMetadata{
		TypeMeta:   metav1.TypeMeta{APIVersion: updatev1alpha1.SchemeGroupVersion.String(), Kind: of.name},
		ObjectMeta: *object.GetObjectMeta().(*metav1.ObjectMeta), //nolint:forcetypeassert // the objects of this package embed it
	})
	if err != nil {
		return nil, fmt.Errorf("encoding %s/%s: %w", of.name, object.GetName(), err)
	}
	frame = append(frame[:len(frame)-1], `,"status":`...)
	return append(append(frame, status...), '}'), nil
}

func wrapNotServed(err error) error {
	if apierrors.IsNotFound(err) {
		return fmt.Errorf("%w: %w", errNotServed, err)
	}
	return err
}
