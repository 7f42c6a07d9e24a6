package drainreader

import (
	"context"
	"fmt"
	"maps"
	"time"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// sharedBudgets are the PodDisruptionBudgets of a namespace, which are read once for all nodes with pods in it: a pool of a
// large cluster may have hundreds of nodes that do not drain, and their pods are mostly in the same namespaces.
type sharedBudgets struct {
	// requested is the time of the request that they are read for. They are used for all requests within readInterval.
	requested time.Time
	// lock is a token that is held during the read: a concurrent request for the same budgets waits for its result.
	lock chan struct{}
	// read is whether list has been read. After a failure the next request reads again.
	read bool
	list []*policyv1.PodDisruptionBudget
}

// budgetsOf returns the PodDisruptionBudgets of a namespace for a request of a given time. They are shared, and must not be
// changed.
func (r *Reader) budgetsOf(ctx context.Context, namespace string, requested time.Time) ([]*policyv1.PodDisruptionBudget, error) {
	shared := r.shared(namespace, requested)
	select {
	case shared.lock <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting for a concurrent request: %w", ctx.Err())
	}
	defer func() { <-shared.lock }()
	if shared.read {
		return shared.list, nil
	}
	list, err := r.listBudgets(ctx, namespace)
	if err != nil {
		return nil, err
	}
	shared.list, shared.read = list, true
	return list, nil
}

// shared returns the entry of a namespace, and drops all entries that have expired.
func (r *Reader) shared(namespace string, requested time.Time) *sharedBudgets {
	r.lock.Lock()
	defer r.lock.Unlock()
	maps.DeleteFunc(r.budgets, func(_ string, old *sharedBudgets) bool { return requested.Sub(old.requested) >= readInterval })
	found := r.budgets[namespace]
	if found == nil {
		found = &sharedBudgets{requested: requested, lock: make(chan struct{}, 1)}
		if len(r.nodes) > 0 { // otherwise Forget has already dropped all entries, and would not drop this one
			r.budgets[namespace] = found
		}
	}
	return found
}

func (r *Reader) listBudgets(ctx context.Context, namespace string) ([]*policyv1.PodDisruptionBudget, error) {
	var list policyv1.PodDisruptionBudgetList
	options := metav1.ListOptions{ResourceVersion: "0"}
	if err := fetch(ctx, r.kube.PolicyV1().RESTClient(), request{"poddisruptionbudgets", namespace, options}, &list); err != nil {
		return nil, fmt.Errorf("listing the PodDisruptionBudgets of Namespace/%s: %w", namespace, err)
	}
	var budgets []*policyv1.PodDisruptionBudget
	for at := range list.Items {
		budgets = append(budgets, &list.Items[at])
	}
	return budgets, nil
}
