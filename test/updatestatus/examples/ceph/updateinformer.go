package ceph

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateac "github.com/openshift/cluster-version-operator/pkg/generated/applyconfigurations/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
)

// interval is how often an UpdateInformer is renewed. During an update it has to be once a minute.
const interval = time.Minute

// The lengths of texts, in characters.
const (
	maxSummary     = 256
	maxDescription = 1024
)

// Insight is an insight to apply.
type Insight = updateac.InformerInsightApplyConfiguration

// Informer is an UpdateInformer and the source of its insights.
type Informer struct {
	Namespace, Name string
	Client          versioned.Interface
	// Read returns the insights of now, the worst first.
	Read func(ctx context.Context, now time.Time) ([]*Insight, error)
}

// Renew reads the insights and applies them. It creates the UpdateInformer if it is missing. If the insights can't be read, it is not
// renewed: the controller then shows the last insights as outdated, and withdraws them later.
func (i Informer) Renew(ctx context.Context, now time.Time) error {
	insights, err := i.Read(ctx, now)
	if err != nil {
		return err
	}
	insights = insights[:min(len(insights), updatev1alpha1.InformerMaxInsights)]
	client, options := i.Client.UpdateV1alpha1().UpdateInformers(i.Namespace), metav1.ApplyOptions{FieldManager: i.Name, Force: true}
	informer := updateac.UpdateInformer(i.Name, i.Namespace)
	if _, err := client.Apply(ctx, informer, options); err != nil {
		return fmt.Errorf("creating the UpdateInformer: %w", err)
	}
	status := updateac.UpdateInformerStatus().WithRenewedAt(metav1.NewTime(now)).WithInsights(insights...)
	if _, err := client.ApplyStatus(ctx, informer.WithStatus(status), options); err != nil {
		return fmt.Errorf("renewing the UpdateInformer: %w", err)
	}
	return nil
}

// Run renews the UpdateInformer once a minute until the context is done, with the kubeconfig that KUBECONFIG names or else as the
// ServiceAccount of its pod.
func Run(ctx context.Context) error {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return err
	}
	informer, err := New(config)
	if err != nil {
		return err
	}
	wait.UntilWithContext(ctx, func(ctx context.Context) {
		if err := informer.Renew(ctx, time.Now()); err != nil {
			klog.ErrorS(err, "Unable to renew the UpdateInformer, retrying in a minute", "updateInformer", klog.KRef(informer.Namespace, informer.Name))
		}
	}, interval)
	return nil
}

// shorten returns a text as a summary or a description can have it: in one line, and not too long.
func shorten(text string, most int) string {
	characters := []rune(strings.Join(strings.Fields(text), " "))
	if len(characters) > most {
		characters = append(characters[:most-1], '…')
	}
	return string(characters)
}
