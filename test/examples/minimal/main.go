package main

import (
	"context"
	"log"
	"os"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/clientcmd"

	updateac "github.com/openshift/cluster-version-operator/pkg/generated/applyconfigurations/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
)

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG")) // without KUBECONFIG: that of the pod
	if err != nil {
		log.Fatal(err)
	}
	client := versioned.NewForConfigOrDie(config)
	wait.Forever(func() {
		if err := renew(context.Background(), client); err != nil {
			log.Print(err) // tried again in a minute
		}
	}, time.Minute)
}

func renew(ctx context.Context, client versioned.Interface) error {
	status := updateac.UpdateInformerStatus().WithRenewedAt(metav1.Now())
	if rebuilt, disks := 12, 96; rebuilt < disks { // what you know
		status.WithInsights(updateac.InformerInsight().WithName("rebuilding").WithReason("StorageRebuilding").
			WithLevel("Warning").WithImpact("UpdateSpeed").WithSummary("The array rebuilds 12 of 96 disks").
			WithResources(updateac.ResourceRef().WithResource("nodes").WithName("worker-3")))
	}
	informer, options := updateac.UpdateInformer("array", "acme-storage"), metav1.ApplyOptions{FieldManager: "array-informer", Force: true}
	if _, err := client.UpdateV1alpha1().UpdateInformers("acme-storage").Apply(ctx, informer, options); err != nil { // creates it
		return err
	}
	_, err := client.UpdateV1alpha1().UpdateInformers("acme-storage").ApplyStatus(ctx, informer.WithStatus(status), options)
	return err
}
