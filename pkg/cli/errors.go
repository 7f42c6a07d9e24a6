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

// doubt is why what is shown may not be the state of the update, nil if there is no doubt.
func doubt(us *updatev1alpha1.UpdateStatus, now time.Time) error {
	if err := notAvailable(us, now); err != nil {
		return err
	}
	if saysNothing(us) {
		return fmt.Errorf("the Update Status Controller has said nothing of the cluster yet: if it stays so, look at its Deployment and its logs, oc logs -n openshift-update-status-controller deployment/update-status-controller")
	}
	if isCutOff(us) {
		return fmt.Errorf("the UpdateStatus is not whole, as if its file had been cut off: there is more than what is shown")
	}
	return nil
}

// saysNothing is whether an object says nothing of the cluster, as one that was just created, or that was emptied.
func saysNothing(us *updatev1alpha1.UpdateStatus) bool {
	return us.Status.ControlPlane == nil
}

// isCutOff is whether the object lacks a name that everything has. In YAML, where fields are in the order of the alphabet, an
// end at any place but between two worker pools leaves something without the name that follows its contents.
func isCutOff(us *updatev1alpha1.UpdateStatus) bool {
	nameless := func(informer updatev1alpha1.Informer) bool {
		return informer.Name == "" || slices.ContainsFunc(informer.Insights, func(one updatev1alpha1.Insight) bool { return one.UID == "" })
	}
	if cp := us.Status.ControlPlane; cp != nil && (cp.Resource.Name == "" || slices.ContainsFunc(cp.Informers, nameless)) {
		return true
	}
	return slices.ContainsFunc(us.Status.WorkerPools, func(pool updatev1alpha1.WorkerPool) bool {
		return pool.Name == "" || slices.ContainsFunc(pool.Informers, nameless)
	})
}

// notAvailable is said when the controller can't tell the state of the update, or not of all of it: what there is of it is
// from before.
func notAvailable(us *updatev1alpha1.UpdateStatus, now time.Time) error {
	available := meta.FindStatusCondition(us.Status.Conditions, updatev1alpha1.ConditionAvailable)
	if available == nil || available.Status != metav1.ConditionFalse {
		return nil
	}
	unseen, old := "does not see the whole cluster", "old"
	if since := available.LastTransitionTime; !since.IsZero() && now.Sub(since.Time) >= time.Second {
		unseen, old = "has not seen the whole cluster for "+duration.HumanDuration(now.Sub(since.Time)), "as old"
	}
	return fmt.Errorf("the Update Status Controller %s, and what is shown may be %s: %s (%s)",
		unseen, old, describe.OneLine(available.Message), describe.OneLine(available.Reason))
}
