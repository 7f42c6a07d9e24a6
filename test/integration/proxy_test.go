package integration_test

import (
	"context"
	"io"
	"maps"
	"net"
	"slices"
	"sync"
	"testing"
)

// proxy forwards TCP connections to an API server. It can be cut and opened again.
type proxy struct {
	t       *testing.T
	target  string
	address string

	lock     sync.Mutex
	listener net.Listener
	open     map[net.Conn]bool
}

// newProxy returns an open proxy for an address, and closes it at the end of the test.
func newProxy(t *testing.T, target string) *proxy {
	t.Helper()
	p := &proxy{t: t, target: target, address: "127.0.0.1:0", open: map[net.Conn]bool{}}
	p.listen()
	p.address = p.listener.Addr().String()
	t.Cleanup(p.cut)
	return p
}

// listen accepts connections.
func (p *proxy) listen() {
	p.t.Helper()
	var config net.ListenConfig
	listener, err := config.Listen(context.WithoutCancel(p.t.Context()), "tcp", p.address)
	if err != nil {
		p.t.Fatal(err)
	}
	p.listener = listener
	go func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			go p.pass(from)
		}
	}()
}

// cut closes all connections, and refuses new ones.
func (p *proxy) cut() {
	_ = p.listener.Close()
	p.lock.Lock()
	open := slices.Collect(maps.Keys(p.open))
	p.lock.Unlock()
	for _, connection := range open {
		_ = connection.Close()
	}
}

func (p *proxy) pass(from net.Conn) {
	var dialer net.Dialer
	to, err := dialer.DialContext(context.WithoutCancel(p.t.Context()), "tcp", p.target)
	if err != nil {
		_ = from.Close()
		return
	}
	p.remember(from, to)
	var both sync.WaitGroup
	for _, direction := range [][2]net.Conn{{from, to}, {to, from}} {
		both.Go(func() {
			_, _ = io.Copy(direction[0], direction[1])
			// The other direction ends with this one.
			_, _ = from.Close(), to.Close()
		})
	}
	both.Wait()
	p.forget(from, to)
}

func (p *proxy) remember(connections ...net.Conn) {
	p.lock.Lock()
	defer p.lock.Unlock()
	for _, connection := range connections {
		p.open[connection] = true
	}
}

func (p *proxy) forget(connections ...net.Conn) {
	p.lock.Lock()
	defer p.lock.Unlock()
	for _, connection := range connections {
		delete(p.open, connection)
	}
}
