package fakeapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	clienttesting "k8s.io/client-go/testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
	"github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned/fake"
	"github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned/scheme"
)

// kinds are the kinds of the resources.
var kinds = map[string]string{
	"updatestatuses":                     "UpdateStatus",
	"updatestatussummaries":              "UpdateStatusSummary",
	"updaterecords":                      "UpdateRecord",
	"updateinformers":                    "UpdateInformer",
	"hostedclusterupdatestatuses":        "HostedClusterUpdateStatus",
	"hostedclusterupdatestatussummaries": "HostedClusterUpdateStatusSummary",
	"hostedclusterupdaterecords":         "HostedClusterUpdateRecord",
}

// Client returns a client of update.openshift.io whose requests are actions of a fake clientset.
func Client(of *fake.Clientset) rest.Interface {
	client, err := versioned.NewForConfigAndClient(&rest.Config{Host: "http://api.example.com", QPS: -1}, &http.Client{Transport: server{of}})
	if err != nil {
		panic(err) // the configuration is valid
	}
	return client.UpdateV1alpha1().RESTClient()
}

// server is an API server in memory.
type server struct {
	clientset *fake.Clientset
}

// target is what a request is about.
type target struct {
	schema.GroupVersionResource

	namespace, name, subresource string
}

func targetOf(path string) target {
	of := target{GroupVersionResource: updatev1alpha1.SchemeGroupVersion.WithResource("")}
	words := strings.Split(strings.TrimPrefix(path, "/apis/"+updatev1alpha1.SchemeGroupVersion.String()+"/"), "/")
	if words[0] == "namespaces" {
		of.namespace, words = words[1], words[2:]
	}
	words = append(words, "", "")
	of.Resource, of.name, of.subresource = words[0], words[1], words[2]
	return of
}

// RoundTrip is part of http.RoundTripper. An error that is none of an API server is one of the connection.
func (s server) RoundTrip(request *http.Request) (*http.Response, error) {
	if err := request.Context().Err(); err != nil {
		return nil, err
	}
	action, err := actionOf(request)
	if err != nil {
		return nil, err
	}
	object, err := s.clientset.Invokes(action, nil)
	var status apierrors.APIStatus
	switch {
	case errors.As(err, &status):
		refusal := status.Status()
		refusal.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
		return respond(request, int(refusal.Code), refusal)
	case err != nil:
		return nil, err
	case action.GetVerb() == "delete":
		return respond(request, http.StatusOK, metav1.Status{Status: metav1.StatusSuccess})
	case strings.Contains(request.Header.Get("Accept"), "PartialObjectMetadata"):
		return respondMetadata(request, object)
	default:
		return respond(request, http.StatusOK, object)
	}
}

// respondMetadata responds with managedFields, as an API server does.
func respondMetadata(request *http.Request, object runtime.Object) (*http.Response, error) {
	stored, err := meta.Accessor(object)
	if err != nil {
		return nil, err
	}
	partial := meta.AsPartialObjectMetadata(stored)
	partial.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "test"}}
	return respond(request, http.StatusOK, partial)
}

// actionOf returns a request as an action of a clientset.
func actionOf(request *http.Request) (clienttesting.Action, error) {
	of := targetOf(request.URL.Path)
	kind, found := kinds[of.Resource]
	if !found {
		return nil, fmt.Errorf("unexpected request for %s", request.URL)
	}
	switch {
	case request.Method == http.MethodDelete:
		return clienttesting.NewDeleteAction(of.GroupVersionResource, of.namespace, of.name), nil
	case request.Method == http.MethodGet && of.name != "":
		return clienttesting.NewGetAction(of.GroupVersionResource, of.namespace, of.name), nil
	case request.Method == http.MethodGet:
		options := metav1.ListOptions{LabelSelector: request.URL.Query().Get("labelSelector")}
		return clienttesting.NewListAction(of.GroupVersionResource, updatev1alpha1.SchemeGroupVersion.WithKind(kind), of.namespace, options), nil
	}
	object, err := decode(request, kind)
	if err != nil {
		return nil, err
	}
	if request.Method == http.MethodPost {
		return clienttesting.NewCreateAction(of.GroupVersionResource, of.namespace, object), nil
	}
	return clienttesting.NewUpdateSubresourceAction(of.GroupVersionResource, of.subresource, of.namespace, object), nil
}

// decode decodes the object in a request. An object with managedFields is an error: they are half of it, and are never sent back.
func decode(request *http.Request, kind string) (runtime.Object, error) {
	content, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	object, sent, err := scheme.Codecs.UniversalDeserializer().Decode(content, nil, nil)
	if err != nil {
		return nil, err
	}
	accessor, err := meta.Accessor(object)
	if err != nil {
		return nil, err
	}
	if sent.Kind != kind || len(accessor.GetManagedFields()) > 0 {
		return nil, fmt.Errorf("%s is sent as %s, with %d managedFields", sent, kind, len(accessor.GetManagedFields()))
	}
	return object, nil
}

// respond responds with an object, of a list with what its labels select.
func respond(request *http.Request, code int, object any) (*http.Response, error) {
	if list, isObject := object.(runtime.Object); isObject && meta.IsListType(list) {
		if err := selectItems(list, request.URL.Query().Get("labelSelector")); err != nil {
			return nil, err
		}
	}
	content, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: code, Status: http.StatusText(code), Request: request, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(content)), ContentLength: int64(len(content)),
	}, nil
}

func selectItems(list runtime.Object, selector string) error {
	selected, err := labels.Parse(selector)
	if err != nil {
		return err
	}
	all, err := meta.ExtractList(list)
	if err != nil {
		return err
	}
	var items []runtime.Object
	for _, one := range all {
		if accessor, err := meta.Accessor(one); err == nil && selected.Matches(labels.Set(accessor.GetLabels())) {
			items = append(items, one)
		}
	}
	return meta.SetList(list, items)
}
