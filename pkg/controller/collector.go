package controller

import (
	"context"

	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
)

// collector takes the messages of the sources into the ledger. Its run goroutine is the only one that touches it.
type collector struct {
	messages chan insight.Message
	views    chan chan<- ledger.View
	// changed is called after each message that said something new.
	changed func()
}

// messageBuffer lets sources run ahead of the collector for a moment; it has no other meaning.
const messageBuffer = 64

func newCollector(changed func()) *collector {
	return &collector{
		messages: make(chan insight.Message, messageBuffer),
		views:    make(chan chan<- ledger.View),
		changed:  changed,
	}
}

// send hands a message over. It waits until there is room for it: no message is dropped.
func (c *collector) send(ctx context.Context, message insight.Message) error {
	select {
	case c.messages <- message:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// view returns what the ledger holds, everything included that was sent before.
func (c *collector) view(ctx context.Context) (ledger.View, error) {
	reply := make(chan ledger.View, 1)
	select {
	case c.views <- reply:
		return <-reply, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// run owns the ledger until the context ends.
func (c *collector) run(ctx context.Context) {
	entries := ledger.New()
	apply := func(message insight.Message) {
		if entries.Apply(message) {
			c.changed()
		}
	}
	for {
		select {
		case message := <-c.messages:
			apply(message)
		case reply := <-c.views:
			for range len(c.messages) {
				apply(<-c.messages)
			}
			reply <- entries.View()
		case <-ctx.Done():
			return
		}
	}
}
