package controlplane

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Pool has the control planes of the tests of a package. They are started when tests take them, and when there is room for them on this
// machine (room.go):
//
//	var pool = controlplane.NewPool(controlplane.Options{})
//
//	func TestMain(m *testing.M) { os.Exit(pool.Main(m)) }
//
//	func TestSomething(t *testing.T) { plane := pool.Take(t) … }
type Pool struct {
	options Options

	lock sync.Mutex
	all  []*ControlPlane
	// idle are those that no test uses, and waiting is how many tests wait for one.
	idle    []*ControlPlane
	waiting int
	// returned is closed and replaced when a test has put one back.
	returned chan struct{}

	sharing sync.Mutex
	shared  *ControlPlane
}

// NewPool returns a pool of control planes with options.
func NewPool(options Options) *Pool {
	return &Pool{options: options, returned: make(chan struct{})}
}

// testsPerCore is how many tests of a package run or wait for a control plane at a time. They spend most of their time waiting.
const testsPerCore = 4

// Main runs the tests of a package, and stops its control planes afterwards, also when the tests are interrupted. It returns the exit
// status.
func (p *Pool) Main(tests interface{ Run() int }) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := flag.Set("test.parallel", strconv.Itoa(testsPerCore*runtime.NumCPU())); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	status := make(chan int, 1)
	go func() { status <- tests.Run() }()
	result := 1
	select {
	case result = <-status:
	case <-ctx.Done():
	}
	if err := p.stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		result = 1
	}
	return result
}

// Take runs a test in parallel with others, or a benchmark, on a control plane of its own. It is empty, and is emptied afterwards.
func (p *Pool) Take(t testing.TB) *ControlPlane {
	t.Helper()
	if test, isTest := t.(*testing.T); isTest {
		test.Parallel()
	}
	plane, err := p.take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.put(plane, plane.Reset(context.WithoutCancel(t.Context()))); err != nil {
			t.Error(err)
		}
	})
	return plane
}

// Start waits for room, and starts a control plane with options of its own for one test.
func (p *Pool) Start(t *testing.T, options Options) *ControlPlane {
	t.Helper()
	room, err := awaitRoom(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	plane := StartBeside(t, options)
	plane.held = append(plane.held, room)
	return plane
}

// StartBeside starts a control plane for a test that has one already, without room for it: two tests that wait for the other's room would
// wait forever.
func StartBeside(t *testing.T, options Options) *ControlPlane {
	t.Helper()
	plane, err := Start(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := plane.Stop(); err != nil {
			t.Error(err)
		}
	})
	return plane
}

// Shared returns a control plane that the tests of a package share. Each deletes what it has created.
func (p *Pool) Shared(t testing.TB) *ControlPlane {
	t.Helper()
	p.sharing.Lock()
	defer p.sharing.Unlock()
	if p.shared == nil {
		plane, err := p.take(context.WithoutCancel(t.Context()))
		if err != nil {
			t.Fatal(err)
		}
		p.shared = plane
	}
	return p.shared
}

// Emptied is Shared for a test at whose end the control plane is emptied.
func (p *Pool) Emptied(t testing.TB) *ControlPlane {
	t.Helper()
	plane := p.Shared(t)
	t.Cleanup(func() {
		if err := plane.Reset(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return plane
}

// take returns a control plane that no test uses, or a new one once there is room for it.
func (p *Pool) take(ctx context.Context) (*ControlPlane, error) {
	p.wait(1)
	defer p.wait(-1)
	ticker := time.NewTicker(roomInterval)
	defer ticker.Stop()
	for {
		plane, returned := p.pop()
		if plane != nil {
			return plane, nil
		}
		room, err := takeRoom()
		if err != nil {
			return nil, err
		}
		if room != nil {
			return p.add(startIn(ctx, room, p.options))
		}
		select {
		case <-returned:
		case <-ticker.C:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// put takes back what take has returned. If no test waits for it, one is kept for the next test, and others make room for other packages.
// One that could not be reset is of no use. Its error is returned.
func (p *Pool) put(plane *ControlPlane, unusable error) error {
	p.lock.Lock()
	defer p.lock.Unlock()
	if unusable != nil || p.waiting == 0 && len(p.idle) > 0 {
		p.all = slices.DeleteFunc(p.all, func(other *ControlPlane) bool { return other == plane })
		return errors.Join(unusable, plane.Stop())
	}
	p.idle = append(p.idle, plane)
	close(p.returned)
	p.returned = make(chan struct{})
	return nil
}

// pop returns a control plane that no test uses, or nil and a channel that is closed when one is put back.
func (p *Pool) pop() (*ControlPlane, <-chan struct{}) {
	p.lock.Lock()
	defer p.lock.Unlock()
	last := len(p.idle) - 1
	if last < 0 {
		return nil, p.returned
	}
	plane := p.idle[last]
	p.idle = p.idle[:last]
	return plane, nil
}

// add registers a control plane that was started, to be stopped in the end.
func (p *Pool) add(plane *ControlPlane, err error) (*ControlPlane, error) {
	if err != nil {
		return nil, err
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	p.all = append(p.all, plane)
	return plane, nil
}

func (p *Pool) wait(tests int) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.waiting += tests
}

func (p *Pool) stop() error {
	p.lock.Lock()
	defer p.lock.Unlock()
	var err error
	for _, plane := range p.all {
		err = errors.Join(err, plane.Stop())
	}
	return err
}
