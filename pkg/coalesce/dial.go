package coalesce

import (
	"context"
	"net"
	"time"

	"golang.org/x/time/rate"
)

const (
	// atOnce is how many batches a second are read without a pause, and as many at once after a quiet time: the heartbeats of
	// 2,000 nodes, each of which comes in one piece or two.
	atOnce = 50
	// received is how much the kernel is asked to keep of a connection until it is read: what Linux lets every process have
	// (net.core.rmem_max).
	received = 208 << 10
	// enough is what a pause is to gather: half of that, so that there is room for more before who sends has to wait.
	enough = received / 2
	// longest is how long a pause is at most. Changes of so many nodes gather for longer until they are written.
	longest = 100 * time.Millisecond
	// few is what the longest pause must have gathered to be worth it: two Nodes.
	few = 24 << 10
	// shortest is the first pause; what is long, as a list, is worth no longer one.
	shortest = 100 * time.Microsecond
	// growth is how much longer than the last a pause may be.
	growth = 2
)

// DialFunc connects to an address, as net.Dialer.DialContext.
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// Dial returns a dialer of connections that are read with pauses while they are busy, and what arrives is late by a tenth of a
// second at most then. What is long is read as it comes, and what is written is not touched. A connection is read by one
// goroutine at a time, as TLS does. One that isn't the kernel's own, or can't keep so much until it is read, is as it was.
func Dial(by DialFunc) DialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		dialed, err := by(ctx, network, address)
		if err != nil {
			return nil, err
		}
		socket, ok := dialed.(interface{ SetReadBuffer(bytes int) error })
		if !ok || socket.SetReadBuffer(received) != nil {
			// With less room, a list would have to wait for the pauses.
			return dialed, nil
		}
		return &conn{Conn: dialed, atOnce: rate.NewLimiter(atOnce, atOnce)}, nil
	}
}

// conn is a connection that is read in batches.
type conn struct {
	net.Conn

	atOnce *rate.Limiter
	// drained is whether all has been read that had arrived, batch the bytes of it, and pause the time in which they gathered.
	drained bool
	batch   int
	pause   time.Duration
}

// Read is part of net.Conn.
func (c *conn) Read(into []byte) (int, error) {
	if c.drained {
		c.gather()
	}
	read, err := c.Conn.Read(into)
	c.drained = read < len(into)
	c.batch += read
	return read, err
}

// gather lets the next batch gather. What arrives meanwhile is kept by the kernel, and it is too short a time for a deadline or
// the end of the connection to matter.
func (c *conn) gather() {
	c.pause, c.batch = c.next(), 0
	time.Sleep(c.pause)
}

// next returns how long the pause after a batch is.
func (c *conn) next() time.Duration {
	switch {
	case c.pause == 0 && c.atOnce.Allow():
		return 0
	case c.pause == 0:
		return shortest
	case c.pause == longest && c.batch < few:
		return 0
	default:
		factor := min(growth, enough/float64(c.batch))
		return min(max(shortest, time.Duration(factor*float64(c.pause))), longest)
	}
}
