package podreader

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/podstate"
)

const (
	// readTimeout bounds all requests about an operator together.
	readTimeout = 20 * time.Second
	// maxResponse bounds a page of rows, in bytes, and pageSize is the number of rows where the API server does not send all at once.
	maxResponse = 16 << 20
	pageSize    = 1000
	// asTable asks for pods as they are printed, which is always JSON.
	asTable = "application/json;as=Table;v=v1;g=meta.k8s.io"
)

// Request is whose pods to read.
type Request struct {
	podstate.Wanted

	// Away are the nodes whose pods are not counted.
	Away podstate.Away
	// Previous is the worst pod at the read before, nil if there was none.
	Previous *updatev1alpha1.PodReport
}

// Read returns the worst pod of an operator, nil if none is bad.
func Read(ctx context.Context, kube kubernetes.Interface, of Request, now time.Time) (*updatev1alpha1.PodReport, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	if of.Operator == podstate.ReleaseRetrieval {
		pods, err := list(ctx, kube, podstate.VersionNamespace, metav1.ListOptions{LabelSelector: podstate.RetrievalSelector})
		if err != nil {
			return nil, err
		}
		return podstate.Keep(of.Previous, podstate.Retrieval(pods, now)), nil
	}
	in := podstate.Input{Away: of.Away, OperatorMessage: of.Message}
	for _, namespace := range of.Namespaces {
		rows, err := rowsOf(ctx, kube, namespace)
		if err != nil {
			return nil, fmt.Errorf("listing the Pods of Namespace/%s: %w", namespace, err)
		}
		in.Rows = append(in.Rows, rows...)
	}
	for _, candidate := range podstate.Candidates(in, of.Previous) {
		var err error
		if in.Pods, err = inFull(ctx, kube, candidate); err != nil {
			return nil, err
		}
		if worst := podstate.Worst(in, now); worst != nil {
			return podstate.Keep(of.Previous, worst), nil
		}
	}
	return nil, nil
}

// rowsOf returns all pods of a namespace as the API server prints them.
func rowsOf(ctx context.Context, kube kubernetes.Interface, namespace string) ([]podstate.Row, error) {
	var rows []podstate.Row
	options := metav1.ListOptions{ResourceVersion: "0", Limit: pageSize}
	for {
		table, err := page(ctx, kube, namespace, options)
		if err != nil {
			return nil, err
		}
		more, err := podstate.RowsOf(namespace, table)
		if err != nil {
			return nil, err //nolint:wrapcheck // the caller adds the request
		}
		rows = append(rows, more...)
		if table.Continue == "" {
			return rows, nil
		}
		options.Continue, options.ResourceVersion = table.Continue, ""
	}
}

func page(ctx context.Context, kube kubernetes.Interface, namespace string, options metav1.ListOptions) (*metav1.Table, error) {
	body, err := kube.CoreV1().RESTClient().Get().Namespace(namespace).Resource("pods").SetHeader("Accept", asTable).
		VersionedParams(&options, scheme.ParameterCodec).Param("includeObject", string(metav1.IncludeNone)).Stream(ctx)
	if err != nil {
		return nil, err //nolint:wrapcheck // the caller adds the request
	}
	defer body.Close()
	content, err := io.ReadAll(io.LimitReader(body, maxResponse+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading the response: %w", err)
	case len(content) > maxResponse:
		return nil, errors.New("the response is too large")
	}
	var table metav1.Table
	if err := json.Unmarshal(content, &table); err != nil {
		return nil, fmt.Errorf("decoding the response: %w", err)
	}
	return &table, nil
}

// inFull returns the pod of a row in full, none if it does not exist any more; and of one that has failed those of the same labels, of which
// another one may have replaced it. It lists, which is what the controller may do.
func inFull(ctx context.Context, kube kubernetes.Interface, row podstate.Row) ([]*corev1.Pod, error) {
	pods, err := list(ctx, kube, row.Namespace, metav1.ListOptions{
		FieldSelector: fields.OneTermEqualSelector(metav1.ObjectNameField, row.Name).String(),
	})
	if err != nil || len(pods) == 0 || pods[0].Status.Phase != corev1.PodFailed || len(pods[0].Labels) == 0 {
		return pods, err
	}
	return list(ctx, kube, row.Namespace, metav1.ListOptions{LabelSelector: labels.Set(pods[0].Labels).String()})
}

func list(ctx context.Context, kube kubernetes.Interface, namespace string, options metav1.ListOptions) ([]*corev1.Pod, error) {
	found, err := kube.CoreV1().Pods(namespace).List(ctx, options)
	if err != nil {
		return nil, fmt.Errorf("listing Pods of Namespace/%s: %w", namespace, err)
	}
	var pods []*corev1.Pod
	for at := range found.Items {
		pods = append(pods, &found.Items[at])
	}
	return pods, nil
}
