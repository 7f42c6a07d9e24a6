package faults

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"syscall"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/utils/ptr"

	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/harness"
)

// shortLease configures leader election with short times.
const shortLease = `apiVersion: operator.openshift.io/v1alpha1
kind: GenericOperatorConfig
leaderElection:
  leaseDuration: 6s
  renewDeadline: 4s
  retryPeriod: 1s
`

// stealLease gives the lease to another holder, which does not renew it. The controller ends, as it must, and is started again, as
// a kubelet does.
func stealLease(ctx context.Context, w *World) error {
	ctx = context.WithoutCancel(ctx)
	w.Pause(ctx, maxPause)
	leases := w.kube.CoordinationV1().Leases(controlplane.Namespace)
	all, err := leases.List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("finding the lease: %w", err)
	}
	if len(all.Items) != 1 {
		return fmt.Errorf("finding the lease: there are %d", len(all.Items))
	}
	stolen, err := leases.Patch(ctx, all.Items[0].Name, types.MergePatchType, fmt.Appendf(nil,
		`{"spec":{"holderIdentity":"thief","renewTime":%q}}`, time.Now().UTC().Format(metav1.RFC3339Micro)), metav1.PatchOptions{})
	if err != nil {
		return fmt.Errorf("stealing the lease: %w", err)
	}
	select {
	case <-w.current().Ended():
	case <-time.After(settleTimeout):
		return fmt.Errorf("the controller runs without its lease")
	}
	if err := w.Start(ctx); err != nil {
		return err
	}
	// The lease can be acquired when that of the other holder has expired.
	err = wait.PollUntilContextTimeout(ctx, pollInterval, settleTimeout, true, func(ctx context.Context) (bool, error) {
		lease, err := leases.Get(ctx, stolen.Name, metav1.GetOptions{})
		return err == nil && ptr.Deref(lease.Spec.HolderIdentity, "") != "thief", nil
	})
	if err != nil {
		return fmt.Errorf("waiting until the lease is acquired: %w", err)
	}
	return nil
}

// endLimit is how long the controller may take to end while the API server does not respond.
const endLimit = 15 * time.Second

// endWhileHanging ends the controller while the API server accepts requests and does not respond. The lease is not released then: the
// next controller acquires it as if it had expired.
func endWhileHanging(ctx context.Context, w *World) error {
	ctx = context.WithoutCancel(ctx)
	w.Pause(ctx, maxPause)
	if err := w.waitUntilServing(); err != nil {
		return err
	}
	w.Proxy.Set(Rule{Matches: func(*http.Request) bool { return true }, Do: Stall(time.Hour)})
	w.Proxy.Cut()
	process, isProcess := w.current().(*harness.Process)
	if !isProcess {
		return errors.New("the controller is no process of its own")
	}
	if err := process.Signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("ending the controller: %w", err)
	}
	select {
	case <-process.Ended():
	case <-time.After(endLimit):
		return fmt.Errorf("the controller has not ended after %s", endLimit)
	}
	w.Proxy.Set()
	if err := w.kube.CoordinationV1().Leases(controlplane.Namespace).DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
		return fmt.Errorf("deleting the lease: %w", err)
	}
	return w.Start(ctx)
}
