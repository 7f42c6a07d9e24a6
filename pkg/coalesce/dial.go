package coalesce

import (
	"context"
	"net"
	"time"

	"golang.org/x/time/rate"
)

const (
	// quiet is for how long nothing must arrive for what comes next to be taken for something short: pieces of what is long
	// follow each other faster.
	quiet = 2 * time.Millisecond
	// long is how much must have arrived within a wait for more to be expected at once: three quarters of what Linux receives
	// of a new connection before it is read.
	long = 48 << 10
)

// DialFunc connects to an address, as net.Dialer.DialContext.
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// Dial returns a dialer of connections whose short messages are read at most perSecond times a second, and as often at once
// after a quiet time. Each piece that the network brings of one is late by at most a second divided by that. What is long is
// read as it comes, and what is written is not touched. A connection is read by one goroutine at a time, as TLS does.
func Dial(by DialFunc, perSecond int) DialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		dialed, err := by(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &conn{Conn: dialed, waits: rate.NewLimiter(rate.Limit(perSecond), perSecond)}, nil
	}
}

// conn is a connection that is read in batches.
type conn struct {
	net.Conn

	waits *rate.Limiter
	// isShort is whether what arrives is short, drained whether all has been read that had arrived, and batch how much has
	// been since it was last.
	isShort, drained bool
	batch            int
}

// Read is part of net.Conn.
func (c *conn) Read(into []byte) (int, error) {
	if c.drained {
		c.hold()
	}
	began := time.Now()
	read, err := c.Conn.Read(into)
	if c.drained && time.Since(began) >= quiet {
		c.isShort = true
	}
	c.drained = read < len(into)
	c.batch += read
	return read, err
}

// hold lets short messages gather. What arrives meanwhile is kept by the kernel, and it is too short a time for a deadline or
// the end of the connection to matter.
func (c *conn) hold() {
	if c.batch >= long {
		c.isShort = false
	}
	c.batch = 0
	if c.isShort {
		time.Sleep(c.waits.Reserve().Delay())
	}
}
