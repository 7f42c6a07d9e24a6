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

// proxy is the way to an API server, which can be cut and mended. What passes is encrypted, and of no interest to it.
type proxy struct {
	t       *testing.T
	target  string
	address string

	lock     sync.Mutex
	listener net.Listener
	open     map[net.Conn]bool
}

// newProxy returns a way to an address, and takes it away at the end of the test.
func newProxy(t *testing.T, target string) *proxy {
	t.Helper()
	p := &proxy{t: t, target: target, address: "127.0.0.1:0", open: map[net.Conn]bool{}}
	p.mend()
	p.address = p.listener.Addr().String()
	t.Cleanup(p.cut)
	return p
}

// mend lets connections through.
func (p *proxy) mend() {
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

// cut ends all connections, and refuses others.
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
	for _, way := range [][2]net.Conn{{from, to}, {to, from}} {
		both.Go(func() {
			_, _ = io.Copy(way[0], way[1])
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
