package gather

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// maxLines bounds each log to its end: some days of an update.
const maxLines = 50_000

// logs writes the logs of all containers of the controller, and of those before them.
func (g *collector) logs(ctx context.Context) error {
	pods, err := g.kube.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("collecting logs: %w", err)
	}
	var failed []error
	for _, pod := range pods.Items {
		for _, container := range pod.Spec.Containers {
			for file, previous := range map[string]bool{"current.log": false, "previous.log": true} {
				failed = append(failed, g.log(ctx, pod.Name, container.Name, file, previous))
			}
		}
	}
	return errors.Join(failed...)
}

func (g *collector) log(ctx context.Context, pod, container, file string, previous bool) error {
	text, err := g.kube.CoreV1().Pods(namespace).GetLogs(pod, &corev1.PodLogOptions{
		Container: container, Previous: previous, Timestamps: true, TailLines: ptr.To[int64](maxLines),
	}).DoRaw(ctx)
	if previous && apierrors.IsBadRequest(err) {
		return nil // the container was never restarted
	}
	if err != nil {
		return fmt.Errorf("collecting %s of pod %s: %w", file, pod, err)
	}
	return g.write(string(text), "namespaces", namespace, "pods", pod, container, container, "logs", file)
}
