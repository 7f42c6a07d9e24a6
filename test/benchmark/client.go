package main

import (
	"context"
	"fmt"
	"os/exec"
	"time"

	"github.com/openshift/cluster-version-operator/test/benchmark/report"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/harness"
)

// clientCalls is how many calls of the client the median is taken from.
const clientCalls = 7

// measureClient measures how long a call of the built client takes.
func measureClient(ctx context.Context, plane *controlplane.ControlPlane) (report.Client, error) {
	kubeconfig, err := plane.AdminKubeconfig()
	if err != nil {
		return report.Client{}, fmt.Errorf("writing a kubeconfig: %w", err)
	}
	client, err := harness.Binary("oc-update-status")
	if err != nil {
		return report.Client{}, fmt.Errorf("looking for the client: %w", err)
	}
	var seconds []float64
	for range clientCalls {
		start := time.Now()
		if output, err := exec.CommandContext(ctx, client, "--kubeconfig", kubeconfig).CombinedOutput(); err != nil {
			return report.Client{}, fmt.Errorf("calling the client: %w\n%s", err, output)
		}
		seconds = append(seconds, time.Since(start).Seconds())
	}
	return report.Client{Seconds: median(seconds)}, nil
}
