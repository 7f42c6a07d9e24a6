package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/duration"
	utilnet "k8s.io/apimachinery/pkg/util/net"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/describe"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/snapshot"
)

// This file has the messages about a status that is missing or outdated. Each has what to do about it.

// seeClusterVersion is what to do in a cluster without an UpdateStatus.
const seeClusterVersion = "for the progress in ClusterVersion, run oc describe clusterversion version"

func configError(err error) error {
	return fmt.Errorf("no cluster is configured: log in with oc login, or pass files with -f or --must-gather (%w)", err)
}

// readError explains an error from reading the object.
func readError(err error) error {
	switch {
	case apierrors.IsNotFound(err) && apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse):
		return fmt.Errorf("the cluster has no UpdateStatus resource: its release is older, or the Update Status Controller is not enabled; %s (%w)",
			seeClusterVersion, err)
	case apierrors.IsNotFound(err):
		return fmt.Errorf("the cluster has no UpdateStatus/%s, which the Update Status Controller creates when it runs; %s (%w)",
			updatev1alpha1.SingletonName, seeClusterVersion, err)
	case apierrors.IsForbidden(err):
		return fmt.Errorf("not allowed to read the status of the update: ask for permission to get updatestatuses.%s (%w)",
			updatev1alpha1.GroupName, err)
	case apierrors.IsUnauthorized(err):
		return fmt.Errorf("authentication failed: log in with oc login (%w)", err)
	case utilnet.IsConnectionRefused(err):
		return fmt.Errorf("the API server is unreachable: log in with oc login, or pass files with -f or --must-gather (%w)", err)
	default:
		return fmt.Errorf("reading UpdateStatus/%s: %w", updatev1alpha1.SingletonName, err)
	}
}

// notCompared explains why nothing tells whether the object is outdated.
func notCompared(err error) string {
	return fmt.Sprintf("unable to tell whether the status is outdated, since the ClusterVersion can't be read (%v)", err)
}

// outdatedError is the error for a status that is outdated. us has the time of the last change, which is not after now.
func outdatedError(us *updatev1alpha1.UpdateStatus, outdated string, now time.Time) error {
	last := ""
	if changed := (&snapshot.Snapshot{UpdateStatus: us}).NewestTransition(now); !changed.IsZero() {
		last = ", it last changed at " + changed.UTC().Format(time.RFC3339)
	}
	return fmt.Errorf("the status is outdated%s: %s. Check that the Update Status Controller runs and is able to write: "+
		"oc get pods -n openshift-update-status-controller, oc logs -n openshift-update-status-controller deployment/update-status-controller",
		last, outdated)
}

// watchError explains an error from listing or watching the object, nil if there is none.
func watchError(err error) error {
	switch {
	case err == nil:
		return nil
	case apierrors.IsForbidden(err):
		return fmt.Errorf("not allowed to watch the status of the update: ask for permission to list and watch updatestatuses.%s, or omit --watch (%w)",
			updatev1alpha1.GroupName, err)
	case apierrors.IsUnauthorized(err):
		return readError(err)
	default:
		return fmt.Errorf("watching UpdateStatus/%s: %w", updatev1alpha1.SingletonName, err)
	}
}

// noUpdateStatus is the error for a file without an UpdateStatus.
func noUpdateStatus(name string, s *snapshot.Snapshot) error {
	if len(s.Problems) > 0 {
		return errors.New(s.Problems[0].String())
	}
	if s.ClusterVersion != nil {
		return fmt.Errorf("%s contains no UpdateStatus; to assess the objects in it, use --must-gather %[1]s", name)
	}
	return fmt.Errorf("%s contains no UpdateStatus in YAML or JSON", name)
}

// noClusterVersion is the error for files without anything to assess.
func noClusterVersion(path string, s *snapshot.Snapshot) error {
	return errors.New(strings.Join(append([]string{path + " contains neither an UpdateStatus nor a ClusterVersion"}, problemsOf(s)...), "; "))
}

// check returns an error if the status is outdated, empty or truncated.
func (shown *observation) check(now time.Time) error {
	if shown.outdated != "" {
		return outdatedError(shown.updateStatus, shown.outdated, now)
	}
	return checkStatus(shown.updateStatus, now)
}

// checkStatus returns an error if the status is outdated by its own conditions, empty or truncated.
func checkStatus(us *updatev1alpha1.UpdateStatus, now time.Time) error {
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
		return errors.New("the Update Status Controller has not reported anything yet: if this persists, check its Deployment and its logs, oc logs -n openshift-update-status-controller deployment/update-status-controller")
	case isTruncated(us):
		return errors.New("the UpdateStatus is truncated: parts of it are missing")
	default:
		return nil
	}
}

// isEmpty returns whether an object has no status, as just after it was created.
func isEmpty(us *updatev1alpha1.UpdateStatus) bool {
	return us.Status.ControlPlane == nil
}

// isTruncated returns whether the object lacks a required name. The keys of YAML are sorted, so that a file that ends too
// early lacks the name of its last part, unless it ends just between two worker pools.
func isTruncated(us *updatev1alpha1.UpdateStatus) bool {
	lacksName := func(informer updatev1alpha1.Informer) bool {
		return informer.Name == "" || slices.ContainsFunc(informer.Insights, func(one updatev1alpha1.Insight) bool { return one.UID == "" })
	}
	cp := us.Status.ControlPlane
	return cp.Resource.Name == "" || slices.ContainsFunc(cp.Informers, lacksName) ||
		slices.ContainsFunc(us.Status.WorkerPools, func(pool updatev1alpha1.WorkerPool) bool {
			return pool.Name == "" || slices.ContainsFunc(pool.Informers, lacksName)
		})
}
