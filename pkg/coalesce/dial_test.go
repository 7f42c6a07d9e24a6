package coalesce_test

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/openshift/cluster-version-operator/pkg/coalesce"
)

const (
	// messageSize is about that of the event of a Node.
	messageSize = 11 << 10
	// spare is how many messages are read at once after a quiet time, and as many a second always.
	spare = 50
	// pause is what a busy connection is read with between.
	pause = 100 * time.Millisecond
)

// stretch is some messages of one size, one after the other.
type stretch struct {
	messages, size int
	apart          time.Duration
}

// play sends messages and returns for how long each waited until it was read, and how often what had arrived was read.
func play(t *testing.T, stretches ...stretch) (lags []time.Duration, batches int) {
	t.Helper()
	socket := newSocket()
	conn, err := coalesce.Dial(func(context.Context, string, string) (net.Conn, error) { return socket, nil })(t.Context(), "tcp", "api:6443")
	if err != nil {
		t.Fatal(err)
	}
	var sent, got []moment
	go func() {
		defer socket.end()
		bytes := 0
		for _, stretch := range stretches {
			for range stretch.messages {
				time.Sleep(stretch.apart)
				bytes += stretch.size
				sent = append(sent, moment{time.Now(), bytes})
				socket.send(make([]byte, stretch.size))
			}
		}
	}()
	into, bytes := make([]byte, 20<<10), 0
	for {
		read, err := conn.Read(into)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		bytes += read
		got = append(got, moment{time.Now(), bytes})
	}
	return compare(sent, got)
}

// moment is how many bytes there were at a time.
type moment struct {
	at    time.Time
	bytes int
}

// compare returns for how long each message waited, and at how many times what had arrived was read.
func compare(sent, got []moment) (lags []time.Duration, batches int) {
	for at, read := range got {
		if at == 0 || !read.at.Equal(got[at-1].at) {
			batches++
		}
		for len(lags) < len(sent) && sent[len(lags)].bytes <= read.bytes {
			lags = append(lags, read.at.Sub(sent[len(lags)].at))
		}
	}
	return lags, batches
}

// alone is a connection that can't be told how much to keep.
type alone struct{ net.Conn }

func TestAConnectionThatKeepsLittleIsReadAsItComes(t *testing.T) {
	given := alone{newSocket()}
	got, err := coalesce.Dial(func(context.Context, string, string) (net.Conn, error) { return given, nil })(t.Context(), "tcp", "api:6443")
	if err != nil || got != net.Conn(given) {
		t.Errorf("got %v: %v", got, err)
	}
}

// late returns how many waited.
func late(lags []time.Duration) (late int) {
	for _, lag := range lags {
		if lag > 0 {
			late++
		}
	}
	return late
}

func TestAQuietConnectionIsReadAtOnce(t *testing.T) {
	for name, messages := range map[string]stretch{
		"some": {messages: spare, size: messageSize, apart: 3 * time.Millisecond},
		"heartbeats of 1,200 nodes for five minutes": {messages: 6000, size: messageSize, apart: 50 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if lags, _ := play(t, messages); late(lags) != 0 || len(lags) != messages.messages {
					t.Errorf("%d of %d were late", late(lags), len(lags))
				}
			})
		})
	}
}

func TestABusyConnectionIsReadSomeTimesASecond(t *testing.T) {
	for name, c := range map[string]struct {
		stretch
		batches int
	}{
		"heartbeats of 4,000 nodes":             {stretch{messages: 667, size: messageSize, apart: 15 * time.Millisecond}, 300},
		"changes of nodes and their heartbeats": {stretch{messages: 1000, size: messageSize, apart: 10 * time.Millisecond}, 250},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				lags, batches := play(t, c.stretch)
				if len(lags) != c.messages || batches > c.batches {
					t.Errorf("%d messages were read in %d batches within ten seconds", len(lags), batches)
				}
				for at, lag := range lags {
					if lag > pause {
						t.Errorf("message %d waited for %s", at, lag)
					}
				}
			})
		})
	}
}

func TestAConnectionThatWasBusyIsReadAtOnceAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy := stretch{messages: 500, size: messageSize, apart: 10 * time.Millisecond}
		quiet := stretch{messages: 100, size: messageSize, apart: 60 * time.Millisecond}
		lags, _ := play(t, busy, quiet)
		if late(lags[:busy.messages]) < busy.messages/2 {
			t.Fatalf("only %d were late: the connection wasn't busy", late(lags[:busy.messages]))
		}
		if late := late(lags[busy.messages+5:]); late != 0 {
			t.Errorf("%d were late", late)
		}
	})
}

// TestWhatIsLongIsReadAsItComes: a list of all nodes has many MiB, and is needed soon. It comes in pieces, before which and
// between which an API server may take its time.
func TestWhatIsLongIsReadAsItComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const pieces, pieceSize = 100, 64 << 10
		busy := stretch{messages: 500, size: messageSize, apart: 10 * time.Millisecond}
		began := time.Now()
		play(t, busy, stretch{messages: pieces, size: pieceSize, apart: 3 * time.Millisecond}, stretch{messages: pieces, size: pieceSize})
		if took := time.Since(began) - 500*busy.apart - pieces*3*time.Millisecond; took > 2*pause {
			t.Errorf("%d bytes took %s more than they took to come", 2*pieces*pieceSize, took)
		}
	})
}

func TestDialFails(t *testing.T) {
	refused := errors.New("refused")
	dial := coalesce.Dial(func(context.Context, string, string) (net.Conn, error) { return nil, refused })
	if _, err := dial(t.Context(), "tcp", "api:6443"); !errors.Is(err, refused) {
		t.Errorf("the error is %v", err)
	}
}
