package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
	runtimeobject "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/openshift/cluster-version-operator/pkg/nodes"
	"github.com/openshift/cluster-version-operator/test/benchmark/report"
	"github.com/openshift/cluster-version-operator/test/benchmark/shape"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// informedNodes is how many nodes the cluster has in which ways to watch them are compared.
const informedNodes = 1000

// watching is a way to watch nodes.
type watching struct {
	name      string
	informers int
	media     string
	trimmed   bool
}

// watchings are all that are compared. What the controller does is the second.
func watchings() []watching {
	return []watching{
		{name: "none"},
		{"one informer, protobuf, objects trimmed (the controller's)", 1, runtimeobject.ContentTypeProtobuf, true},
		{"one informer, protobuf, objects whole", 1, runtimeobject.ContentTypeProtobuf, false},
		{"one informer, JSON, objects trimmed", 1, runtimeobject.ContentTypeJSON, true},
		{"two informers, protobuf, objects trimmed", 2, runtimeobject.ContentTypeProtobuf, true},
	}
}

// compareInformers measures all ways to watch nodes.
func compareInformers(ctx context.Context, say func(format string, values ...any)) (measured []report.Informer, err error) {
	plane, meter, err := startMetered(ctx, controlplane.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, plane.Stop()) }()
	itself, err := procfs.NewProc(os.Getpid())
	if err != nil {
		return nil, fmt.Errorf("looking for this process: %w", err)
	}
	// What this process uses takes the place of what the controller does.
	meter.controller, meter.scraper = &itself, nil
	compared := &comparison{plane: plane, meter: meter}
	if err := compared.createNodes(ctx); err != nil {
		return nil, err
	}
	for _, one := range watchings() {
		result, err := compared.measure(ctx, one)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", one.name, err)
		}
		say("ways to watch %d nodes: %s", informedNodes, one.name)
		measured = append(measured, result)
	}
	return measured, nil
}

// comparison is a cluster with nodes.
type comparison struct {
	plane *controlplane.ControlPlane
	meter *meter
	names []string
}

func (c *comparison) createNodes(ctx context.Context) error {
	writer, err := simulator.NewWriter(c.plane.Admin())
	if err != nil {
		return fmt.Errorf("making a client for the nodes: %w", err)
	}
	of := shape.Shape{Name: shape.Plain, Nodes: informedNodes}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(lanes)
	for _, object := range simulator.NewSimulation(of.Update(time.Now(), 0)).Objects() {
		node, ok := object.(*corev1.Node)
		if !ok {
			continue
		}
		c.names = append(c.names, node.Name)
		group.Go(func() error {
			return writer.Apply(ctx, simulator.Write{Kind: "Node", Name: node.Name, After: node})
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("creating nodes: %w", err)
	}
	return nil
}

func (c *comparison) measure(ctx context.Context, one watching) (report.Informer, error) {
	result := report.Informer{Name: one.name, Nodes: len(c.names)}
	// What one way has kept must not count for the next.
	var running sync.WaitGroup
	defer running.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	heap := heapInUse()
	before, err := c.meter.processes()
	if err != nil {
		return result, err
	}
	informers, err := c.inform(ctx, one, &running)
	if err != nil {
		return result, err
	}
	known, err := c.meter.processes()
	if err != nil {
		return result, err
	}
	if err := c.changeAll(ctx, informers); err != nil {
		return result, err
	}
	changed, err := c.meter.processes()
	if err != nil {
		return result, err
	}
	first, all := between(before, known), between(before, changed)
	result.Read, result.Changes = first.Read, all.Read-first.Read
	result.ServerCPU, result.CPU = all.ServerCPU, all.ControllerCPU
	result.Heap = max(0, heapInUse()-heap)
	runtime.KeepAlive(informers)
	return result, nil
}

func heapInUse() int {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}

// inform starts informers and waits until they know all nodes.
func (c *comparison) inform(ctx context.Context, one watching, running *sync.WaitGroup) ([]cache.SharedIndexInformer, error) {
	var informers []cache.SharedIndexInformer
	for range one.informers {
		config := rest.CopyConfig(c.plane.Admin())
		config.ContentType, config.AcceptContentTypes = one.media, one.media
		client, err := corev1client.NewForConfig(config)
		if err != nil {
			return nil, fmt.Errorf("making a client: %w", err)
		}
		informer := cache.NewSharedIndexInformer(cache.NewListWatchFromClient(client.RESTClient(), "nodes", "", fields.Everything()), &corev1.Node{}, 0, cache.Indexers{})
		if one.trimmed {
			if err := informer.SetTransform(nodes.Trim); err != nil {
				return nil, fmt.Errorf("trimming objects: %w", err)
			}
		}
		running.Go(func() { informer.RunWithContext(ctx) })
		informers = append(informers, informer)
	}
	for _, informer := range informers {
		if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
			return nil, fmt.Errorf("listing nodes: %w", context.Cause(ctx))
		}
	}
	return informers, nil
}

// changeAll changes every node and waits until all informers have seen it.
func (c *comparison) changeAll(ctx context.Context, informers []cache.SharedIndexInformer) error {
	config := rest.CopyConfig(c.plane.Admin())
	config.QPS = -1
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	seen, ctx := errgroup.WithContext(ctx)
	for _, informer := range informers {
		news := make(chan struct{}, len(c.names))
		handle, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
			UpdateFunc: func(any, any) { news <- struct{}{} },
		})
		if err != nil {
			return fmt.Errorf("watching nodes: %w", err)
		}
		seen.Go(func() error {
			for range c.names {
				select {
				case <-news:
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			}
			return informer.RemoveEventHandler(handle)
		})
	}
	patch := []byte(`{"metadata":{"annotations":{"example.com/changed":` + strconv.Quote(time.Now().Format(time.RFC3339Nano)) + `}}}`)
	changing, changes := errgroup.WithContext(ctx)
	changing.SetLimit(lanes)
	for _, name := range c.names {
		changing.Go(func() error {
			request := client.CoreV1().RESTClient().Patch(types.MergePatchType).Resource("nodes").Name(name).
				SetHeader("Accept", asMetadata).Body(patch)
			return request.Do(changes).Error()
		})
	}
	if err := errors.Join(changing.Wait(), seen.Wait()); err != nil {
		return fmt.Errorf("changing nodes: %w", err)
	}
	return nil
}
