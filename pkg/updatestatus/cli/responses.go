package cli

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"

	"k8s.io/client-go/rest"
)

// This file bounds what is read from an API server, since client-go reads a response to its end, however long it is.

// maxResponses bounds the responses of an API server that are read at the same time, in bytes. A Node has
// some 20 KB with the 50 images that a kubelet reports by default: a page of 500, as lists are read, has 10 MB, and 5,000 in a single page,
// as of a server that ignores the limit, have 100 MB.
const maxResponses = 256 << 20

// errResponsesTooLarge ends reading responses that are larger.
var errResponsesTooLarge = fmt.Errorf("the API server sends more than %d MiB at a time", maxResponses>>20)

// bounded returns a configuration of clients that read at most so many bytes of responses at the same time. The events of a watch are
// not counted: it goes on for ever, and client-go bounds each of them.
func bounded(config *rest.Config, bytes int64) *rest.Config {
	var reading atomic.Int64
	config = rest.CopyConfig(config)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(request *http.Request) (*http.Response, error) {
			response, err := next.RoundTrip(request)
			if err == nil && !request.URL.Query().Has("watch") {
				response.Body = &boundedBody{ReadCloser: response.Body, reading: &reading, bound: bytes}
			}
			return response, err //nolint:wrapcheck // the errors of a RoundTripper are not wrapped
		})
	})
	return config
}

// roundTripper is a function as an http.RoundTripper.
type roundTripper func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (r roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return r(request) }

// boundedBody is the body of a response that counts for the bound until it is closed.
type boundedBody struct {
	io.ReadCloser

	// reading has the bytes of all responses, and own those of this one.
	reading    *atomic.Int64
	own, bound int64
}

// Read implements io.Reader.
func (b *boundedBody) Read(text []byte) (int, error) {
	n, err := b.ReadCloser.Read(text)
	b.own += int64(n)
	if b.reading.Add(int64(n)) > b.bound {
		return n, errResponsesTooLarge
	}
	return n, err //nolint:wrapcheck // io.EOF is compared
}

// Close implements io.Closer.
func (b *boundedBody) Close() error {
	b.reading.Add(-b.own)
	b.own = 0
	return b.ReadCloser.Close() //nolint:wrapcheck // it is the body of the response
}

// withoutAdvice returns an error without what client-go adds to that of a response that is too large: to try again.
func withoutAdvice(err error) error {
	if errors.Is(err, errResponsesTooLarge) {
		return errResponsesTooLarge
	}
	return err
}
