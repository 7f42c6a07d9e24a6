package hosted

import (
	"cmp"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Object is an object of one of the clusters.
type Object interface {
	runtime.Object
	metav1.Object
}

// Action is what is done with an object.
type Action int

const (
	// Put creates it, or updates it with its status.
	Put Action = iota
	// Delete deletes it. With a finalizer it stays, and is being deleted.
	Delete
	// Release removes its finalizers, after which it is gone.
	Release
)

// Write is a write to one of the clusters.
type Write struct {
	Time   time.Time
	Action Action
	Object Object
	// IsHosted is whether the object is in the hosted cluster, and not in the management cluster.
	IsHosted bool
	// Step says what happens.
	Step string
}

// Played is an update with all of its writes.
type Played struct {
	// Before are the writes that create the clusters, and Update those of the update, in the order of their times.
	Before, Update []Write
}

// Play returns the writes of an update.
func Play(script Script) Played {
	played := play(script, 1)
	if script.Length == 0 {
		return played
	}
	took := played.Update[len(played.Update)-1].Time.Sub(script.Start)
	return play(script, float64(script.Length)/float64(took))
}

// play plays an update at a speed: each duration is multiplied by it.
func play(script Script, speed float64) Played {
	script = script.withDefaults()
	before := &recorder{script: script, now: script.Start.AddDate(0, 0, -30), speed: 1}
	cp := newControlPlane(before)
	var pools []*pool
	for _, one := range script.Pools {
		pools = append(pools, newPool(before, one))
	}
	update := &recorder{script: script, now: script.Start, speed: speed}
	cp.paused = script.Paused
	cp.update(update, len(pools) > 0)
	writes := update.writes
	for _, one := range pools {
		one.clusterPaused = script.Paused
		// Each pool has a clock of its own. It is asked for the release shortly before the control plane is complete.
		own := &recorder{script: script, now: update.now.Add(-time.Duration(float64(time.Minute) * speed)), speed: speed}
		one.update(own)
		writes = append(writes, own.writes...)
	}
	slices.SortStableFunc(writes, func(a, b Write) int { return cmp.Compare(a.Time.UnixNano(), b.Time.UnixNano()) })
	return Played{Before: before.writes, Update: writes}
}

// recorder collects writes.
type recorder struct {
	script Script
	now    time.Time
	speed  float64
	step   string
	writes []Write
}

// after goes on by a duration to the next step.
func (r *recorder) after(duration time.Duration, step string) {
	r.now = r.now.Add(time.Duration(float64(duration) * r.speed)).Truncate(time.Millisecond)
	r.step = step
}

func (r *recorder) record(action Action, object Object, isHosted bool) {
	r.writes = append(r.writes, Write{Time: r.now, Action: action, Object: object.DeepCopyObject().(Object), IsHosted: isHosted, Step: r.step})
}

// management and hosted put objects into one of the clusters.
func (r *recorder) management(objects ...Object) {
	for _, object := range objects {
		r.record(Put, object, false)
	}
}

func (r *recorder) hosted(objects ...Object) {
	for _, object := range objects {
		r.record(Put, object, true)
	}
}

// time returns the present moment as objects have it.
func (r *recorder) time() metav1.Time {
	return metav1.NewTime(r.now.Truncate(time.Second))
}

// set sets a condition, which changes its time with its status only.
func (r *recorder) set(conditions *[]metav1.Condition, kind string, status metav1.ConditionStatus, reason, message string) {
	for at := range *conditions {
		one := &(*conditions)[at]
		if one.Type != kind {
			continue
		}
		if one.Status != status {
			one.LastTransitionTime = r.time()
		}
		one.Status, one.Reason, one.Message = status, reason, message
		return
	}
	*conditions = append(*conditions, metav1.Condition{Type: kind, Status: status, Reason: reason, Message: message, LastTransitionTime: r.time()})
}
