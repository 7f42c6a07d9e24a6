package controller

import (
	"context"
	"maps"
	"time"

	"k8s.io/utils/clock"

	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
)

// collector takes the messages of the sources into the ledger. Its run goroutine is the only one that touches it.
type collector struct {
	clock    clock.PassiveClock
	messages chan arrival
	looks    chan look
	// changed is called after each message that said something new.
	changed func()
}

// arrival is a message and when its source handed it over.
type arrival struct {
	insight.Message

	at time.Time
}

// look asks for what the collector holds.
type look struct {
	reply chan<- holding
	// keeping is whether what is seen will be written: what changed until now then waits no more.
	keeping bool
}

// holding is what the collector holds at a moment. It shares nothing that will be changed.
type holding struct {
	view ledger.View
	// waiting is when the oldest message arrived that changed the ledger since the last look of the keeper, zero if none
	// did.
	waiting time.Time
	// reported is when the last message of each source arrived.
	reported map[insight.Source]time.Time
}

// messageBuffer lets sources run ahead of the collector for a moment; it has no other meaning.
const messageBuffer = 64

func newCollector(clock clock.PassiveClock, changed func()) *collector {
	return &collector{
		clock:    clock,
		messages: make(chan arrival, messageBuffer),
		looks:    make(chan look),
		changed:  changed,
	}
}

// send hands a message over. It waits until there is room for it: no message is dropped.
func (c *collector) send(ctx context.Context, message insight.Message) error {
	select {
	case c.messages <- arrival{message, c.clock.Now()}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// look returns what the collector holds, everything included that was sent before. Only the keeper of the object is
// keeping: for others nothing has been kept by their look.
func (c *collector) look(ctx context.Context, keeping bool) (holding, error) {
	reply := make(chan holding, 1)
	select {
	case c.looks <- look{reply, keeping}:
		return <-reply, nil
	case <-ctx.Done():
		return holding{}, context.Cause(ctx)
	}
}

// run owns the ledger until the context ends.
func (c *collector) run(ctx context.Context) {
	entries := ledger.New()
	held := holding{reported: map[insight.Source]time.Time{}}
	apply := func(message arrival) {
		held.reported[message.Source] = message.at
		if !entries.Apply(message.Message) {
			return
		}
		if held.waiting.IsZero() {
			held.waiting = message.at
		}
		c.changed()
	}
	for {
		select {
		case message := <-c.messages:
			apply(message)
		case look := <-c.looks:
			for range len(c.messages) {
				apply(<-c.messages)
			}
			look.reply <- holding{view: entries.View(), waiting: held.waiting, reported: maps.Clone(held.reported)}
			if look.keeping {
				held.waiting = time.Time{}
			}
		case <-ctx.Done():
			return
		}
	}
}
