package drainreader

import (
	"context"
	"fmt"
	"maps"
	"time"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openshift/cluster-version-operator/pkg/assess"
)

// sharedBudgets are the PodDisruptionBudgets of a namespace, which are read once for all nodes with pods there: a pool of a large
// cluster may have hundreds of nodes that don't drain, and the pods of each are in much the same namespaces.
type sharedBudgets struct {
	// asked is when the node was asked for that they are read for. They serve all nodes that are asked for within readEvery.
	asked time.Time
	// turn holds a token while they are read: who needs them meanwhile waits for the same answer.
	turn chan struct{}
	// known is whether list is what was read. A read that fails leaves it to the next one.
	known bool
	list  []*policyv1.PodDisruptionBudget
}

func newSharedBudgets(asked time.Time) *sharedBudgets {
	return &sharedBudgets{asked: asked, turn: make(chan struct{}, 1)}
}

// budgetsOf returns the PodDisruptionBudgets of a namespace for a node that was asked for at some time. They are shared, and
// must not be changed.
func (r *Reader) budgetsOf(ctx context.Context, namespace string, asked time.Time) ([]*policyv1.PodDisruptionBudget, error) {
	shared := r.shared(namespace, asked)
	select {
	case shared.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting for what another node reads: %w", ctx.Err())
	}
	defer func() { <-shared.turn }()
	if shared.known {
		return shared.list, nil
	}
	list, err := r.listBudgets(ctx, namespace)
	if err != nil {
		return nil, err
	}
	shared.list, shared.known = list, true
	return list, nil
}

// shared returns the budgets of a namespace, read or not yet, and drops those of all namespaces that serve nobody any more.
func (r *Reader) shared(namespace string, asked time.Time) *sharedBudgets {
	r.lock.Lock()
	defer r.lock.Unlock()
	if len(r.known) == 0 {
		// Forget has dropped all of them in the meantime, and nobody would come to drop these.
		return newSharedBudgets(asked)
	}
	maps.DeleteFunc(r.budgets, func(_ string, old *sharedBudgets) bool { return asked.Sub(old.asked) >= readEvery })
	found := r.budgets[namespace]
	if found == nil {
		found = newSharedBudgets(asked)
		r.budgets[namespace] = found
	}
	return found
}

func (r *Reader) listBudgets(ctx context.Context, namespace string) ([]*policyv1.PodDisruptionBudget, error) {
	var list policyv1.PodDisruptionBudgetList
	options := metav1.ListOptions{ResourceVersion: "0"}
	if err := fetch(ctx, r.kube.PolicyV1().RESTClient(), request{"poddisruptionbudgets", namespace, options}, &list); err != nil {
		return nil, fmt.Errorf("listing the PodDisruptionBudgets of Namespace/%s: %w", namespace, err)
	}
	var trimmed []*policyv1.PodDisruptionBudget
	for at := range list.Items {
		trimmed = append(trimmed, assess.TrimBudget(&list.Items[at]))
	}
	return trimmed, nil
}
