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
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

const (
	// DefaultURL is the address of the Thanos querier in a cluster with monitoring.
	DefaultURL = "https://thanos-querier.openshift-monitoring.svc:9091"
	// DefaultCAFile is where a pod finds the authority of the certificates of services.
	DefaultCAFile = "/var/run/secrets/kubernetes.io/serviceaccount/service-ca.crt"

	alertsPath = "/api/v1/alerts"
	// answerTimeout bounds an attempt, from the first packet to the last.
	answerTimeout = 10 * time.Second
	// messageLength bounds what an error may put into a condition, in characters.
	messageLength = 1024
)

// Querier says where alerts are asked for, and who asks.
type Querier struct {
	// URL is the address of the querier, without a path. It is empty if nobody is to be asked.
	URL string
	// CAFile holds the authority of its certificate.
	CAFile string
	// Token and TokenFile are the credentials, of which the file comes first, as in a rest.Config.
	Token, TokenFile string
	// UserAgent is the name of who asks.
	UserAgent string
	// Timeout bounds an attempt. Zero is the usual one.
	Timeout time.Duration
}

// Validate says what is wrong with the address: a token goes to nobody but who proves to be the one that was meant.
func (q Querier) Validate() error {
	if q.URL == "" {
		return nil
	}
	address, err := url.Parse(q.URL)
	if err != nil || address.Scheme != "https" || address.Host == "" || strings.Trim(address.Path, "/") != "" ||
		address.RawQuery != "" || address.Fragment != "" || address.User != nil {
		return fmt.Errorf("the address of the alerts is to be https://HOST[:PORT], and not %q", q.URL)
	}
	return nil
}

// ask returns the alerts that are active, or why there is no answer: a reason and a message that are the same for as long
// as that is the same.
//
// Each attempt makes a connection of its own. So it takes the token and the authority as they are by now, and is not sent
// to a pod that has been drained away, as there are many during an update.
func (q Querier) ask(ctx context.Context) ([]assess.Alert, *insight.State) {
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
		return nil, refusal(response.StatusCode)
	}
	alerts, err := read(response.Body)
	switch {
	case err == nil:
		return alerts, nil
	case isOwn(err):
		return nil, failure(updatev1alpha1.ReasonMonitoringFailed, err.Error())
	default:
		return nil, failure(updatev1alpha1.ReasonMonitoringUnreachable, q.connectionError(err))
	}
}

// isOwn is whether an error is about the content of an answer, and not about its way.
func isOwn(err error) bool {
	return errors.Is(err, errLargeAnswer) || errors.Is(err, errManyActive) || errors.Is(err, errNoAlerts)
}

func (q Querier) client() (*http.Client, error) {
	client, err := rest.HTTPClientFor(&rest.Config{
		Host: q.URL, TLSClientConfig: rest.TLSClientConfig{CAFile: q.CAFile},
		BearerToken: q.Token, BearerTokenFile: q.TokenFile, UserAgent: q.UserAgent,
		// A service of the cluster is behind no proxy.
		Proxy:   func(*http.Request) (*url.URL, error) { return nil, nil },
		Timeout: q.timeout(),
	})
	if err != nil {
		return nil, fmt.Errorf("making a client of the monitoring: %w", err)
	}
	// The token is for nobody else.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return client, nil
}

func (q Querier) timeout() time.Duration {
	if q.Timeout > 0 {
		return q.Timeout
	}
	return answerTimeout
}

func failure(reason, message string) *insight.State {
	return &insight.State{
		Reason: reason, Message: insight.Shorten("The alerts can not be read: "+insight.OneLine(message), messageLength),
	}
}

func refusal(code int) *insight.State {
	answered := fmt.Sprintf("the monitoring answers with %d %s", code, http.StatusText(code))
	switch code {
	case http.StatusUnauthorized:
		return failure(updatev1alpha1.ReasonMonitoringRefused, answered+", the token of the controller is not good for it")
	case http.StatusForbidden:
		return failure(updatev1alpha1.ReasonMonitoringRefused,
			answered+", the ServiceAccount of the controller lacks its role in openshift-monitoring")
	default:
		return failure(updatev1alpha1.ReasonMonitoringFailed, strings.TrimSpace(answered))
	}
}

// connectionError says why an attempt failed on its way. Ports and addresses, which change with each, are left out.
func (q Querier) connectionError(err error) string {
	var lookup *net.DNSError
	var timeout interface{ Timeout() bool }
	switch {
	case errors.As(err, &lookup) && lookup.IsNotFound:
		return "no such host: " + lookup.Name
	case errors.As(err, &lookup):
		return "the host can not be looked up: " + lookup.Name
	case errors.As(err, &timeout) && timeout.Timeout():
		return "no answer within " + q.timeout().String()
	default:
		if invalid := (x509.CertificateInvalidError{}); errors.As(err, &invalid) {
			return certificateError(invalid)
		}
		return innermost(err)
	}
}

// certificateError returns an error without the moment at which it was met, which is another one each time.
func certificateError(err x509.CertificateInvalidError) string {
	if err.Reason == x509.Expired {
		return "its certificate has expired or is not valid yet"
	}
	err.Detail = ""
	return err.Error()
}

// innermost returns what an error is about in the end, without what others have wrapped around it.
func innermost(err error) string {
	for next := err; next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return err.Error()
}
