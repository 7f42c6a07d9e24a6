package controlplane

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strconv"

	"github.com/prometheus/procfs"
)

const (
	// loopback is where everything listens.
	loopback = "127.0.0.1"
	// lowestPort is the lowest port that is taken: below it, programs have theirs.
	lowestPort = 10_000
	// portTries is how many ports are tried.
	portTries = 100
)

// port is a port of the loopback address for one process of this control plane alone, also while that process does not
// run.
//
// The system gives a port of its ephemeral range to anybody's next connection as soon as nobody listens there: an API
// server that was killed could not come back. So the port is taken from below that range; and so that no other control
// plane of this host takes it either, its UDP sibling, which nobody uses, is held until Stop.
func (c *ControlPlane) port(ctx context.Context) (string, error) {
	end := ephemeralPort()
	for range portTries {
		port := strconv.Itoa(lowestPort + rand.IntN(end-lowestPort))
		held, err := hold(ctx, net.JoinHostPort(loopback, port))
		if err == nil {
			c.held = append(c.held, held)
			return port, nil
		}
	}
	return "", fmt.Errorf("no free port between %d and %d in %d tries", lowestPort, end, portTries)
}

// hold holds the UDP sibling of an address where nobody listens.
func hold(ctx context.Context, address string) (io.Closer, error) {
	var system net.ListenConfig
	held, err := system.ListenPacket(ctx, "udp", address)
	if err != nil {
		return nil, err
	}
	listener, err := system.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, errors.Join(err, held.Close())
	}
	return held, listener.Close()
}

// ephemeralPort returns the first port that the system gives to connections; Linux' own choice where it is not known, or so
// low that nothing is below it.
func ephemeralPort() int {
	const usual = 32768
	system, err := procfs.NewDefaultFS()
	if err != nil {
		return usual
	}
	ports, err := system.SysctlInts("net.ipv4.ip_local_port_range")
	if err != nil || len(ports) == 0 || ports[0] < lowestPort+portTries {
		return usual
	}
	return ports[0]
}
