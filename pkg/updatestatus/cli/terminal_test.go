package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// terminal is a pseudo-terminal, and what was written to it.
type terminal struct {
	keyboard, screen *os.File

	lock    sync.Mutex
	written bytes.Buffer
	// more is signaled when there is more.
	more *sync.Cond
}

func newTerminal(t *testing.T) *terminal {
	t.Helper()
	t.Setenv("TERM", "xterm")
	keyboard, screen, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	created := &terminal{keyboard: keyboard, screen: screen}
	created.more = sync.NewCond(&created.lock)
	t.Cleanup(func() { _ = keyboard.Close() })
	t.Cleanup(func() { _ = screen.Close() })
	go created.read()
	return created
}

func (m *terminal) read() {
	buffer := make([]byte, 4096)
	for {
		length, err := m.keyboard.Read(buffer)
		m.lock.Lock()
		m.written.Write(buffer[:length])
		m.lock.Unlock()
		m.more.Broadcast()
		if err != nil {
			return
		}
	}
}

func (m *terminal) resize(t *testing.T, columns, rows int) {
	t.Helper()
	if err := pty.Setsize(m.keyboard, &pty.Winsize{Cols: uint16(columns), Rows: uint16(rows)}); err != nil {
		t.Fatal(err)
	}
}

// until waits until something was written, and returns all that was.
func (m *terminal) until(ctx context.Context, t *testing.T, holds func(written string) bool) string {
	t.Helper()
	stop := context.AfterFunc(ctx, m.more.Broadcast)
	defer stop()
	m.lock.Lock()
	defer m.lock.Unlock()
	for !holds(m.written.String()) {
		if ctx.Err() != nil {
			t.Fatalf("it is never written; the end of what is:\n%q", m.written.String()[max(0, m.written.Len()-3000):])
		}
		m.more.Wait()
	}
	return m.written.String()
}

var sequence = regexp.MustCompile(`\x1b\[[?0-9;]*[a-zA-Z]`)

// lastFrame returns the text of the last whole frame, "" if there is none.
func lastFrame(written string) string {
	frames := strings.Split(written, toTop)
	for at := len(frames) - 1; at > 0; at-- {
		if frame, _, isWhole := strings.Cut(frames[at], clearBelow); isWhole {
			return strings.ReplaceAll(sequence.ReplaceAllString(frame, ""), "\r\n", "\n")
		}
	}
	return ""
}

// watcher is a watch on a terminal.
type watcher struct {
	*terminal

	options *Options
	ended   chan error
}

// watchOn starts a watch of a cluster on a terminal, at a fixed time.
func watchOn(ctx context.Context, t *testing.T, server *fakeCluster, columns, rows int) *watcher {
	t.Helper()
	screen := newTerminal(t)
	screen.resize(t, columns, rows)
	o := newOptions(nil, genericiooptions.IOStreams{In: strings.NewReader(""), Out: screen.screen, ErrOut: screen.screen})
	o.Watch, o.clock = true, func() time.Time { return time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC) }
	o.Color = colorNever
	from, err := newCluster(server.config(), target{}, o.clock)
	if err != nil {
		t.Fatal(err)
	}
	o.source = from
	w := &watcher{terminal: screen, options: o, ended: make(chan error, 1)}
	go func() { w.ended <- o.Run(ctx) }()
	return w
}

// TestWatchOnTerminal compares the screens of a watch with what describe makes for each size: the terminal is resized in between,
// the API server is away for a while, and the watch ends with the update.
func TestWatchOnTerminal(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	updating := content(t, updateStatusFile)
	server := newFakeCluster(t, updating)
	w := watchOn(ctx, t, server, 200, 60)
	us := mustRead(t, updateStatusFile)
	now := w.options.clock()
	u := update.ReadAt(&us.Status, now)
	expect := func(columns, rows int) {
		t.Helper()
		w.resize(t, columns, rows)
		want := strings.Join(describe.Screen(u, describe.Options{Now: now, Width: columns, Head: describe.Head(u, now)}, nil, rows-1), "\n") + "\n"
		w.until(ctx, t, func(written string) bool { return lastFrame(written) == want })
	}
	for _, size := range [][2]int{{200, 60}, {100, 24}, {80, 24}, {60, 20}, {100, 24}} {
		expect(size[0], size[1])
	}
	// A process that is suspended leaves the terminal as it was.
	w.until(ctx, t, func(written string) bool { return strings.HasSuffix(written, startWrapping+showCursor) })
	server.setAway(true)
	w.until(ctx, t, func(written string) bool { return strings.HasPrefix(lastFrame(written), "! the status is as of ") })
	server.setAway(false)
	expect(80, 24)
	server.set(t, idleStatus)
	if err := <-w.ended; err != nil {
		t.Errorf("the watch ended with %v", err)
	}
	end := w.until(ctx, t, func(written string) bool { return strings.HasSuffix(written, "took 1h.\r\n") })
	if diff := cmp.Diff(showCursor+"The update to 4.20.0 is complete. The control plane took 1h.\r\n", end[strings.LastIndex(end, showCursor):]); diff != "" {
		t.Errorf("the end (-want +got):\n%s", diff)
	}
}

// TestFormatsOnTerminal: a format for programs is the text of an object, which on a terminal has nothing that moves its cursor or hides a part
// of it. A pipe has what the object has.
func TestFormatsOnTerminal(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	const node = `
      - uid: node
        acquiredAt: "2025-03-01T12:00:00Z"
        type: Node
        node:
          resource: {resource: nodes, name: "a\e[2J\u202Eb"}
          poolResource: {group: machineconfiguration.openshift.io, resource: machineconfigpools, name: master}
          name: "a\e[2J\u202Eb"
          scope: ControlPlane
`
	file := filepath.Join(t.TempDir(), "status.yaml")
	if err := os.WriteFile(file, []byte(content(t, updateStatusFile)+node), 0o600); err != nil {
		t.Fatal(err)
	}
	const path = "{.status.controlPlane.informers[0].insights[2].node.name}"
	for _, test := range []struct {
		args             []string
		piped, displayed string
	}{
		{[]string{"nodes", "-o", "name"}, "node/a\x1b[2J\u202eb\n", "node/ab\r\n"},
		{[]string{"-o", "jsonpath=" + path}, "a\x1b[2J\u202eb", "ab"},
		{[]string{"-o", "go-template={{range .status.controlPlane.informers}}{{(index .insights 2).node.name}}{{end}}"}, "a\x1b[2J\u202eb", "ab"},
		// The columns are those of kubectl, which writes an escape character as ^[.
		{[]string{"-o", "custom-columns=NAME:" + path}, "NAME\na^[[2J\u202eb\n", "NAME\r\na^[[2Jb\r\n"},
	} {
		args := slices.Concat(test.args, []string{"-f", file})
		if piped := run(t, "", args...); piped.err != nil || piped.out != test.piped {
			t.Errorf("%s in a pipe: error %v\n%q", args, piped.err, piped.out)
		}
		screen := newTerminal(t)
		cmd := newPlugin(genericiooptions.IOStreams{In: strings.NewReader(""), Out: screen.screen, ErrOut: io.Discard})
		cmd.SetArgs(args)
		if err := cmd.ExecuteContext(ctx); err != nil {
			t.Errorf("%s on a terminal: %v", args, err)
		}
		got := screen.until(ctx, t, func(written string) bool { return len(written) >= len(test.displayed) })
		if diff := cmp.Diff(test.displayed, got); diff != "" {
			t.Errorf("%s on a terminal (-want +got):\n%s", args, diff)
		}
	}
}
