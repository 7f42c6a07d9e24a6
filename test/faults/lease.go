package faults

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"

	"github.com/openshift/cluster-version-operator/test/controlplane"
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
	kube, err := kubernetes.NewForConfig(w.Plane.Admin())
	if err != nil {
		return fmt.Errorf("building a client: %w", err)
	}
	leases := kube.CoordinationV1().Leases(controlplane.Namespace)
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
