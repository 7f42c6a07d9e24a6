package simulator

import (
	"container/heap"
	"math/rand/v2"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	configv1 "github.com/openshift/api/config/v1"
)

// Object is an API object.
type Object interface {
	metav1.Object
	runtime.Object
}

// Write is one write of one of the operators of a cluster.
type Write struct {
	// Time is when it is written. The times within the object, of conditions, are of the same clock.
	Time time.Time
	// Kind and Name are those of the object.
	Kind, Name string
	// Status says that the status is written, through its subresource; otherwise everything else is.
	Status bool
	// Before is the object as it was; nil if it is created.
	Before Object
	// After is the object as it is from now on.
	After Object
}

// Simulation plays an update in memory: it yields, one by one, the writes of the operators of a real cluster. It uses no clock, no
// API server and no randomness but its seed. Between two writes the script may be changed: see Pause, Resume, Repair, Unblock and
// Request.
type Simulation struct {
	update Update
	random *rand.Rand

	// now is the time since the start, before it is scaled.
	now      time.Duration
	events   events
	sequence int
	// planned counts the events that bring the update forward; heartbeats alone do not keep it going.
	planned int
	// isBackground is whether what happens now is in the background. Between two events it is not.
	isBackground bool
	writes       []Write

	payload    []operatorPlan
	version    *configv1.ClusterVersion
	operators  map[string]*configv1.ClusterOperator
	thirdParty *configv1.ClusterOperator
	deployment *appsv1.Deployment
	pools      []*pool

	cvo           clusterVersionOperator
	machineConfig machineConfigState
	network       networkState
}

// NewSimulation returns the simulation of an update, before its first write. The cluster as it is until then is what
// Objects returns.
func NewSimulation(update Update) *Simulation {
	update = update.withDefaults()
	s := &Simulation{
		update:  update,
		random:  rand.New(rand.NewPCG(update.Seed, 0)),
		payload: payloadOf(update.Operators),
		cvo:     clusterVersionOperator{release: update.From, updated: map[string]bool{}, refused: update.Refused},
	}
	s.build()
	for _, object := range s.objects() {
		update.Dress(object)
	}
	s.after(update.Quiet, func() { s.request(update.To) })
	if update.AtLeast > 0 {
		s.after(update.AtLeast, func() {})
	}
	s.startHeartbeats()
	s.startUnready()
	return s
}

// Objects returns all objects of the cluster as they are after the last write that Next has returned. What happens at a moment can be
// several writes.
func (s *Simulation) Objects() []Object {
	type key struct{ kind, name string }
	before := map[key]Object{}
	for _, write := range slices.Backward(s.writes) {
		before[key{write.Kind, write.Name}] = write.Before
	}
	var copies []Object
	for _, object := range s.objects() {
		if was, isAhead := before[key{object.GetObjectKind().GroupVersionKind().Kind, object.GetName()}]; isAhead {
			object = was
		}
		if object != nil {
			copies = append(copies, object.DeepCopyObject().(Object))
		}
	}
	return copies
}

func (s *Simulation) objects() []Object {
	objects := []Object{s.version, s.thirdParty, s.deployment}
	for _, plan := range s.payload {
		objects = append(objects, s.operators[plan.name])
	}
	for _, pool := range s.pools {
		for _, config := range pool.configs {
			objects = append(objects, config)
		}
		objects = append(objects, pool.object)
		objects = append(objects, pool.image.objects()...)
		for _, node := range pool.nodes {
			objects = append(objects, node.object)
			if node.machineConfigNode != nil {
				objects = append(objects, node.machineConfigNode)
			}
		}
	}
	return objects
}

// Next returns the next write, or false when the update is over, or stuck on nodes that are degraded or blocked, or
// pools that are paused.
func (s *Simulation) Next() (Write, bool) {
	for len(s.writes) == 0 {
		if s.planned == 0 {
			return Write{}, false
		}
		next := heap.Pop(&s.events).(event)
		s.now = next.at
		if !next.background {
			s.planned--
		}
		s.isBackground = next.background
		next.do()
	}
	s.isBackground = false
	write := s.writes[0]
	s.writes = s.writes[1:]
	return write, true
}

// time returns the present time of the played cluster.
func (s *Simulation) time() time.Time {
	return s.update.Start.Add(time.Duration(float64(s.now) * s.update.Scale))
}

// after plans something that brings the update forward. What follows from something in the background does not: a daemon that tries
// again has the pool looked at each time.
func (s *Simulation) after(wait time.Duration, do func()) {
	if s.isBackground {
		s.inBackground(wait, do)
		return
	}
	s.planned++
	s.plan(event{at: s.now + wait, do: do})
}

// inBackground plans something that does not keep the update going.
func (s *Simulation) inBackground(wait time.Duration, do func()) {
	s.plan(event{at: s.now + wait, do: do, background: true})
}

func (s *Simulation) plan(next event) {
	s.sequence++
	next.sequence = s.sequence
	heap.Push(&s.events, next)
}

// about returns a duration that is randomly up to three tenths shorter or longer.
func (s *Simulation) about(duration time.Duration) time.Duration {
	return time.Duration(float64(duration) * (0.7 + 0.6*s.random.Float64()))
}

// part is what of an object a write is about.
type part bool

const (
	status       part = true
	allButStatus part = false
)

// change changes an object and yields the write of it.
func change[T Object](s *Simulation, object T, what part, change func(T)) {
	before := object.DeepCopyObject().(Object)
	change(object)
	s.writes = append(s.writes, Write{
		Time:   s.time(),
		Kind:   object.GetObjectKind().GroupVersionKind().Kind,
		Name:   object.GetName(),
		Status: bool(what),
		Before: before,
		After:  object.DeepCopyObject().(Object),
	})
}

// changeSpec is a change of the specification of an object, which the API server counts.
func changeSpec[T Object](s *Simulation, object T, set func(T)) {
	change(s, object, allButStatus, func(object T) {
		set(object)
		object.SetGeneration(object.GetGeneration() + 1)
	})
}

// reconcile is a change by an operator that compares first: what changes nothing is not written.
func reconcile[T Object](s *Simulation, object T, what part, set func(T)) (changed bool) {
	wanted := object.DeepCopyObject().(T)
	set(wanted)
	if equality.Semantic.DeepEqual(object, wanted) {
		return false
	}
	change(s, object, what, set)
	return true
}

// create yields the write of a new object.
func (s *Simulation) create(object Object) {
	s.update.Dress(object)
	s.writes = append(s.writes, Write{
		Time:  s.time(),
		Kind:  object.GetObjectKind().GroupVersionKind().Kind,
		Name:  object.GetName(),
		After: object.DeepCopyObject().(Object),
	})
}
