package controller

import (
	"context"
	"maps"
	"time"

	"k8s.io/utils/clock"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
)

// collector applies the messages of the sources to the ledger, which belongs to its run goroutine.
type collector struct {
	clock    clock.PassiveClock
	messages chan receivedMessage
	requests chan snapshotRequest
	// changed is called after each message that changed the ledger.
	changed func()
}

// receivedMessage is a message with the time at which its source sent it.
type receivedMessage struct {
	insight.Message

	at time.Time
}

type snapshotRequest struct {
	reply chan<- ledgerSnapshot
	// resetPending is whether the snapshot will be written: its changes are not pending in the next one.
	resetPending bool
}

// ledgerSnapshot is the content of the ledger at a moment. It shares nothing that will be changed.
type ledgerSnapshot struct {
	view ledger.View
	// oldestPending is when the oldest message was received that changed the ledger since the last reset, zero if there is none.
	oldestPending time.Time
	// lastReports is when the last message of each source was received.
	lastReports map[insight.Source]time.Time
}

// messageBuffer lets sources send during short delays of the collector.
const messageBuffer = 64

func newCollector(clock clock.PassiveClock, changed func()) *collector {
	return &collector{
		clock: clock, messages: make(chan receivedMessage, messageBuffer), requests: make(chan snapshotRequest), changed: changed,
	}
}

// send sends a message to the collector. It waits until there is room: no message is dropped.
func (c *collector) send(ctx context.Context, message insight.Message) error {
	select {
	case c.messages <- receivedMessage{message, c.clock.Now()}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// snapshot returns the content of the ledger, including all messages that were sent before. Only sync resets what is pending.
func (c *collector) snapshot(ctx context.Context, resetPending bool) (ledgerSnapshot, error) {
	reply := make(chan ledgerSnapshot, 1)
	select {
	case c.requests <- snapshotRequest{reply, resetPending}:
		return <-reply, nil
	case <-ctx.Done():
		return ledgerSnapshot{}, context.Cause(ctx)
	}
}

// run owns the ledger until the context ends.
func (c *collector) run(ctx context.Context) {
	reports := ledger.New()
	var oldestPending time.Time
	lastReports := map[insight.Source]time.Time{}
	apply := func(message receivedMessage) {
		lastReports[message.Source] = message.at
		if !reports.Apply(message.Message) {
			return
		}
		if oldestPending.IsZero() {
			oldestPending = message.at
		}
		c.changed()
	}
	for {
		select {
		case message := <-c.messages:
			apply(message)
		case request := <-c.requests:
			for range len(c.messages) {
				apply(<-c.messages)
			}
			request.reply <- ledgerSnapshot{reports.View(), oldestPending, maps.Clone(lastReports)}
			if request.resetPending {
				oldestPending = time.Time{}
			}
		case <-ctx.Done():
			return
		}
	}
}
