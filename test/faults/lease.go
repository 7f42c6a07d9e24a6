package faults

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"syscall"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/utils/ptr"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
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

// lease returns the lease of the controller.
func (w *World) lease(ctx context.Context) (*coordinationv1.Lease, error) {
	all, err := w.kube.CoordinationV1().Leases(controlplane.Namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, fmt.Errorf("finding the lease: %w", err)
	}
	if len(all.Items) != 1 {
		return nil, fmt.Errorf("finding the lease: there are %d", len(all.Items))
	}
	return &all.Items[0], nil
}

// waitForLeader waits until the lease has another holder.
func (w *World) waitForLeader(ctx context.Context, former string) error {
	err := wait.PollUntilContextTimeout(ctx, pollInterval, settleTimeout, true, func(ctx context.Context) (bool, error) {
		lease, err := w.lease(ctx)
		if err != nil {
			return false, err
		}
		holder := ptr.Deref(lease.Spec.HolderIdentity, "")
		return holder != "" && holder != former, nil
	})
	if err != nil {
		return fmt.Errorf("waiting until the lease is acquired: %w", err)
	}
	return nil
}

const thief = "thief"

// takeLease gives the lease to another holder, which does not renew it, and waits until the controller has ended, as it must.
func (w *World) takeLease(ctx context.Context) error {
	lease, err := w.lease(ctx)
	if err != nil {
		return err
	}
	_, err = w.kube.CoordinationV1().Leases(controlplane.Namespace).Patch(ctx, lease.Name, types.MergePatchType, fmt.Appendf(nil,
		`{"spec":{"holderIdentity":%q,"renewTime":%q}}`, thief, time.Now().UTC().Format(metav1.RFC3339Micro)), metav1.PatchOptions{})
	if err != nil {
		return fmt.Errorf("stealing the lease: %w", err)
	}
	select {
	case <-w.current().Ended():
		return nil
	case <-time.After(settleTimeout):
		return errors.New("the controller runs without its lease")
	}
}

// stealLease gives the lease to another holder. The controller is started again, as a kubelet does.
func stealLease(ctx context.Context, w *World) error {
	ctx = context.WithoutCancel(ctx)
	w.Pause(ctx, maxPause)
	if err := w.takeLease(ctx); err != nil {
		return err
	}
	if err := w.Start(ctx); err != nil {
		return err
	}
	// The lease can be acquired when that of the other holder has expired.
	return w.waitForLeader(ctx, thief)
}

// endLeaders kills the leader, and ends it, in turn, while another process waits for its lease.
func endLeaders(ctx context.Context, w *World) error {
	ctx = context.WithoutCancel(ctx)
	rounds := 2
	if w.Long {
		rounds = 10
	}
	for round := range rounds {
		waiting, err := w.startController(ctx)
		if err != nil {
			return err
		}
		w.Pause(ctx, maxPause)
		lease, err := w.lease(ctx)
		if err != nil {
			return err
		}
		end := w.kill
		if round%2 == 1 {
			end = w.Stop
		}
		if err := end(); err != nil {
			return err
		}
		w.replace(waiting)
		if err := w.waitForLeader(ctx, ptr.Deref(lease.Spec.HolderIdentity, "")); err != nil {
			return err
		}
	}
	return nil
}

// stealLeaseDuringWrite delays a write of the leader until another process has the lease and has written: the write must not be stored.
func stealLeaseDuringWrite(ctx context.Context, w *World) error {
	w.Pause(ctx, maxPause)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*settleTimeout)
	defer cancel()
	waiting, err := w.startController(ctx)
	if err != nil {
		return err
	}
	released, release := context.WithCancel(ctx)
	defer release()
	delayed, code := make(chan struct{}), make(chan int, 1)
	var writes atomic.Int64
	w.Proxy.Set(Rule{Matches: func(r *http.Request) bool { return IsStatusWrite(r) && writes.Add(1) == 1 }, Do: delayWrite(released, delayed, code)})
	select {
	case <-delayed:
	case <-ctx.Done():
		return errors.New("the controller has not written")
	}
	before, err := w.client.Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("reading the object: %w", err)
	}
	if err := w.takeLease(ctx); err != nil {
		return err
	}
	w.replace(waiting)
	if err := w.waitForLeader(ctx, thief); err != nil {
		return err
	}
	if err := wait.PollUntilContextCancel(ctx, pollInterval, true, func(ctx context.Context) (bool, error) {
		us, err := w.client.Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
		return err == nil && us.ResourceVersion != before.ResourceVersion, err
	}); err != nil {
		return fmt.Errorf("waiting until the next leader writes: %w", err)
	}
	release()
	if got := <-code; got != http.StatusConflict {
		return fmt.Errorf("the response to the write of the former leader was %d", got)
	}
	return nil
}

// delayWrite forwards a request when it is released, although its client may be gone then, and sends the status code of the response.
func delayWrite(released context.Context, delayed chan<- struct{}, code chan<- int) func(http.ResponseWriter, *http.Request, http.Handler) {
	return func(_ http.ResponseWriter, r *http.Request, next http.Handler) {
		body, _ := io.ReadAll(r.Body) // the API server refuses a part
		close(delayed)
		<-released.Done()
		later := r.Clone(context.WithoutCancel(r.Context()))
		later.Body = io.NopCloser(bytes.NewReader(body))
		response := httptest.NewRecorder()
		next.ServeHTTP(response, later)
		code <- response.Code
	}
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
