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

const perSecond = 20

// connect returns both ends of a connection: the one that is dialed, and the other.
func connect(t *testing.T) (dialed, other net.Conn) {
	t.Helper()
	one, other := net.Pipe()
	dial := coalesce.Dial(func(context.Context, string, string) (net.Conn, error) { return one, nil }, perSecond)
	dialed, err := dial(t.Context(), "tcp", "api:6443")
	if err != nil {
		t.Fatal(err)
	}
	return dialed, other
}

// send writes some messages of one byte, one every three milliseconds, and returns for how long each waited until it was read.
func send(t *testing.T, messages int) (lags []time.Duration) {
	t.Helper()
	dialed, other := connect(t)
	go func() {
		defer other.Close()
		for range messages {
			time.Sleep(3 * time.Millisecond)
			began := time.Now()
			if _, err := other.Write([]byte{1}); err != nil {
				t.Error(err)
			}
			lags = append(lags, time.Since(began))
		}
	}()
	// There is always room for more, so that each read may have been the last.
	into := make([]byte, 2)
	for {
		if _, err := dialed.Read(into); errors.Is(err, io.EOF) {
			return lags
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestAQuietConnectionIsReadAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for at, lag := range send(t, perSecond) {
			if lag != 0 {
				t.Errorf("message %d waited for %s", at, lag)
			}
		}
	})
}

func TestABusyConnectionIsReadSomeTimesASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		lags := send(t, 5*perSecond)
		for at, lag := range lags {
			if lag > time.Second/perSecond {
				t.Errorf("message %d waited for %s", at, lag)
			}
		}
		if took := time.Since(began); took < 3*time.Second {
			t.Errorf("%d messages were read one by one within %s", len(lags), took)
		}
	})
}

// TestWhatIsLongIsReadAsItComes: a list of all nodes has many MiB, and is needed soon. It comes in pieces, before which and
// between which an API server may take its time.
func TestWhatIsLongIsReadAsItComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dialed, other := connect(t)
		const pieces, length = 50, 64<<10 + 1
		go func() {
			defer other.Close()
			for range 2 * perSecond {
				time.Sleep(3 * time.Millisecond)
				if _, err := other.Write([]byte{1}); err != nil {
					t.Error(err)
				}
			}
			began := time.Now()
			for range pieces {
				if _, err := other.Write(make([]byte, length)); err != nil {
					t.Error(err)
				}
			}
			if took := time.Since(began); took > time.Second/perSecond {
				t.Errorf("%d bytes took %s", pieces*length, took)
			}
		}()
		if _, err := io.CopyBuffer(io.Discard, struct{ io.Reader }{dialed}, make([]byte, 16<<10)); err != nil {
			t.Error(err)
		}
	})
}

func TestDialFails(t *testing.T) {
	refused := errors.New("refused")
	dial := coalesce.Dial(func(context.Context, string, string) (net.Conn, error) { return nil, refused }, perSecond)
	if _, err := dial(t.Context(), "tcp", "api:6443"); !errors.Is(err, refused) {
		t.Errorf("the error is %v", err)
	}
}
