package main

import (
	"context"
	"log"
	"os"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"

	updateac "github.com/openshift/cluster-version-operator/pkg/generated/applyconfigurations/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
)

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG")) // in a pod: without KUBECONFIG
	if err != nil {
		log.Fatal(err)
	}
	for client := versioned.NewForConfigOrDie(config); ; time.Sleep(time.Minute) {
		if err := renew(context.Background(), client); err != nil {
			log.Print(err)
		}
	}
}

func renew(ctx context.Context, client versioned.Interface) error {
	informers, options := client.UpdateV1alpha1().UpdateInformers("acme-storage"), metav1.ApplyOptions{FieldManager: "array-informer", Force: true}
	informer, status := updateac.UpdateInformer("array", "acme-storage"), updateac.UpdateInformerStatus().WithRenewedAt(metav1.Now())
	if disks := 12; disks > 0 { // what you know
		status.WithInsights(updateac.InformerInsight().WithName("rebuilding").WithReason("StorageRebuilding").WithLevel("Warning").WithImpact("UpdateSpeed").
			WithSummary("The array rebuilds 12 of 96 disks").WithResources(updateac.ResourceRef().WithResource("nodes").WithName("worker-3")))
	}
	if _, err := informers.Apply(ctx, informer, options); err != nil { // creates it
		return err
	}
	_, err := informers.ApplyStatus(ctx, informer.WithStatus(status), options)
	return err
}
