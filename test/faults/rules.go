package faults

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// IsWatch is whether a request is a watch.
func IsWatch(r *http.Request) bool {
	return r.URL.Query().Get("watch") == "true" || r.URL.Query().Get("watch") == "1"
}

// IsStatusWrite is whether a request writes the status of the UpdateStatus.
func IsStatusWrite(r *http.Request) bool {
	return r.Method == http.MethodPut && r.URL.Path == "/apis/update.openshift.io/v1alpha1/updatestatuses/cluster/status"
}

// IsNotLease is whether a request is not about the lease, without which the controller ends.
func IsNotLease(r *http.Request) bool {
	return !isOf(r, "/apis/coordination.k8s.io/")
}

func isOf(r *http.Request, prefix string) bool {
	return len(r.URL.Path) >= len(prefix) && r.URL.Path[:len(prefix)] == prefix
}

// Respond responds as an API server that refuses the request: with the status 409, 410, 429, 500 or 503.
func Respond(code int) func(http.ResponseWriter, *http.Request, http.Handler) {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		refusal := apierrors.NewGenericServerResponse(code, "", schema.GroupResource{}, "", "injected by a test", 0, false).Status()
		refusal.APIVersion, refusal.Kind = "v1", "Status"
		if code == http.StatusTooManyRequests {
			w.Header().Set("Retry-After", "1")
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_ = json.NewEncoder(w).Encode(refusal)
	}
}

// Stall forwards a request after a time, unless it was cancelled.
func Stall(length time.Duration) func(http.ResponseWriter, *http.Request, http.Handler) {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		timer := time.NewTimer(length)
		defer timer.Stop()
		select {
		case <-timer.C:
			next.ServeHTTP(w, r)
		case <-r.Context().Done():
		}
	}
}

// Break breaks the connection of a request after a random time of up to a length, before or after the response.
func Break(random *rand.Rand, length time.Duration) func(http.ResponseWriter, *http.Request, http.Handler) {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		after := time.Duration(random.Int64N(int64(length)))
		ctx, cancel := context.WithTimeout(r.Context(), after)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
		panic(http.ErrAbortHandler)
	}
}

// EndAfter ends a watch after a time, as an API server does.
func EndAfter(length time.Duration) func(http.ResponseWriter, *http.Request, http.Handler) {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		ctx, cancel := context.WithTimeout(r.Context(), length)
		defer cancel()
		defer func() {
			// When its request is cancelled, a proxy breaks the connection; an API server does not.
			if problem := recover(); problem != nil && ctx.Err() == nil {
				panic(problem)
			}
		}()
		next.ServeHTTP(w, r.WithContext(ctx))
	}
}

// Slow limits a response to some bytes a second.
func Slow(bytesPerSecond int) func(http.ResponseWriter, *http.Request, http.Handler) {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		next.ServeHTTP(&slow{ResponseWriter: w, ctx: r.Context(), rate: bytesPerSecond}, r)
	}
}

type slow struct {
	http.ResponseWriter

	ctx  context.Context //nolint:containedctx // that of the request
	rate int
}

// Write implements io.Writer.
func (s *slow) Write(content []byte) (int, error) {
	timer := time.NewTimer(time.Duration(len(content)) * time.Second / time.Duration(s.rate))
	defer timer.Stop()
	select {
	case <-timer.C:
		return s.ResponseWriter.Write(content)
	case <-s.ctx.Done():
		return 0, context.Cause(s.ctx)
	}
}

// Unwrap is for http.ResponseController.
func (s *slow) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// Gone responds to each watch that is resumed that its resourceVersion is too old. The first watch after a list is not resumed.
func Gone() Rule {
	var lock sync.Mutex
	fresh := map[string]bool{}
	return Rule{
		Matches: func(r *http.Request) bool {
			if r.Method != http.MethodGet {
				return false
			}
			lock.Lock()
			defer lock.Unlock()
			key := r.URL.Path + " " + r.Header.Get("Accept")
			if !IsWatch(r) {
				fresh[key] = true
				return false
			}
			first := fresh[key] || r.URL.Query().Get("sendInitialEvents") == strconv.FormatBool(true)
			fresh[key] = false
			return !first
		},
		Do: Respond(http.StatusGone),
	}
}
