package coalesce

import (
	"context"
	"net"
	"time"

	"golang.org/x/time/rate"
)

// DialFunc connects to an address, as net.Dialer.DialContext.
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// Dial returns a dialer of connections on which new data is waited for at most perSecond times a second, and as often at once
// after a quiet time. What has arrived is late by at most a second divided by that; how much is read, and what is written, is
// not limited. A connection is read by one goroutine at a time, as TLS does.
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

	// waits are those for new data.
	waits *rate.Limiter
	// drained is whether all has been read that had arrived.
	drained bool
}

// Read is part of net.Conn.
func (c *conn) Read(into []byte) (int, error) {
	if c.drained {
		// What arrives meanwhile is kept by the kernel. It is too short a time for a deadline or the end of the connection to matter.
		time.Sleep(c.waits.Reserve().Delay())
	}
	read, err := c.Conn.Read(into)
	c.drained = read < len(into)
	return read, err
}
