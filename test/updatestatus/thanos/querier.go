package thanos

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	"k8s.io/client-go/util/cert"
)

// QuerierPath is the path of requests for alerts.
const QuerierPath = "/api/v1/alerts"

// Authorize returns the status of the response to a request with a token: http.StatusOK if it may read the alerts.
type Authorize func(ctx context.Context, token string) int

// Querier is the server.
type Querier struct {
	server    *httptest.Server
	authorize Authorize

	lock        sync.Mutex
	certificate tls.Certificate
	authority   []byte
	answer      http.HandlerFunc
	requests    int
	// news is closed and replaced with each request.
	news chan struct{}
}

// StartQuerier starts a server on which no alert fires. The caller stops it.
func StartQuerier(authorize Authorize) (*Querier, error) {
	made := &Querier{authorize: authorize, news: make(chan struct{})}
	if err := made.Rotate(); err != nil {
		return nil, err
	}
	made.Fire()
	made.server = httptest.NewUnstartedServer(made)
	made.server.EnableHTTP2 = true
	made.server.TLS = &tls.Config{
		MinVersion: tls.VersionTLS12,
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
			made.lock.Lock()
			defer made.lock.Unlock()
			return &tls.Config{
				Certificates: []tls.Certificate{made.certificate}, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"},
			}, nil
		},
	}
	made.server.StartTLS()
	return made, nil
}

// Stop stops the server. Nothing listens at its address then.
func (q *Querier) Stop() { q.server.Close() }

// URL returns the address of the server.
func (q *Querier) URL() string { return q.server.URL }

// Authority returns the authority of the certificate, as PEM.
func (q *Querier) Authority() []byte {
	q.lock.Lock()
	defer q.lock.Unlock()
	return q.authority
}

// Rotate replaces the certificate of the server by one of another authority.
func (q *Querier) Rotate() error {
	authority, key, err := cert.GenerateSelfSignedCertKey("thanos-querier.openshift-monitoring.svc", []net.IP{net.IPv4(127, 0, 0, 1)}, nil)
	if err != nil {
		return fmt.Errorf("making a certificate: %w", err)
	}
	pair, err := tls.X509KeyPair(authority, key)
	if err != nil {
		return fmt.Errorf("making a certificate: %w", err)
	}
	q.lock.Lock()
	defer q.lock.Unlock()
	q.certificate, q.authority = pair, authority
	return nil
}

// Handle sets the handler of authorized requests.
func (q *Querier) Handle(answer http.HandlerFunc) {
	q.lock.Lock()
	defer q.lock.Unlock()
	q.answer = answer
}

// Fire sets the firing alerts, as FiringAlert encodes them.
func (q *Querier) Fire(alerts ...string) {
	q.Respond(`{"status":"success","data":{"alerts":[` + strings.Join(alerts, ",") + `]}}`)
}

// Respond sets the body of all responses.
func (q *Querier) Respond(text string) {
	q.Handle(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(text))
	})
}

// FiringAlert encodes an alert as Thanos Querier does.
func FiringAlert(name, severity string, since time.Time) string {
	return fmt.Sprintf(`{"labels":{"alertname":%q,"severity":%q,"namespace":"openshift-dns","pod":"dns-default-x7k2p","prometheus":"openshift-monitoring/k8s"},
		"annotations":{"summary":%q,"description":"It has been so for a while.","runbook_url":"https://example.com/runbooks/%s.md"},
		"state":"firing","activeAt":%q,"value":"1e+00","partialResponseStrategy":"WARN"}`,
		name, severity, name+" fires.", name, since.Format(time.RFC3339Nano))
}

// Requests returns how many requests there were, and a channel that is closed with the next.
func (q *Querier) Requests() (int, <-chan struct{}) {
	q.lock.Lock()
	defer q.lock.Unlock()
	return q.requests, q.news
}

// ServeHTTP implements http.Handler.
func (q *Querier) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q.lock.Lock()
	q.requests++
	close(q.news)
	q.news = make(chan struct{})
	answer := q.answer
	q.lock.Unlock()
	token, found := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	switch {
	case r.Method != http.MethodGet || r.URL.Path != QuerierPath:
		http.NotFound(w, r)
		return
	case !found:
		http.Error(w, "Unauthorized", http.StatusUnauthorized)
		return
	}
	if status := q.authorize(r.Context(), token); status != http.StatusOK {
		http.Error(w, http.StatusText(status), status)
		return
	}
	answer(w, r)
}
