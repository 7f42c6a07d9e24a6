package alerts

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

const (
	// DefaultURL is the address of the Thanos querier in a cluster with monitoring.
	DefaultURL = "https://thanos-querier.openshift-monitoring.svc:9091"
	// DefaultCAFile is the file in a pod with the certificate authority of the cluster's services.
	DefaultCAFile = "/var/run/secrets/kubernetes.io/serviceaccount/service-ca.crt"

	alertsPath = "/api/v1/alerts"
	// requestTimeout bounds a request, including its connection and the body of its response.
	requestTimeout = 10 * time.Second
	// messageLength bounds the message of a condition, in characters.
	messageLength = 1024
)

// Querier is the address of the Thanos querier, with the credentials for it.
type Querier struct {
	// URL is the address of the querier, without a path. It is empty if no alerts are read.
	URL string
	// CAFile is the file with the authority of its certificate.
	CAFile string
	// Token and TokenFile are the credentials. The file has precedence, as in a rest.Config.
	Token, TokenFile string
	UserAgent        string
	// Timeout bounds a request, zero for the default.
	Timeout time.Duration
}

// Validate returns an error if the address is not valid. It must be HTTPS, so that the token goes to the querier only.
func (q Querier) Validate() error {
	if q.URL == "" {
		return nil
	}
	address, err := url.Parse(q.URL)
	if err != nil || address.Scheme != "https" || address.Host == "" || strings.Trim(address.Path, "/") != "" ||
		address.RawQuery != "" || address.Fragment != "" || address.User != nil {
		return fmt.Errorf("the address for alerts must be https://HOST[:PORT], not %q", q.URL)
	}
	return nil
}

// query returns the active alerts, or why they can't be read: the same failure has the same reason and message.
//
// Each request has a connection of its own: it uses the current token and authority, and is not sent to a pod that was drained,
// as many are during an update.
func (q Querier) query(ctx context.Context) ([]assess.Alert, *insight.State) {
	client, err := q.client()
	if err != nil {
		return nil, failure(updatev1alpha1.ReasonMonitoringUnreachable, err.Error())
	}
	defer utilnet.CloseIdleConnectionsFor(client.Transport)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(q.URL, "/")+alertsPath, http.NoBody)
	if err != nil {
		return nil, failure(updatev1alpha1.ReasonMonitoringUnreachable, err.Error())
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, failure(updatev1alpha1.ReasonMonitoringUnreachable, q.connectionError(err))
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, badStatus(response.StatusCode)
	}
	alerts, err := Decode(response.Body)
	switch {
	case err == nil:
		return alerts, nil
	case isDecodeError(err):
		return nil, failure(updatev1alpha1.ReasonMonitoringFailed, err.Error())
	default:
		return nil, failure(updatev1alpha1.ReasonMonitoringUnreachable, q.connectionError(err))
	}
}

// isDecodeError is whether an error is about the content of a response, and not about the connection.
func isDecodeError(err error) bool {
	return errors.Is(err, errResponseTooLarge) || errors.Is(err, errTooManyAlerts) || errors.Is(err, errNoAlerts)
}

func (q Querier) client() (*http.Client, error) {
	client, err := rest.HTTPClientFor(&rest.Config{
		Host: q.URL, TLSClientConfig: rest.TLSClientConfig{CAFile: q.CAFile},
		BearerToken: q.Token, BearerTokenFile: q.TokenFile, UserAgent: q.UserAgent,
		// A service of the cluster is never behind a proxy.
		Proxy:   func(*http.Request) (*url.URL, error) { return nil, nil },
		Timeout: q.timeout(),
	})
	if err != nil {
		return nil, fmt.Errorf("creating a client for the monitoring: %w", err)
	}
	// A redirect would send the token elsewhere.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return client, nil
}

func (q Querier) timeout() time.Duration {
	if q.Timeout > 0 {
		return q.Timeout
	}
	return requestTimeout
}

func failure(reason, message string) *insight.State {
	return &insight.State{
		Reason: reason, Message: insight.Shorten("Unable to read alerts: "+insight.OneLine(message), messageLength),
	}
}

func badStatus(code int) *insight.State {
	status := strings.TrimSpace(fmt.Sprintf("the monitoring responded with %d %s", code, http.StatusText(code)))
	switch code {
	case http.StatusUnauthorized:
		return failure(updatev1alpha1.ReasonMonitoringRefused, status+", the token of the controller is not accepted")
	case http.StatusForbidden:
		return failure(updatev1alpha1.ReasonMonitoringRefused,
			status+", the ServiceAccount of the controller has no role in openshift-monitoring that allows it")
	default:
		return failure(updatev1alpha1.ReasonMonitoringFailed, status)
	}
}

// connectionError returns why a request failed, without ports and addresses, which differ each time.
func (q Querier) connectionError(err error) string {
	var lookup *net.DNSError
	var timeout interface{ Timeout() bool }
	switch {
	case errors.As(err, &lookup) && lookup.IsNotFound:
		return "no such host: " + lookup.Name
	case errors.As(err, &lookup):
		return "unable to look up the host: " + lookup.Name
	case errors.As(err, &timeout) && timeout.Timeout():
		return "no response within " + q.timeout().String()
	default:
		if invalid := (x509.CertificateInvalidError{}); errors.As(err, &invalid) {
			return certificateError(invalid)
		}
		return innermost(err)
	}
}

// certificateError returns the text of an error without the current time, which differs each time.
func certificateError(err x509.CertificateInvalidError) string {
	if err.Reason == x509.Expired {
		return "the certificate has expired or is not valid yet"
	}
	err.Detail = ""
	return err.Error()
}

// innermost returns the text of the innermost wrapped error.
func innermost(err error) string {
	for next := err; next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return err.Error()
}
