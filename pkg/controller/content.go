package controller

import (
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// content is an object as JSON. It is what is stored, and so what is compared and written: it is encoded once, into one slice,
// and by far cheaper to compare than the object.
type content struct {
	// whole is all of it, with the type that a client leaves out.
	whole []byte
	// status is the status in it.
	status []byte
	// insights is where the insights are in it. No insight is changed once it is made (status.Build), so that one that is still
	// the same, pointers and all, is still the same as JSON.
	insights map[updatev1alpha1.Insight]span
}

// span is where something begins and ends.
type span struct{ begin, end int }

// contentOf encodes an object, as json.Marshal does. What an object before it had as well is taken from there: of thousands of
// insights, few are others.
func contentOf(object *updatev1alpha1.UpdateStatus, before content) (content, error) {
	frame := struct {
		metav1.TypeMeta `json:",inline"`

		Metadata metav1.ObjectMeta               `json:"metadata"`
		Spec     updatev1alpha1.UpdateStatusSpec `json:"spec"`
	}{object.TypeMeta, object.ObjectMeta, object.Spec}
	frame.APIVersion, frame.Kind = updatev1alpha1.SchemeGroupVersion.WithKind("UpdateStatus").ToAPIVersionAndKind()

	e := encoding{before: before, insights: make(map[updatev1alpha1.Insight]span, len(before.insights))}
	e.into = make([]byte, 0, len(before.whole)+len(before.whole)/8)
	e.open(frame)
	e.member("status")
	begin := len(e.into)
	e.status(object.Status)
	end := len(e.into)
	e.close()
	if e.err != nil {
		return content{}, fmt.Errorf("encoding UpdateStatus/%s: %w", object.Name, e.err)
	}
	return content{whole: e.into, status: e.into[begin:end], insights: e.insights}, nil
}

// encoding is an object that is being encoded, until something can't be.
type encoding struct {
	before   content
	into     []byte
	insights map[updatev1alpha1.Insight]span
	err      error
}

func (e *encoding) status(status updatev1alpha1.UpdateStatusStatus) {
	bare := status
	bare.ControlPlane, bare.WorkerPools = nil, nil
	e.open(bare)
	if status.ControlPlane != nil {
		e.member("controlPlane")
		e.controlPlane(*status.ControlPlane)
	}
	list(e, "workerPools", status.WorkerPools, e.workerPool)
	e.close()
}

func (e *encoding) controlPlane(controlPlane updatev1alpha1.ControlPlane) {
	bare := controlPlane
	bare.Informers = nil
	e.part(bare, controlPlane.Informers)
}

func (e *encoding) workerPool(pool updatev1alpha1.WorkerPool) {
	bare := pool
	bare.Informers = nil
	e.part(bare, pool.Informers)
}

// part adds a part of the cluster, which has all but its informers.
func (e *encoding) part(bare any, informers []updatev1alpha1.Informer) {
	e.open(bare)
	list(e, "informers", informers, e.informer)
	e.close()
}

func (e *encoding) informer(informer updatev1alpha1.Informer) {
	bare := informer
	bare.Insights = nil
	e.open(bare)
	list(e, "insights", informer.Insights, e.insight)
	e.close()
}

func (e *encoding) insight(insight updatev1alpha1.Insight) {
	begin := len(e.into)
	if at, found := e.before.insights[insight]; found {
		e.into = append(e.into, e.before.whole[at.begin:at.end]...)
	} else {
		e.value(insight)
	}
	e.insights[insight] = span{begin, len(e.into)}
}

// list adds a list to an object, unless it is empty, with what each adds for an item.
func list[T any](e *encoding, name string, of []T, each func(T)) {
	if len(of) == 0 {
		return
	}
	e.member(name)
	for at, one := range of {
		separator := byte(',')
		if at == 0 {
			separator = '['
		}
		e.into = append(e.into, separator)
		each(one)
	}
	e.into = append(e.into, ']')
}

// open adds an object without its end: close ends it.
func (e *encoding) open(bare any) {
	e.value(bare)
	if e.err == nil {
		e.into = e.into[:len(e.into)-1]
	}
}

// member adds the name of a further member to an object.
func (e *encoding) member(name string) {
	if e.err == nil && e.into[len(e.into)-1] != '{' {
		e.into = append(e.into, ',')
	}
	e.into = append(e.into, '"')
	e.into = append(e.into, name...)
	e.into = append(e.into, '"', ':')
}

func (e *encoding) close() {
	e.into = append(e.into, '}')
}

func (e *encoding) value(of any) {
	encoded, err := json.Marshal(of)
	if err != nil {
		e.err = err
	}
	e.into = append(e.into, encoded...)
}
