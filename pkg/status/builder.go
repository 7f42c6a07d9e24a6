package status

import (
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
)

// Builder builds the statuses of one controller, one after the other. Each keeps the times of the one before.
type Builder struct {
	previous *updatev1alpha1.UpdateStatusStatus
	memory   *Memory
}

// NewBuilder returns a Builder that has built nothing yet.
func NewBuilder() *Builder {
	return &Builder{memory: NewMemory()}
}

// Stored starts from the status that the object in the cluster has. It is called once, before the first Build.
func (b *Builder) Stored(found *updatev1alpha1.UpdateStatusStatus) {
	b.previous = found
}

// Build returns the next status, bounded to MaxObjectBytes. The informers of others are taken over from the status that
// the object in the cluster has. The result must not be changed.
func (b *Builder) Build(view ledger.View, inCluster *updatev1alpha1.UpdateStatusStatus, now time.Time) *updatev1alpha1.UpdateStatusStatus {
	next := Build(Input{
		Previous: b.previous, Memory: b.memory, InCluster: inCluster, Ledger: view, Now: now,
		Observing: true, Bounded: true,
	})
	b.previous = &next
	return &next
}

// NextCheck returns when the next status differs from the last one although no source reports anything, zero if never.
func (b *Builder) NextCheck() time.Time {
	return b.memory.NextCheck()
}

// Reports is whether a source still reports a health insight that is announced, also if it was left out of the status.
func (b *Builder) Reports(uid string) bool {
	return b.memory.Reports(uid)
}
