package cli

import (
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/duration"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/snapshot"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// This file has the messages about a status that is missing or outdated. Each has what to do about it.

// configError explains an error of a kubeconfig or a flag, without the password that an address in it may have.
func configError(err error) error {
	text := userInfo.ReplaceAllString(err.Error(), "://")
	var noURL *url.Error
	switch {
	case errors.As(err, &noURL): // it has parts of the address, and with it of a password
		return errors.New("the address of the API server is no URL: check the kubeconfig and --server; a password in it needs percent-encoding")
	case clientcmd.IsContextNotFound(err), strings.HasSuffix(err.Error(), "does not exist"): // the error of a flag has no type
		return fmt.Errorf("the kubeconfig has no such context, oc config get-contexts lists them (%s)", text)
	case clientcmd.IsEmptyConfig(err):
		return fmt.Errorf("no cluster is configured: log in with oc login, or pass files with -f or --must-gather (%s)", text)
	default:
		return fmt.Errorf("the configuration of the cluster can't be used: check the kubeconfig and the flags (%s)", text)
	}
}

// userInfo is the name and the password in the address of a server.
var userInfo = regexp.MustCompile(`://[^"]*@`)

// withoutPassword returns a configuration whose address, which errors and reports have, has no password: it is where client-go expects it.
func withoutPassword(config *rest.Config) (*rest.Config, error) {
	address, err := url.Parse(config.Host)
	if err != nil || address.User == nil {
		return config, err
	}
	config = rest.CopyConfig(config)
	// As net/http does, which prefers the header that other credentials bring.
	if config.BearerToken == "" && config.BearerTokenFile == "" && config.Username == "" {
		config.Username = address.User.Username()
		config.Password, _ = address.User.Password()
	}
	address.User = nil
	config.Host = address.String()
	return config, nil
}

// noClusterError explains that a server has neither an UpdateStatus nor a ClusterVersion.
func noClusterError(host string, versionErr error) error {
	switch {
	case apierrors.HasStatusCause(versionErr, metav1.CauseTypeUnexpectedServerResponse):
		return fmt.Errorf("%s is not the API server of an OpenShift cluster: it has neither an UpdateStatus nor a ClusterVersion; check the address in the kubeconfig (%w)", host, versionErr)
	default:
		return fmt.Errorf("the cluster has no UpdateStatus, and its ClusterVersion can't be read to assess it on the spot: %w", withoutAdvice(versionErr))
	}
}

// readError explains an error from reading the object.
func readError(err error, of target, host string) error {
	var untrusted *tls.CertificateVerificationError
	switch {
	case errors.As(err, &untrusted):
		return fmt.Errorf("the certificate of %s can't be trusted: check the address, certificate-authority and tls-server-name in the kubeconfig, and the proxy (%w)", host, err)
	case apierrors.IsForbidden(err):
		return fmt.Errorf("not allowed to read the status of the update: ask for permission to get %s (%w)", of.resource().GroupResource(), err)
	case apierrors.IsUnauthorized(err):
		return fmt.Errorf("authentication failed: log in with oc login (%w)", err)
	case utilnet.IsConnectionRefused(err):
		return fmt.Errorf("the API server %s is unreachable: log in with oc login, or pass files with -f or --must-gather (%w)", host, err)
	case isNoJSON(err):
		return fmt.Errorf("%s does not respond as an API server, but perhaps with a login page: check the address in the kubeconfig, and the proxy (%w)", host, err)
	default:
		return fmt.Errorf("reading %s: %w", of, withoutAdvice(err))
	}
}

// isNoJSON returns whether a response was no object.
func isNoJSON(err error) bool {
	var syntax *json.SyntaxError
	return errors.As(err, &syntax) || runtime.IsMissingKind(err) || strings.Contains(err.Error(), "serializer for text/") ||
		strings.Contains(err.Error(), "couldn't get version/kind")
}

// notCompared explains why nothing tells whether the object is outdated.
func notCompared(err error) string {
	return fmt.Sprintf("unable to tell whether the status is outdated, since the ClusterVersion can't be read (%v)", err)
}

// outdatedError is the error for a status that is outdated.
func (observed *observation) outdatedError(now time.Time) error {
	last := ""
	if changed := (&snapshot.Snapshot{UpdateStatus: observed.updateStatus}).NewestTransition(now); !changed.IsZero() {
		last = ", it last changed at " + changed.UTC().Format(time.RFC3339)
	}
	return fmt.Errorf("the status is outdated%s: %s. Check that the Update Status Controller runs and is able to write: "+
		"oc get pods -n %s, oc logs -n %[3]s deployment/update-status-controller",
		last, observed.outdated, observed.target.controllerNamespace())
}

// watchError explains an error from listing or watching the object, nil if there is none.
func watchError(err error, of target) error {
	switch {
	case err == nil:
		return nil
	case apierrors.IsForbidden(err):
		return fmt.Errorf("not allowed to watch the status of the update: ask for permission to list and watch %s, or omit --watch (%w)",
			of.resource().GroupResource(), err)
	case apierrors.IsUnauthorized(err):
		return fmt.Errorf("authentication failed: log in with oc login (%w)", err)
	default:
		return fmt.Errorf("watching %s: %w", of, err)
	}
}

// noUpdateStatus is the error for a file without an UpdateStatus.
func noUpdateStatus(name string, s *snapshot.Snapshot) error {
	if s.ClusterVersion != nil {
		return fmt.Errorf("%s contains no UpdateStatus; to assess the objects in it, use --must-gather %[1]s", name)
	}
	if len(s.HostedStatuses) > 0 {
		return fmt.Errorf("%s contains no UpdateStatus; to show a hosted cluster in it, use --must-gather %[1]s with --hosted-cluster or --hosted-clusters", name)
	}
	if len(s.Problems) > 0 {
		return errors.New(s.Problems[0].String())
	}
	return fmt.Errorf("%s contains no UpdateStatus in YAML or JSON", name)
}

// noClusterVersion is the error for files without anything to assess.
func noClusterVersion(path string, s *snapshot.Snapshot) error {
	return errors.New(strings.Join(append([]string{path + " contains neither an UpdateStatus nor a ClusterVersion"}, problemsOf(s, all)...), "; "))
}

// check returns an error if the status is outdated, incomplete, empty or truncated.
func (observed *observation) check(now time.Time) error {
	if observed.outdated != "" {
		return observed.outdatedError(now)
	}
	if missing := slices.Concat(observed.incomplete, observed.missingNodes); len(missing) > 0 {
		return incompleteError(missing)
	}
	return checkStatus(observed.updateStatus, observed.target, now)
}

// checkNodes returns the error of check, or one if the status lacks nodes that its pools count: then it can't name them, although what
// it counts is right.
func (observed *observation) checkNodes(now time.Time) error {
	if err := observed.check(now); err != nil {
		return err
	}
	if left := describe.LeftOutNodes(observed.update); left != "" {
		return fmt.Errorf("incomplete: %s", left)
	}
	return nil
}

// incompleteError is the error for files that lack something.
func incompleteError(missing []string) error {
	more := ""
	if left := len(missing) - 1; left > 0 {
		more = fmt.Sprintf(" (and %d more)", left)
	}
	return fmt.Errorf("incomplete, so the update may be behind what is shown: %s%s", missing[0], more)
}

// checkStatus returns an error if the status is outdated by its own conditions, empty or truncated.
func checkStatus(us *updatev1alpha1.UpdateStatus, of target, now time.Time) error {
	available := meta.FindStatusCondition(us.Status.Conditions, updatev1alpha1.ConditionAvailable)
	switch {
	case available != nil && available.Status == metav1.ConditionFalse:
		age := ""
		if since := now.Sub(available.LastTransitionTime.Time); insight.IsKnown(available.LastTransitionTime.Time, now) && since >= time.Second {
			age = " for " + duration.HumanDuration(since)
		}
		return fmt.Errorf("the Update Status Controller has been unable to report the whole cluster%s, the status may be outdated: %s (%s)",
			age, describe.OneLine(available.Message), describe.OneLine(available.Reason))
	case isEmpty(us):
		return fmt.Errorf("the Update Status Controller has not reported anything yet: if this persists, check its Deployment and its logs, oc logs -n %s deployment/update-status-controller",
			of.controllerNamespace())
	case update.IsTruncated(&us.Status):
		return fmt.Errorf("the %s is truncated: parts of it are missing", of)
	default:
		return nil
	}
}

// isEmpty returns whether an object has no status, as just after it was created.
func isEmpty(us *updatev1alpha1.UpdateStatus) bool {
	return us.Status.ControlPlane == nil
}
