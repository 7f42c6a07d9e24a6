package faults

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/pace"
)

// shortLease configures leader election with times that are as short as this machine can keep now: leases are renewed in real time.
func shortLease() string {
	duration := func(quiet time.Duration) time.Duration {
		return time.Duration(float64(quiet) * pace.Stretch()).Round(time.Second)
	}
	return fmt.Sprintf(`apiVersion: operator.openshift.io/v1alpha1
kind: GenericOperatorConfig
leaderElection:
  leaseDuration: %s
  renewDeadline: %s
  retryPeriod: %s
`, duration(4*time.Second), duration(3*time.Second), duration(time.Second))
}

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
	return w.await(ctx, "the next leader", func(ctx context.Context) (bool, error) {
		lease, err := w.lease(ctx)
		if err != nil {
			return false, err
		}
		holder := ptr.Deref(lease.Spec.HolderIdentity, "")
		return holder != "" && holder != former, nil
	})
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
	if err := w.awaitEnd(ctx, hangLimit); err != nil {
		return fmt.Errorf("without its lease: %w", err)
	}
	return nil
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
		if round%2 == 1 {
			err = w.stop(ctx, w.current)
		} else {
			err = kill(w.current)
		}
		if err != nil {
			return err
		}
		w.current = waiting
		if err := w.waitForLeader(ctx, ptr.Deref(lease.Spec.HolderIdentity, "")); err != nil {
			return err
		}
	}
	return nil
}

// stealLeaseDuringWrite delays a write of the leader until another process has the lease and has written: the write must not be stored.
func stealLeaseDuringWrite(ctx context.Context, w *World) error {
	ctx, cancel := pace.WithTimeout(context.WithoutCancel(ctx), hangLimit)
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
		return fmt.Errorf("the controller has not written: %w", context.Cause(ctx))
	}
	before, err := w.client.Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("reading the object: %w", err)
	}
	if err := w.takeLease(ctx); err != nil {
		return err
	}
	w.current = waiting
	if err := w.waitForLeader(ctx, thief); err != nil {
		return err
	}
	err = w.await(ctx, "a write of the next leader", func(ctx context.Context) (bool, error) {
		us, err := w.client.Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
		return err == nil && us.ResourceVersion != before.ResourceVersion, err
	})
	if err != nil {
		return err
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

// endWhileHanging ends the controller while the API server accepts requests and does not respond. The lease is not released then: the
// next controller acquires it as if it had expired.
func endWhileHanging(ctx context.Context, w *World) error {
	ctx = context.WithoutCancel(ctx)
	w.Pause(ctx, maxPause)
	if err := w.waitUntilServing(ctx, w.current); err != nil {
		return err
	}
	w.Proxy.Set(Rule{Do: Stall(time.Hour)})
	w.Proxy.Cut()
	controller := w.current
	go func() { _ = controller.Stop() }() // its exit status is not what this is about
	if err := w.awaitEnd(ctx, endLimit); err != nil {
		return err
	}
	w.Proxy.Set()
	if err := w.kube.CoordinationV1().Leases(controlplane.Namespace).DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
		return fmt.Errorf("deleting the lease: %w", err)
	}
	return w.Start(ctx)
}
