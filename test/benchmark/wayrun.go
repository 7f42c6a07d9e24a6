package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
	"github.com/openshift/cluster-version-operator/pkg/status"
	"github.com/openshift/cluster-version-operator/test/benchmark/report"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/controlplane"
)

const (
	// wayTurns is how often each way has its turn: the ways take turns, since a machine is not as fast at every moment.
	wayTurns = 3
	// wayWrites is how often the status is written in a turn, and wayWarming how often before what is measured.
	wayWrites  = 10
	wayWarming = 2
	// wayChanges is how many nodes each of these writes changes.
	wayChanges = 10
)

// waySizes are the numbers of nodes of the objects that are written: a middling one, and one that fills the object.
func waySizes() []int {
	return []int{500, 5000}
}

// compareWays measures all ways to write the status.
func compareWays(ctx context.Context, say func(format string, values ...any)) (measured []report.Way, err error) {
	plane, meter, err := startMetered(ctx, controlplane.Options{APIServerFlags: map[string]string{
		"feature-gates": "CBORServingAndStorage=true",
	}})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, plane.Stop()) }()
	config := rest.CopyConfig(plane.Admin())
	config.QPS = -1
	client, err := updateclient.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	for _, nodes := range waySizes() {
		object := fleetObject(nodes)
		results := make([]report.Way, len(ways()))
		for turn := range wayTurns {
			for at, one := range ways() {
				results[at].Name, results[at].Nodes = one.name, nodes
				taken := &turnOf{way: one, client: client.UpdateV1alpha1().RESTClient(), meter: meter, current: object.DeepCopy()}
				if err := taken.take(ctx, &results[at]); err != nil {
					return nil, fmt.Errorf("%s: %w", one.name, err)
				}
			}
			say("ways to write the status of %d nodes: turn %d of %d", nodes, turn+1, wayTurns)
		}
		measured = append(measured, results...)
	}
	return measured, nil
}

// fleetObject returns the object of a cluster in the middle of its update.
func fleetObject(nodes int) *updatev1alpha1.UpdateStatus {
	of, now := builders.Large(), time.Now()
	of.Nodes = slices.Concat(slices.Repeat([][]byte{of.Nodes}, nodes/len(of.Nodes)+1)...)[:nodes]
	said := ledger.New()
	for _, message := range assess.Cluster(of.Cluster(now), now) {
		said.Apply(message)
	}
	object := &updatev1alpha1.UpdateStatus{
		Status: status.Build(status.Input{Ledger: said.View(), Now: now, Observing: true, Bounded: true}),
	}
	object.SetGroupVersionKind(updatev1alpha1.SchemeGroupVersion.WithKind("UpdateStatus"))
	object.Name = updatev1alpha1.SingletonName
	return object
}

// turnOf is a turn of a way: some writes on an object of its own.
type turnOf struct {
	way

	client  rest.Interface
	meter   *meter
	current *updatev1alpha1.UpdateStatus
	// round counts writes.
	round int
}

func (t *turnOf) take(ctx context.Context, result *report.Way) error {
	watching, stop := context.WithCancel(ctx)
	defer stop()
	if err := t.prepare(ctx); err != nil {
		return err
	}
	for range t.watchers {
		if err := t.follow(watching); err != nil {
			return err
		}
	}
	for range wayWarming {
		if _, _, err := t.change(ctx, t.way); err != nil {
			return err
		}
	}
	before, err := t.meter.begin(ctx)
	if err != nil {
		return err
	}
	for range wayWrites {
		began := time.Now()
		sent, answered, err := t.change(ctx, t.way)
		if err != nil {
			return err
		}
		result.Sent, result.Answered = sent, answered
		result.Seconds += time.Since(began).Seconds() / (wayTurns * wayWrites)
	}
	after, err := t.meter.end(ctx)
	if err != nil {
		return err
	}
	used := between(before, after)
	result.ServerCPU += used.ServerCPU / (wayTurns * wayWrites)
	result.StoreCPU += used.StoreCPU / (wayTurns * wayWrites)
	return nil
}

// prepare creates the object anew: what tracks managedFields goes by the object that there was before.
func (t *turnOf) prepare(ctx context.Context) error {
	err := t.request(t.client.Delete()).Do(ctx).Error()
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("deleting the object: %w", err)
	}
	bare := &updatev1alpha1.UpdateStatus{TypeMeta: t.current.TypeMeta}
	bare.Name = t.current.Name
	content, err := putObject(nil, bare)
	if err != nil {
		return err
	}
	created := t.client.Post().Resource(updateStatuses).SetHeader("Content-Type", runtime.ContentTypeJSON).Body(content).Do(ctx)
	if err := t.learn(created); err != nil {
		return fmt.Errorf("creating the object: %w", err)
	}
	if t.untracked {
		removed := t.request(t.client.Patch(types.JSONPatchType)).
			Body([]byte(`[{"op":"replace","path":"/metadata/managedFields","value":[{}]}]`)).Do(ctx)
		if err := t.learn(removed); err != nil {
			return fmt.Errorf("removing managedFields: %w", err)
		}
	}
	if _, _, err := t.change(ctx, ways()[0]); err != nil {
		return err
	}
	if tracked := len(t.current.ManagedFields) > 0; tracked == t.untracked {
		return fmt.Errorf("managedFields are %v", t.current.ManagedFields)
	}
	return nil
}

const updateStatuses = "updatestatuses"

func (t *turnOf) request(request *rest.Request) *rest.Request {
	return request.Resource(updateStatuses).Name(t.current.Name)
}

// learn takes the metadata of an answer.
func (t *turnOf) learn(result rest.Result) error {
	if err := result.Error(); err != nil {
		return err //nolint:wrapcheck // the caller says what was tried
	}
	content, err := result.Raw()
	if err != nil {
		return err //nolint:wrapcheck // the caller says what was tried
	}
	var answer updatev1alpha1.UpdateStatus
	if err := json.Unmarshal(content, &answer); err != nil {
		return fmt.Errorf("reading the answer: %w", err)
	}
	t.current.ObjectMeta = answer.ObjectMeta
	return nil
}

// change writes a status with some nodes changed, in a way, and returns the sizes of the request and of the answer.
func (t *turnOf) change(ctx context.Context, by way) (sent, answered int, err error) {
	before := t.current.DeepCopy()
	before.ManagedFields, t.current.ManagedFields = nil, nil
	changeSome(&t.current.Status, t.round)
	t.round++
	body, err := by.body(before, t.current)
	if err != nil {
		return 0, 0, err
	}
	request := t.request(t.client.Verb(by.verb)).SubResource("status").
		SetHeader("Content-Type", by.media).SetHeader("Accept", by.accept).Body(body)
	if by.media == string(types.ApplyYAMLPatchType) {
		request = request.Param("fieldManager", "benchmark").Param("force", "true")
	}
	result := request.Do(ctx)
	if err := t.learn(result); err != nil {
		return 0, 0, fmt.Errorf("writing the status: %w", err)
	}
	answer, _ := result.Raw()
	return len(body), len(answer), nil
}

// changeSome changes some nodes of a worker pool, others in each round.
func changeSome(of *updatev1alpha1.UpdateStatusStatus, round int) {
	insights := of.WorkerPools[0].Informers[0].Insights
	for at := range wayChanges {
		one := &insights[(round*wayChanges+at)%len(insights)]
		if one.Node == nil {
			continue
		}
		one.AcquiredAt.Time = one.AcquiredAt.Add(time.Second)
		one.Node.Conditions[0].LastTransitionTime = one.AcquiredAt
	}
}

// follow watches the object until the context ends.
func (t *turnOf) follow(ctx context.Context) error {
	stream, err := t.client.Get().Resource(updateStatuses).Param("watch", "true").SetHeader("Accept", t.watch).Stream(ctx)
	if err != nil {
		return fmt.Errorf("watching the object: %w", err)
	}
	go func() {
		defer stream.Close()
		// What is seen is of no interest, and it ends with the context.
		_, _ = io.Copy(io.Discard, stream)
	}()
	return nil
}
