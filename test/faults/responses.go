package faults

import (
	"fmt"
	"net/http"
	"sync"
)

// responses count the responses to requests. A request without a response has the status code 0.
type responses struct {
	lock  sync.Mutex
	codes map[int]int
}

// count returns a rule that forwards requests and counts the responses to them.
func (r *responses) count(matches func(*http.Request) bool) Rule {
	return Rule{Matches: matches, Do: func(w http.ResponseWriter, request *http.Request, next http.Handler) {
		counted := &codeWriter{ResponseWriter: w}
		// The handler panics if the connection breaks.
		defer func() { r.add(counted.code) }()
		next.ServeHTTP(counted, request)
	}}
}

func (r *responses) add(code int) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.codes == nil {
		r.codes = map[int]int{}
	}
	r.codes[code]++
}

// of returns how many responses had a status code.
func (r *responses) of(code int) int {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.codes[code]
}

// failed returns how many requests have failed.
func (r *responses) failed() int {
	r.lock.Lock()
	defer r.lock.Unlock()
	failed := 0
	for code, count := range r.codes {
		if code < http.StatusOK || code >= http.StatusBadRequest {
			failed += count
		}
	}
	return failed
}

// String returns the number of responses by status code.
func (r *responses) String() string {
	r.lock.Lock()
	defer r.lock.Unlock()
	return fmt.Sprint(r.codes)
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
