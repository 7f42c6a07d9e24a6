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
	"slices"
	"sync"

	"k8s.io/client-go/rest"
)

// Proxy is a proxy in front of an API server, with TLS on both sides, that applies rules to requests. Without rules it forwards
// all of them. Clients authenticate with a token.
type Proxy struct {
	server *httptest.Server
	target *url.URL
	// forward forwards requests to the API server.
	forward *httputil.ReverseProxy

	lock  sync.Mutex
	rules []Rule
}

// Rule changes how some requests are handled.
type Rule struct {
	// Matches returns whether the rule applies to a request; nil for all requests.
	Matches func(*http.Request) bool
	// Every is which of these requests are changed: each one (0 or 1), each second one, …
	Every int
	// Do handles the request; next forwards it.
	Do func(w http.ResponseWriter, r *http.Request, next http.Handler)

	// seen counts the requests that match.
	seen int
}

// NewProxy starts a proxy in front of the API server of a client configuration. The caller closes it.
func NewProxy(admin *rest.Config) (*Proxy, error) {
	target, _, err := rest.DefaultServerUrlFor(admin)
	if err != nil {
		return nil, fmt.Errorf("reading the address of the API server: %w", err)
	}
	transport, err := rest.TransportFor(rest.AnonymousClientConfig(admin))
	if err != nil {
		return nil, fmt.Errorf("building a transport to the API server: %w", err)
	}
	p := &Proxy{target: target}
	p.forward = &httputil.ReverseProxy{
		Transport: transport,
		Rewrite:   func(request *httputil.ProxyRequest) { request.SetURL(target) },
		// Events of watches are forwarded immediately.
		FlushInterval: -1,
		// An API server that is away breaks the connection; a gateway would respond with 502.
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
		ErrorLog:     quiet(),
	}
	p.server = httptest.NewUnstartedServer(p)
	p.server.EnableHTTP2 = true
	p.server.Config.ErrorLog = quiet()
	p.server.StartTLS()
	return p, nil
}

// quiet returns a logger that drops everything: broken connections are intended here.
func quiet() *log.Logger {
	return log.New(io.Discard, "", 0)
}

// Through returns a client configuration for the proxy, with the token of another one.
func (p *Proxy) Through(config *rest.Config) *rest.Config {
	through := rest.AnonymousClientConfig(config)
	through.Host = p.server.URL
	through.BearerToken, through.BearerTokenFile = config.BearerToken, config.BearerTokenFile
	through.CAData = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: p.server.Certificate().Raw})
	return through
}

// Set replaces the rules.
func (p *Proxy) Set(rules ...Rule) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.rules = slices.Clone(rules)
}

// Cut breaks all connections.
func (p *Proxy) Cut() {
	p.server.CloseClientConnections()
}

// Close stops the proxy.
func (p *Proxy) Close() {
	p.server.CloseClientConnections()
	p.server.Close()
}

// ServeHTTP implements http.Handler.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	rule, matches := p.match(request)
	if !matches {
		p.forward.ServeHTTP(w, request)
		return
	}
	rule.Do(w, request, p.forward)
}

// match returns the first rule that applies to a request.
func (p *Proxy) match(request *http.Request) (Rule, bool) {
	p.lock.Lock()
	defer p.lock.Unlock()
	for at := range p.rules {
		rule := &p.rules[at]
		if rule.Matches != nil && !rule.Matches(request) {
			continue
		}
		rule.seen++
		if rule.seen%max(1, rule.Every) == 0 {
			return *rule, true
		}
	}
	return Rule{}, false
}
