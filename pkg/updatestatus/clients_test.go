package updatestatus

import (
	"testing"

	"k8s.io/client-go/rest"
)

// TestUnlimited: no rate limit of the client delays a write. Zero would be client-go's five requests a second.
func TestUnlimited(t *testing.T) {
	given := &rest.Config{QPS: 5, Burst: 10}
	if got := unlimited(given); got.QPS >= 0 || got.RateLimiter != nil || got.UserAgent == "" {
		t.Errorf("got %+v", got)
	}
	if given.QPS != 5 {
		t.Error("the configuration that was given has changed")
	}
}
