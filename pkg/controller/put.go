package controller

import (
	"context"
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
)

// AcceptMetadata is the Accept header of a request for the metadata of an object only.
const AcceptMetadata = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"

// PutStatus writes the status of the object. It takes the object as JSON, with the resourceVersion that it was built
// from, and returns the metadata of the stored object, or an error of k8s.io/apimachinery/pkg/api/errors.
type PutStatus func(ctx context.Context, name string, content []byte) (*metav1.PartialObjectMetadata, error)

// NewPutStatus returns a PutStatus that requests the metadata only.
func NewPutStatus(client rest.Interface) PutStatus {
	return newPutStatus(client, standaloneResource, "")
}

// NewPutHostedStatus returns a PutStatus for the objects of the hosted clusters of a namespace.
func NewPutHostedStatus(client rest.Interface, namespace string) PutStatus {
	return newPutStatus(client, hostedResource, namespace)
}

func newPutStatus(client rest.Interface, resource schema.GroupVersionResource, namespace string) PutStatus {
	return func(ctx context.Context, name string, content []byte) (*metav1.PartialObjectMetadata, error) {
		result := client.Put().NamespaceIfScoped(namespace, namespace != "").Resource(resource.Resource).Name(name).SubResource("status").
			SetHeader("Content-Type", runtime.ContentTypeJSON).
			SetHeader("Accept", AcceptMetadata).
			Body(content).Do(ctx)
		if err := result.Error(); err != nil {
			return nil, err //nolint:wrapcheck // the caller wraps it
		}
		response, err := result.Raw()
		if err != nil {
			return nil, err //nolint:wrapcheck // the caller wraps it
		}
		stored := &metav1.PartialObjectMetadata{}
		if err := json.Unmarshal(response, stored); err != nil {
			return nil, fmt.Errorf("decoding the response of the API server: %w", err)
		}
		return stored, nil
	}
}
