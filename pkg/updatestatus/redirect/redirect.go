package redirect

import (
	"fmt"
	"net/http"

	"k8s.io/client-go/rest"
)

// Refuse returns a configuration of clients that follow no redirect to another address. It is an error, which names the address.
func Refuse(config *rest.Config) *rest.Config {
	config = rest.CopyConfig(config)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return refusing{next} })
	return config
}

type refusing struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (r refusing) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := r.next.RoundTrip(request)
	if err != nil || response.StatusCode < http.StatusMultipleChoices || response.StatusCode >= http.StatusBadRequest {
		return response, err //nolint:wrapcheck // the errors of a RoundTripper are not wrapped
	}
	to, err := response.Location()
	if err != nil || to.Scheme == request.URL.Scheme && to.Host == request.URL.Host {
		return response, nil //nolint:nilerr // without a location it is no redirect
	}
	_ = response.Body.Close()
	return nil, fmt.Errorf("the server redirects to %s://%s, which would get the credentials: check the address of the server", to.Scheme, to.Host)
}
