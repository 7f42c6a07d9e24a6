package manifests

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// hostedFolder has the manifests for hosted clusters. hostedController is the file there that is applied in the management cluster once for
// each of them, hostedMonitoring the one that needs the resources of monitoring, and hostedCluster the one that is applied in each of them, hostedReader the one
// that lets the readers of the management cluster read what is in it.
const (
	hostedFolder     = "manifests/hypershift"
	hostedController = "controller.yaml"
	hostedMonitoring = "monitoring.yaml"
	hostedCluster    = "hosted-cluster.yaml"
	hostedReader     = "cluster-reader.yaml"
)

// HostedFiles returns the paths of the manifests for hosted clusters that a management cluster has once: the CRDs. No release payload
// has them.
func HostedFiles(root string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(root, hostedFolder, "*.crd.yaml"))
	if err == nil && len(files) == 0 {
		return nil, fmt.Errorf("there are no manifests for hosted clusters in %s: %w", root, os.ErrNotExist)
	}
	return files, err
}

// Hosted is a hosted cluster whose controller is deployed.
type Hosted struct {
	Namespace, Name       string
	ControlPlaneNamespace string
	ClusterID, Image      string
}

// Controller reads the manifests of the controller of the hosted cluster.
func (h Hosted) Controller(root string) ([]Manifest, error) {
	return h.read(root, hostedController)
}

// Monitoring reads the manifests by which Prometheus scrapes the controller of the hosted cluster, and alerts about its update.
func (h Hosted) Monitoring(root string) ([]Manifest, error) {
	return h.read(root, hostedMonitoring)
}

func (h Hosted) read(root, file string) ([]Manifest, error) {
	content, err := os.ReadFile(filepath.Join(root, hostedFolder, file))
	if err != nil {
		return nil, err
	}
	decoder, err := newDecoder()
	if err != nil {
		return nil, err
	}
	replaced := strings.NewReplacer("CONTROL_PLANE_NAMESPACE", h.ControlPlaneNamespace, "HOSTED_CLUSTER_NAMESPACE", h.Namespace,
		"HOSTED_CLUSTER_NAME", h.Name, "CLUSTER_ID", h.ClusterID, "RELEASE_IMAGE", h.Image).Replace(string(content))
	objects, err := decode(decoder, []byte(replaced))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var read []Manifest
	for _, object := range objects {
		read = append(read, Manifest{File: file, Object: object})
	}
	return read, nil
}

// HostedCluster reads the manifests that are applied in hosted clusters.
func HostedCluster(root string) ([]Manifest, error) {
	return Read([]string{filepath.Join(root, hostedFolder, hostedCluster)}, "")
}

// HostedReader reads the role that a management cluster has once.
func HostedReader(root string) ([]Manifest, error) {
	return Read([]string{filepath.Join(root, hostedFolder, hostedReader)}, "")
}
