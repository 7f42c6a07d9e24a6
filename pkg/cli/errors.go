package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/duration"
	utilnet "k8s.io/apimachinery/pkg/util/net"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/describe"
	"github.com/openshift/cluster-version-operator/pkg/snapshot"
)

// This file has the sentences that tell why the state of an update can't be had, and what to do about it.

// instead is what shows an update where there is no UpdateStatus.
const instead = "what ClusterVersion itself says is shown by: oc describe clusterversion version"

// noCluster is said when no cluster to read from is configured.
func noCluster(err error) error {
	return fmt.Errorf("there is no cluster to read from: log in with oc login, or name files with -f or --must-gather (%w)", err)
}

// notReadable is said when the object can't be read from the cluster.
func notReadable(err error) error {
	switch {
	case apierrors.IsNotFound(err) && apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse):
		return fmt.Errorf("the cluster has no UpdateStatus resource, as its release is older or the Update Status Controller is not enabled; %s (%w)",
			instead, err)
	case apierrors.IsNotFound(err):
		return fmt.Errorf("the cluster has no UpdateStatus/%s, which the Update Status Controller creates when it runs; %s (%w)",
			updatev1alpha1.SingletonName, instead, err)
	case apierrors.IsForbidden(err):
		return fmt.Errorf("you may not read the state of the update: ask for the permission to get updatestatuses.%s (%w)",
			updatev1alpha1.GroupName, err)
	case apierrors.IsUnauthorized(err):
		return fmt.Errorf("the cluster does not know you: log in with oc login (%w)", err)
	case utilnet.IsConnectionRefused(err):
		return fmt.Errorf("no API server answers: log in with oc login, or name files with -f or --must-gather (%w)", err)
	default:
		return fmt.Errorf("reading UpdateStatus/%s: %w", updatev1alpha1.SingletonName, err)
	}
}

// notShowable is said when what the cluster has is no UpdateStatus that this client knows.
func notShowable(err error) error {
	return fmt.Errorf("the UpdateStatus is of a form that this client can't show; -o yaml of oc get does: %w", err)
}

// notWatchable is said when the object can be read, but not watched; nil if it can.
func notWatchable(err error) error {
	switch {
	case err == nil:
		return nil
	case apierrors.IsForbidden(err):
		return fmt.Errorf("you may not watch the state of the update: ask for the permission to list and watch updatestatuses.%s, or look again without --watch (%w)",
			updatev1alpha1.GroupName, err)
	case apierrors.IsUnauthorized(err):
		return notReadable(err)
	default:
		return fmt.Errorf("watching UpdateStatus/%s: %w", updatev1alpha1.SingletonName, err)
	}
}

// noUpdateStatus is said of a file without an UpdateStatus.
func noUpdateStatus(name string, held *snapshot.Snapshot) error {
	if len(held.Problems) > 0 {
		return errors.New(held.Problems[0].String())
	}
	if held.ClusterVersion != nil {
		return fmt.Errorf("%s:1: there is no UpdateStatus in it; objects of a cluster are shown with --must-gather %[1]s", name)
	}
	return fmt.Errorf("%s:1: there is no UpdateStatus in it, as YAML or JSON", name)
}

// noClusterVersion is said of files that nothing can be told from.
func noClusterVersion(from string, held *snapshot.Snapshot) error {
	var problems []string
	for _, problem := range held.Problems {
		problems = append(problems, "; "+problem.String())
	}
	return fmt.Errorf("%s holds neither an UpdateStatus nor a ClusterVersion, so that nothing can be told of an update%s",
		from, strings.Join(problems, ""))
}

// notAvailable is said when the controller can't tell the state of the update, or not of all of it: what there is of it is
// from before.
func notAvailable(us *updatev1alpha1.UpdateStatus, now time.Time) error {
	available := meta.FindStatusCondition(us.Status.Conditions, updatev1alpha1.ConditionAvailable)
	if available == nil || available.Status != metav1.ConditionFalse {
		return nil
	}
	age := "an unknown time"
	if since := available.LastTransitionTime; !since.IsZero() {
		age = duration.HumanDuration(max(0, now.Sub(since.Time)))
	}
	return fmt.Errorf("the Update Status Controller has not seen the whole cluster for %s, and what is shown may be as old: %s (%s)",
		age, describe.Line(available.Message), describe.Line(available.Reason))
}
