package faults

import (
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"

	"k8s.io/client-go/rest"
)

// Way is a way to an API server on which things go wrong: a proxy that speaks TLS to both sides, and does to each request
// what the rules say. Without rules it does nothing. It believes who has a token; nobody else may use it.
type Way struct {
	server *httptest.Server
	target *url.URL
	proxy  *httputil.ReverseProxy

	lock  sync.Mutex
	rules []*ruleOn
}

// ruleOn is a rule that is in force.
type ruleOn struct {
	Rule

	// seen counts the requests that the rule is about.
	seen int
}

// Rule is what happens to some requests.
type Rule struct {
	// About is whether a request is one of them; nil if all are.
	About func(*http.Request) bool
	// Every is which of these are hit: each one, or only each second, third, … one.
	Every int
	// Do answers a request that is hit. Next passes it on.
	Do func(w http.ResponseWriter, r *http.Request, next http.Handler)
}

// NewWay returns a way to the API server of a client configuration. The caller closes it.
func NewWay(admin *rest.Config) (*Way, error) {
	target, _, err := rest.DefaultServerUrlFor(admin)
	if err != nil {
		return nil, fmt.Errorf("reading the address of the API server: %w", err)
	}
	transport, err := rest.TransportFor(rest.AnonymousClientConfig(admin))
	if err != nil {
		return nil, fmt.Errorf("making a way to the API server: %w", err)
	}
	way := &Way{target: target}
	way.proxy = &httputil.ReverseProxy{
		Transport: transport,
		Rewrite:   func(request *httputil.ProxyRequest) { request.SetURL(target) },
		// What is watched passes at once.
		FlushInterval: -1,
		// An API server that does not answer is a connection that breaks, not a gateway that says so.
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
		ErrorLog:     quiet(),
	}
	way.server = httptest.NewUnstartedServer(way)
	way.server.EnableHTTP2 = true
	way.server.Config.ErrorLog = quiet()
	way.server.StartTLS()
	return way, nil
}

// quiet drops what is logged: that things go wrong is what this is for.
func quiet() *log.Logger {
	return log.New(io.Discard, "", 0)
}

// Through returns a client configuration that takes the way, with the token of another.
func (w *Way) Through(config *rest.Config) *rest.Config {
	through := rest.AnonymousClientConfig(config)
	through.Host = w.server.URL
	through.BearerToken = config.BearerToken
	through.CAData = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: w.server.Certificate().Raw})
	return through
}

// Set puts rules into force, in place of those before.
func (w *Way) Set(rules ...Rule) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.rules = nil
	for _, rule := range rules {
		w.rules = append(w.rules, &ruleOn{Rule: rule})
	}
}

// Cut breaks all connections.
func (w *Way) Cut() {
	w.server.CloseClientConnections()
}

// Close ends the way.
func (w *Way) Close() {
	w.server.CloseClientConnections()
	w.server.Close()
}

// ServeHTTP is part of http.Handler.
func (w *Way) ServeHTTP(answer http.ResponseWriter, request *http.Request) {
	rule, hit := w.hits(request)
	if !hit {
		w.proxy.ServeHTTP(answer, request)
		return
	}
	rule.Do(answer, request, w.proxy)
}

// hits returns the first rule that hits a request.
func (w *Way) hits(request *http.Request) (Rule, bool) {
	w.lock.Lock()
	defer w.lock.Unlock()
	for _, rule := range w.rules {
		if rule.About != nil && !rule.About(request) {
			continue
		}
		rule.seen++
		if rule.seen%max(1, rule.Every) == 0 {
			return rule.Rule, true
		}
	}
	return Rule{}, false
}
