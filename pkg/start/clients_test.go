package start

import (
	"context"
	"errors"
	"net"
	"reflect"
	"testing"

	"k8s.io/client-go/rest"
)

// TestUnlimited: a rate limit of its own must never be what delays a write. Zero would be client-go's five a second.
func TestUnlimited(t *testing.T) {
	given := &rest.Config{QPS: 5, Burst: 10}
	if got := unlimited(given); got.QPS >= 0 || got.RateLimiter != nil || got.UserAgent == "" {
		t.Errorf("got %+v", got)
	}
	if given.QPS != 5 {
		t.Error("the configuration that was given has changed")
	}
}

// TestCoalesced: a connection that is read in batches is made as the given configuration says.
func TestCoalesced(t *testing.T) {
	asked := ""
	given := &rest.Config{Dial: func(_ context.Context, _, address string) (net.Conn, error) {
		asked = address
		return nil, errors.New("refused")
	}}
	before := reflect.ValueOf(given.Dial).Pointer()
	if _, err := coalesced(given).Dial(t.Context(), "tcp", "api:6443"); err == nil || asked != "api:6443" {
		t.Errorf("dialed %q: %v", asked, err)
	}
	if reflect.ValueOf(given.Dial).Pointer() != before {
		t.Error("the configuration that was given has changed")
	}
	if coalesced(&rest.Config{}).Dial == nil {
		t.Error("a connection that is made by default is not read in batches")
	}
}
