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

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/assess"
)

const (
	// readTimeout bounds all requests about a node together.
	readTimeout = 10 * time.Second
	// maxAnswer bounds an answer, in bytes: a node has some hundred pods, of some ten KiB each.
	maxAnswer = 16 << 20
	// maxNamespaces bounds the namespaces whose PodDisruptionBudgets are read for a node. Of pods beyond it their budgets are not told.
	maxNamespaces = 32
)

var errTooLarge = errors.New("the answer is too large")

// toldTimeout bounds the request for a MachineConfigNode, which nothing depends on.
const toldTimeout = 2 * time.Second

// answer is what was read of a node. It has an error if it tells nothing of pods, and another one if it may be there but
// does not tell of the MachineConfigNode.
type answer struct {
	read      *assess.Blockers
	err, told error
}

// read reads a node that was asked for at some time.
func (r *Reader) read(ctx context.Context, node string, asked time.Time) answer {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	read, err := r.blockers(ctx, node, asked)
	if err != nil {
		read = &assess.Blockers{Unread: inWords(err)}
	}
	var told error
	read.MachineConfigNode, told = r.machineConfigNode(ctx, node)
	return answer{read: read, err: err, told: told}
}

func (r *Reader) blockers(ctx context.Context, node string, asked time.Time) (*assess.Blockers, error) {
	pods, err := r.pods(ctx, node)
	if err != nil {
		return nil, err
	}
	found, err := r.budgetsBeside(ctx, pods, asked)
	if err != nil {
		return nil, err
	}
	return &assess.Blockers{Pods: pods, Budgets: found}, nil
}

// machineConfigNode returns nil in a cluster without: nothing depends on it. It is read from the API server's cache, as the
// pods are.
func (r *Reader) machineConfigNode(ctx context.Context, node string) (*machineconfigv1.MachineConfigNode, error) {
	// What the pods took of the time is not to be missing here.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), toldTimeout)
	defer cancel()
	found, err := r.machineConfig.MachineconfigurationV1().MachineConfigNodes().Get(ctx, node, metav1.GetOptions{ResourceVersion: "0"})
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		klog.FromContext(ctx).V(4).Info("The MachineConfigNode could not be read", "node", klog.KRef("", node), "err", err)
		return nil, fmt.Errorf("reading the MachineConfigNode: %w", err)
	}
	return assess.TrimMachineConfigNode(found), nil
}

// pods returns those that a drain of the node waits for, as they are in the API server's cache: that has an index of nodes,
// where a list with a limit may look at all pods of the cluster. The answer is bounded here.
func (r *Reader) pods(ctx context.Context, node string) ([]*corev1.Pod, error) {
	options := metav1.ListOptions{FieldSelector: fields.OneTermEqualSelector("spec.nodeName", node).String(), ResourceVersion: "0"}
	var list corev1.PodList
	if err := fetch(ctx, r.kube.CoreV1().RESTClient(), request{"pods", metav1.NamespaceAll, options}, &list); err != nil {
		return nil, fmt.Errorf("listing the Pods of Node/%s: %w", node, err)
	}
	var pods []*corev1.Pod
	for at := range list.Items {
		if assess.HoldsDrain(&list.Items[at]) {
			pods = append(pods, assess.TrimPod(&list.Items[at]))
		}
	}
	return pods, nil
}

// budgetsBeside returns the PodDisruptionBudgets of the namespaces of pods.
func (r *Reader) budgetsBeside(ctx context.Context, pods []*corev1.Pod, asked time.Time) ([]*policyv1.PodDisruptionBudget, error) {
	var namespaces []string
	for _, pod := range pods {
		namespaces = append(namespaces, pod.Namespace)
	}
	slices.Sort(namespaces)
	namespaces = slices.Compact(namespaces)
	var found []*policyv1.PodDisruptionBudget
	for _, namespace := range namespaces[:min(len(namespaces), maxNamespaces)] {
		list, err := r.budgetsOf(ctx, namespace, asked)
		if err != nil {
			return nil, err
		}
		found = append(found, list...)
	}
	return found, nil
}

type request struct {
	resource, namespace string
	options             metav1.ListOptions
}

// fetch lists what is asked for, unless it is more than maxAnswer.
func fetch(ctx context.Context, client rest.Interface, list request, into runtime.Object) error {
	body, err := client.Get().Namespace(list.namespace).Resource(list.resource).
		VersionedParams(&list.options, scheme.ParameterCodec).Stream(ctx)
	if err != nil {
		return err //nolint:wrapcheck // the caller says what was tried
	}
	defer body.Close()
	content, err := io.ReadAll(io.LimitReader(body, maxAnswer+1))
	if err != nil {
		return fmt.Errorf("reading the answer: %w", err)
	}
	if len(content) > maxAnswer {
		return errTooLarge
	}
	decoded, kind, err := scheme.Codecs.UniversalDeserializer().Decode(content, nil, into)
	if err != nil {
		return fmt.Errorf("decoding the answer: %w", err)
	}
	if decoded != into {
		return fmt.Errorf("decoding the answer: it is a %s", kind.Kind)
	}
	return nil
}

// inWords says why pods could not be read. Errors of connections differ from one to the next, and would have the insight
// written anew with each.
func inWords(err error) string {
	switch reason := apierrors.ReasonForError(err); {
	case errors.Is(err, errTooLarge):
		return errTooLarge.Error()
	case apierrors.IsForbidden(err), apierrors.IsUnauthorized(err):
		return "the controller may not read Pods or PodDisruptionBudgets"
	case reason != metav1.StatusReasonUnknown:
		return "the API server answers with " + string(reason)
	default:
		return "the API server gives no answer"
	}
}

// tell logs why a node could not be read, once for each reason.
func (k *known) tell(ctx context.Context, node string, err error) {
	said := ""
	if err != nil {
		said = inWords(err)
	}
	if said != "" && said != k.said {
		klog.FromContext(ctx).Info("What keeps a node from being drained could not be read", "node", klog.KRef("", node), "err", err)
	}
	k.said = said
}
