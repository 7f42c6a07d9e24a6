package drainreader

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
)

const (
	// readTimeout bounds all requests about a node together.
	readTimeout = 10 * time.Second
	// maxResponse bounds a response, in bytes: a node has some hundred pods, of some ten KiB each.
	maxResponse = 16 << 20
	// maxNamespaces bounds the namespaces whose PodDisruptionBudgets are read for a node.
	maxNamespaces = 32
)

var errTooLarge = errors.New("the response is too large")

// readResult is the result of a read of a node.
type readResult struct {
	blockers *drain.Blockers
	// err is why Pods and PodDisruptionBudgets are unknown.
	err error
}

// read reads the objects of a node for a request of a given time.
func (r *Reader) read(ctx context.Context, node string, requested time.Time) readResult {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	result := readResult{blockers: &drain.Blockers{}}
	pods, err := r.pods(ctx, node)
	if err == nil {
		result.blockers.Budgets, err = r.budgetsFor(ctx, pods, requested)
	}
	if err == nil {
		result.blockers.Pods = pods
	} else {
		result.err = err
		result.blockers = &drain.Blockers{Unread: reasonOf(err)}
	}
	return result
}

// pods returns the pods of a node that a drain waits for, as they are in the API server's cache: the cache has an index by
// node, while a list with a limit may read all pods of the cluster. The size of the response is bounded by fetch.
func (r *Reader) pods(ctx context.Context, node string) ([]*corev1.Pod, error) {
	options := metav1.ListOptions{FieldSelector: fields.OneTermEqualSelector("spec.nodeName", node).String(), ResourceVersion: "0"}
	var list corev1.PodList
	if err := fetch(ctx, r.kube.CoreV1().RESTClient(), request{"pods", metav1.NamespaceAll, options}, &list); err != nil {
		return nil, fmt.Errorf("listing the Pods of Node/%s: %w", node, err)
	}
	return waitedFor(&list), nil
}

// waitedFor returns the pods that a drain waits for.
func waitedFor(list *corev1.PodList) []*corev1.Pod {
	var pods []*corev1.Pod
	for at := range list.Items {
		if drain.WaitsFor(&list.Items[at]) {
			pods = append(pods, drain.TrimPod(&list.Items[at]))
		}
	}
	return pods
}

// budgetsFor returns the PodDisruptionBudgets of the namespaces of pods.
func (r *Reader) budgetsFor(ctx context.Context, pods []*corev1.Pod, requested time.Time) ([]*policyv1.PodDisruptionBudget, error) {
	var namespaces []string
	for _, pod := range pods {
		namespaces = append(namespaces, pod.Namespace)
	}
	slices.Sort(namespaces)
	namespaces = slices.Compact(namespaces)
	var budgets []*policyv1.PodDisruptionBudget
	for _, namespace := range namespaces[:min(len(namespaces), maxNamespaces)] {
		list, err := r.budgetsOf(ctx, namespace, requested)
		if err != nil {
			return nil, err
		}
		budgets = append(budgets, list...)
	}
	return budgets, nil
}

type request struct {
	resource, namespace string
	options             metav1.ListOptions
}

// fetch lists objects. It returns errTooLarge for a response of more than maxResponse.
func fetch(ctx context.Context, client rest.Interface, list request, into runtime.Object) error {
	body, err := client.Get().Namespace(list.namespace).Resource(list.resource).
		VersionedParams(&list.options, scheme.ParameterCodec).Stream(ctx)
	if err != nil {
		return err //nolint:wrapcheck // the caller adds the request
	}
	defer body.Close()
	content, err := io.ReadAll(io.LimitReader(body, maxResponse+1))
	if err != nil {
		return fmt.Errorf("reading the response: %w", err)
	}
	if len(content) > maxResponse {
		return errTooLarge
	}
	decoded, kind, err := scheme.Codecs.UniversalDeserializer().Decode(content, nil, into)
	if err != nil {
		return fmt.Errorf("decoding the response: %w", err)
	}
	if decoded != into {
		return fmt.Errorf("decoding the response: unexpected kind %s", kind.Kind)
	}
	return nil
}

// reasonOf returns why pods could not be read, in words that are the same for similar errors: every difference is written to
// the UpdateStatus, and the errors of connections contain addresses and ports.
func reasonOf(err error) string {
	switch reason := apierrors.ReasonForError(err); {
	case errors.Is(err, errTooLarge):
		return errTooLarge.Error()
	case apierrors.IsForbidden(err), apierrors.IsUnauthorized(err):
		return "the controller is not allowed to read Pods or PodDisruptionBudgets"
	case reason != metav1.StatusReasonUnknown:
		return "the API server returned " + string(reason)
	default:
		return "no valid response from the API server"
	}
}

// logFailure logs why a node could not be read, once for each reason.
func (e *nodeEntry) logFailure(ctx context.Context, node string, err error) {
	reason := ""
	if err != nil {
		reason = reasonOf(err)
	}
	if reason != "" && reason != e.loggedReason {
		klog.FromContext(ctx).Info("Unable to read the pods that block the drain", "node", klog.KRef("", node), "err", err)
	}
	e.loggedReason = reason
}
