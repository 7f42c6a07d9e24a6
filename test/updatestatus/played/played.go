package played

import (
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	corev1 "k8s.io/api/core/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
	"github.com/openshift/cluster-version-operator/test/updatestatus/lag"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// Update is an update that is played.
type Update struct {
	// Simulation may be changed between two writes.
	Simulation *simulator.Simulation
	// Change changes what is read of the cluster at a moment, if it is set.
	Change func(in *standalone.Input, now time.Time)

	// next is the write that comes next, nil if it is not known, and now the present moment.
	next        *simulator.Write
	nodeChanged bool
	now         time.Time
	cluster     *lag.Cluster
	assessed    *standalone.Cluster
	ledger      *ledger.Ledger
	builder     *status.Builder
}

// New returns an update before its first write.
func New(script simulator.Update) *Update {
	simulation := simulator.NewSimulation(script)
	update := &Update{now: script.Start, Simulation: simulation, cluster: lag.NewCluster(nil), assessed: standalone.NewCluster(assess.Observed{}), ledger: ledger.New(), builder: status.NewBuilder()}
	for _, object := range simulation.Objects() {
		update.cluster.Put(stored(object))
	}
	return update
}

// confirmed is how often the controller confirms a status that nothing changes.
const confirmed = time.Minute

// SetHistory sets the records of earlier updates.
func (u *Update) SetHistory(history estimate.History) {
	u.builder.SetHistory(history)
}

// Next goes on to the next moment: that of the next write, which it makes, or a minute later if none is made before. It returns
// false at the end of the update.
func (u *Update) Next() (time.Time, bool) {
	if !u.hasNext() {
		return time.Time{}, false
	}
	if u.next.Time.Sub(u.now) > confirmed {
		u.now, u.nodeChanged = u.now.Add(confirmed), false
		return u.now, true
	}
	u.write()
	return u.now, true
}

// To goes on to a moment: it makes all writes until then.
func (u *Update) To(moment time.Time) {
	for u.hasNext() && !u.next.Time.After(moment) {
		u.write()
	}
	u.now = moment
}

// hasNext returns whether there is another write.
func (u *Update) hasNext() bool {
	if u.next != nil {
		return true
	}
	write, more := u.Simulation.Next()
	if more {
		u.next = &write
	}
	return more
}

// write makes the next write.
func (u *Update) write() {
	u.cluster.Put(stored(u.next.After))
	_, u.nodeChanged = u.next.After.(*corev1.Node)
	u.now, u.next = u.next.Time, nil
}

// NodeChanged returns whether the last write was one to a Node.
func (u *Update) NodeChanged() bool {
	return u.nodeChanged
}

// Objects returns the objects of the cluster, which must not be changed.
func (u *Update) Objects() []simulator.Object {
	return u.cluster.Objects()
}

// Input returns what is read of the cluster, without Change.
func (u *Update) Input() standalone.Input {
	return u.cluster.Input()
}

// Messages returns what the sources report at a moment.
func (u *Update) Messages(now time.Time) []insight.Message {
	in := u.Input()
	if u.Change != nil {
		u.Change(&in, now)
	}
	return u.assessed.Assess(in, now)
}

// Status returns the status at a moment, with nothing left out.
func (u *Update) Status(now time.Time) *updatev1alpha1.UpdateStatusStatus {
	for _, message := range u.Messages(now) {
		u.ledger.Apply(message)
	}
	return u.builder.Build(u.ledger.View(), now)
}

// Play plays the update to its end, and calls a function with the status at each moment.
func (u *Update) Play(see func(status *updatev1alpha1.UpdateStatusStatus, now time.Time)) {
	for now, more := u.Next(); more; now, more = u.Next() {
		see(u.Status(now), now)
	}
}

// Restart starts the controller again: it knows what the object in the cluster has.
func (u *Update) Restart() error {
	stored := &updatev1alpha1.UpdateStatusStatus{}
	if err := Store(u.builder.Fit().Status, stored); err != nil {
		return err
	}
	u.ledger, u.builder = ledger.New(), status.NewBuilder()
	u.builder.Stored(stored)
	u.assessed = standalone.NewCluster(assess.ObservedBefore(stored))
	return nil
}

// stored returns an object as the sources read it from the API server.
func stored(object simulator.Object) simulator.Object {
	read := reflect.New(reflect.TypeOf(object).Elem()).Interface().(simulator.Object)
	if err := Store(&object, &read); err != nil {
		panic(err) // the objects of the simulation are those of the API
	}
	return read
}

// Store copies an object as the API server stores it: times lose what is below a second.
func Store[T any](from, to *T) error {
	encoded, err := json.Marshal(from)
	if err != nil {
		return fmt.Errorf("storing: %w", err)
	}
	if err := json.Unmarshal(encoded, to); err != nil {
		return fmt.Errorf("reading what was stored: %w", err)
	}
	return nil
}
