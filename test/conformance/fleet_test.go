package conformance

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-version-operator/pkg/snapshot"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/mustgather"
)

// imagesOfNode is how many images a Node lists by default; each has two names.
const imagesOfNode = 50

// BenchmarkClient measures the client, as a process, at 5,000 nodes: from an UpdateStatus in a file, and from a must-gather with
// Nodes of some 14 KB.
func BenchmarkClient(b *testing.B) {
	folder := b.TempDir()
	binary := filepath.Join(folder, "oc-update-status")
	if output, err := exec.CommandContext(b.Context(), "go", "build", "-tags", "grpcnotrace", "-o", binary, "../../cmd/oc-update-status").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, output)
	}
	cluster := largeSnapshot()
	object, err := yaml.Marshal(cluster.Assess(builders.Noon))
	if err != nil {
		b.Fatal(err)
	}
	file := filepath.Join(folder, "updatestatus.yaml")
	if err := os.WriteFile(file, object, 0o600); err != nil {
		b.Fatal(err)
	}
	files, err := mustgather.Files(mustgather.Input{Cluster: cluster, End: builders.Noon})
	if err != nil {
		b.Fatal(err)
	}
	collected := filepath.Join(folder, "must-gather")
	if err := mustgather.Write(collected, files); err != nil {
		b.Fatal(err)
	}
	for name, arguments := range map[string][]string{"UpdateStatus": {"-f", file}, "files": {"--must-gather", collected}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				command := exec.CommandContext(b.Context(), binary, arguments...)
				var out bytes.Buffer
				command.Stdout = &out
				_ = command.Run() // the made-up operators are not those of a payload: exit status 1
				if !bytes.Contains(out.Bytes(), []byte("= Worker Upgrade =")) {
					b.Fatalf("no text:\n%s", out.String())
				}
			}
		})
	}
}

// largeSnapshot returns a cluster of 5,000 nodes.
func largeSnapshot() *snapshot.Snapshot {
	in := builders.Large().Cluster(builders.Noon.Add(-time.Minute))
	for _, node := range in.Nodes {
		for at := range imagesOfNode {
			image := fmt.Sprintf("quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:%064d", at)
			node.Status.Images = append(node.Status.Images, corev1.ContainerImage{Names: []string{image, image + "-tagged"}, SizeBytes: int64(at)})
		}
	}
	return &snapshot.Snapshot{
		ClusterVersion: in.ClusterVersion, ClusterOperators: in.ClusterOperators, MachineConfigPools: in.MachineConfigPools,
		MachineConfigs: in.MachineConfigs, Nodes: in.Nodes,
	}
}
