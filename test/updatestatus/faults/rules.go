package faults

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
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
	return !strings.HasPrefix(r.URL.Path, "/apis/coordination.k8s.io/")
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

// Break breaks the connection of a request after a time, before or after the response.
func Break(after func() time.Duration) func(http.ResponseWriter, *http.Request, http.Handler) {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		ctx, cancel := context.WithTimeout(r.Context(), after())
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

// Silent opens a watch that brings nothing, not even bookmarks, for as long as its client waits.
func Silent(w http.ResponseWriter, r *http.Request, _ http.Handler) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	_ = http.NewResponseController(w).Flush()
	<-r.Context().Done()
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

// responses count the responses to requests.
type responses struct {
	succeeded, failed atomic.Int64
}

// count returns a rule that forwards requests and counts the responses to them. One without a response has failed.
func (r *responses) count(matches func(*http.Request) bool) Rule {
	return Rule{Matches: matches, Do: func(w http.ResponseWriter, request *http.Request, next http.Handler) {
		counted := &codeWriter{ResponseWriter: w}
		// The handler panics if the connection breaks.
		defer func() {
			if counted.code >= http.StatusOK && counted.code < http.StatusBadRequest {
				r.succeeded.Add(1)
			} else {
				r.failed.Add(1)
			}
		}()
		next.ServeHTTP(counted, request)
	}}
}

// codeWriter keeps the status code of a response.
type codeWriter struct {
	http.ResponseWriter

	code int
}

// WriteHeader implements http.ResponseWriter.
func (w *codeWriter) WriteHeader(code int) {
	w.code = code
	w.ResponseWriter.WriteHeader(code)
}

// Unwrap is for http.ResponseController.
func (w *codeWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
