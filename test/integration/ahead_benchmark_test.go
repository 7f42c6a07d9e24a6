package integration_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/prometheus/procfs"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/openshift/cluster-version-operator/pkg/drainreader"
	"github.com/openshift/cluster-version-operator/test/builders"
)

// BenchmarkDrainAhead measures what a look ahead at drains costs the API server: 2,000 PodDisruptionBudgets in 200 namespaces, of
// which each tenth has one that never allows a disruption, and twenty pods.
func BenchmarkDrainAhead(b *testing.B) {
	const namespaces, budgets, pods = 200, 10, 20
	plane := pool.Take(b)
	config := rest.CopyConfig(plane.Admin())
	config.QPS = -1
	config.ContentType = "application/vnd.kubernetes.protobuf"
	kube := kubernetes.NewForConfigOrDie(config)
	for at := range namespaces {
		name := fmt.Sprintf("ahead-%d", at)
		_, err := kube.CoreV1().Namespaces().Create(b.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			b.Fatal(err)
		}
		for number := range budgets {
			one := builders.Budget(name, fmt.Sprint("budget-", number), map[string]string{"app": fmt.Sprint(number)}, builders.MaxUnavailablePods(intstr.FromInt32(1)))
			if at%10 == 0 && number == 0 {
				builders.MaxUnavailablePods(intstr.FromInt32(0))(one)
			}
			putBudget(b, kube, one)
		}
		for number := range pods {
			pod := builders.Pod(name, fmt.Sprint("pod-", number), builders.OnNode("a"), builders.PodLabel("app", fmt.Sprint(number)))
			if _, err := kube.CoreV1().Pods(name).Create(b.Context(), pod, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
				b.Fatal(err)
			}
		}
	}
	b.Cleanup(func() {
		ctx, now := context.WithoutCancel(b.Context()), metav1.DeleteOptions{GracePeriodSeconds: new(int64)}
		for at := range namespaces {
			name := fmt.Sprintf("ahead-%d", at)
			_ = kube.PolicyV1().PodDisruptionBudgets(name).DeleteCollection(ctx, now, metav1.ListOptions{})
			_ = kube.CoreV1().Pods(name).DeleteCollection(ctx, now, metav1.ListOptions{})
		}
	})
	reader := drainreader.New(kube)
	before := cpuOfServer(b)
	for b.Loop() {
		read, err := reader.Ahead(b.Context())
		if err != nil || len(read.Budgets) < namespaces*budgets || len(read.Pods) < pods*namespaces/10 {
			b.Fatalf("%d budgets, %d pods, %v", len(read.Budgets), len(read.Pods), err)
		}
	}
	b.ReportMetric(1000*(cpuOfServer(b)-before)/float64(b.N), "API-server-CPU-ms/op")
}

// putBudget creates a budget, with what the disruption controller would have counted.
func putBudget(b *testing.B, kube kubernetes.Interface, one *policyv1.PodDisruptionBudget) {
	b.Helper()
	client := kube.PolicyV1().PodDisruptionBudgets(one.Namespace)
	created, err := client.Create(b.Context(), one, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		return
	}
	if err != nil {
		b.Fatal(err)
	}
	created.Status.ObservedGeneration = created.Generation
	created.Status.ExpectedPods, created.Status.DesiredHealthy = 1, int32(1-one.Spec.MaxUnavailable.IntValue())
	if _, err := client.UpdateStatus(b.Context(), created, metav1.UpdateOptions{}); err != nil {
		b.Fatal(err)
	}
}

// cpuOfServer returns the CPU seconds that kube-apiserver, a child of this process, has used.
func cpuOfServer(b *testing.B) float64 {
	b.Helper()
	processes, err := procfs.AllProcs()
	if err != nil {
		b.Fatal(err)
	}
	for _, process := range processes {
		if stat, err := process.Stat(); err == nil && stat.PPID == os.Getpid() && stat.Comm == "kube-apiserver" {
			return stat.CPUTime()
		}
	}
	b.Fatal("there is no kube-apiserver")
	return 0
}
