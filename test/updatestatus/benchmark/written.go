package main

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

const (
	summaries = "hostedclusterupdatestatussummaries"
	statuses  = "hostedclusterupdatestatuses"
	leases    = "leases"
)

// writtenResources are all that a controller of a hosted cluster writes.
var writtenResources = []schema.GroupVersionResource{
	updatev1alpha1.SchemeGroupVersion.WithResource(summaries),
	updatev1alpha1.SchemeGroupVersion.WithResource(statuses),
	updatev1alpha1.SchemeGroupVersion.WithResource("hostedclusterupdaterecords"),
	{Group: "coordination.k8s.io", Version: "v1", Resource: leases},
	{Version: "v1", Resource: "events"},
}

// written counts, by resource, the bytes of each version of objects that an API server stores.
type written struct {
	lock    sync.Mutex
	bytes   map[string]int
	watches []watch.Interface
	running sync.WaitGroup
}

// watchWritten watches from now on, until stop is called.
func watchWritten(ctx context.Context, config *rest.Config) (*written, error) {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	w := &written{bytes: map[string]int{}}
	for _, resource := range writtenResources {
		list, err := client.Resource(resource).List(ctx, metav1.ListOptions{Limit: 1})
		if err != nil {
			w.stop()
			return nil, fmt.Errorf("listing %s: %w", resource.Resource, err)
		}
		watching, err := client.Resource(resource).Watch(ctx, metav1.ListOptions{ResourceVersion: list.GetResourceVersion()})
		if err != nil {
			w.stop()
			return nil, fmt.Errorf("watching %s: %w", resource.Resource, err)
		}
		w.watches = append(w.watches, watching)
		w.running.Go(func() {
			for event := range watching.ResultChan() {
				w.count(resource.Resource, event)
			}
		})
	}
	return w, nil
}

func (w *written) count(resource string, event watch.Event) {
	object, isObject := event.Object.(*unstructured.Unstructured)
	if !isObject || event.Type != watch.Added && event.Type != watch.Modified {
		return
	}
	// The API server's own leases are not of a controller.
	if resource == leases && object.GetName() != leaseName {
		return
	}
	object.SetManagedFields(nil)
	content, err := json.Marshal(object)
	if err != nil {
		return // it was decoded from JSON
	}
	w.lock.Lock()
	defer w.lock.Unlock()
	w.bytes[resource] += len(content)
}

// reset returns what was counted since the last call.
func (w *written) reset() map[string]int {
	w.lock.Lock()
	defer w.lock.Unlock()
	bytes := w.bytes
	w.bytes = map[string]int{}
	return bytes
}

func (w *written) stop() {
	for _, watching := range w.watches {
		watching.Stop()
	}
	w.running.Wait()
}
