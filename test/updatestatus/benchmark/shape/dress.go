package shape

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

const (
	// imagesOfNode is how many images a kubelet lists: nodeStatusMaxImages of its configuration, by default.
	imagesOfNode = 50
	imageBytes   = 411 << 20

	// renderedBytes is the payload of a rendered MachineConfig, allPayloads the limit for those of a cluster together: the
	// store of a cluster has room for some hundred MiB.
	renderedBytes = 300 << 10
	allPayloads   = 128 << 20
	// configsOfPool is how many MachineConfigs a pool has at the end of an update.
	configsOfPool = 4
	// fileBytes is the size of a file within a payload.
	fileBytes = 16 << 10
)

// dresser returns a function that makes objects as large as real ones.
func dresser(pools []simulator.Pool) func(simulator.Object) {
	payload := payload(min(renderedBytes, allPayloads/(configsOfPool*len(pools))))
	return func(object simulator.Object) {
		switch object := object.(type) {
		case *corev1.Node:
			dressNode(object)
		case *machineconfigv1.MachineConfig:
			object.Spec.Config.Raw = payload
			object.Spec.OSImageURL = "quay.example.com/openshift-release-dev/ocp-v4.0-art-dev@sha256:" + builders.Digest(object.Name)
		}
	}
}

// payload returns an Ignition configuration of about so many bytes.
func payload(size int) []byte {
	var files []string
	for written := 0; written < size; written += fileBytes {
		var content strings.Builder
		for content.Len() < min(fileBytes, size-written) {
			content.WriteString(builders.Digest(strconv.Itoa(written + content.Len())))
		}
		path := fmt.Sprintf("/etc/kubernetes/static-pod-resources/file-%d.yaml", len(files))
		files = append(files, fmt.Sprintf(`{"path":%q,"mode":420,"overwrite":true,"contents":{"source":"data:;base64,%s"}}`,
			path, content.String()))
	}
	return []byte(`{"ignition":{"version":"3.4.0"},"storage":{"files":[` + strings.Join(files, ",") + `]}}`)
}

// dressNode adds what the kubelet and the cloud provider report about a node. Its zone stays: nodes are updated zone after zone.
func dressNode(node *corev1.Node) {
	name, zone := node.Name, node.Labels[corev1.LabelTopologyZone]
	maps.Copy(node.Labels, map[string]string{
		"beta.kubernetes.io/arch": "amd64", "beta.kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64",
		"beta.kubernetes.io/instance-type": "m6i.2xlarge", "node.kubernetes.io/instance-type": "m6i.2xlarge",
		"failure-domain.beta.kubernetes.io/region": "us-east-1", "failure-domain.beta.kubernetes.io/zone": zone,
		"topology.kubernetes.io/region": "us-east-1", "topology.ebs.csi.aws.com/zone": zone, "node.openshift.io/os_id": "rhel",
	})
	maps.Copy(node.Annotations, map[string]string{
		"cloud.network.openshift.io/egress-ipconfig": `[{"interface":"eni-` + builders.Digest(name)[:17] +
			`","ifaddr":{"ipv4":"10.0.128.0/18"},"capacity":{"ipv4":14,"ipv6":15}}]`,
		"csi.volume.kubernetes.io/nodeid":                        `{"ebs.csi.aws.com":"i-` + builders.Digest(name)[:17] + `"}`,
		"k8s.ovn.org/host-cidrs":                                 `["10.0.128.7/18"]`,
		"k8s.ovn.org/l3-gateway-config":                          `{"default":{"mode":"shared","interface-id":"br-ex_` + name + `","mac-address":"0a:58:64:58:00:07"}}`,
		"k8s.ovn.org/node-chassis-id":                            builders.Digest(name)[:36],
		"k8s.ovn.org/node-subnets":                               `{"default":["10.129.2.0/23"]}`,
		"k8s.ovn.org/zone-name":                                  name,
		"machine.openshift.io/machine":                           "openshift-machine-api/cluster-x7kq2-" + builders.Digest(name)[:12],
		"machineconfiguration.openshift.io/controlPlaneTopology": "HighlyAvailable",
		"volumes.kubernetes.io/controller-managed-attach-detach": "true",
	})
	node.Spec.ProviderID = "aws:///" + zone + "/i-" + builders.Digest(name)[:17]
	node.Status.Addresses = []corev1.NodeAddress{
		{Type: corev1.NodeInternalIP, Address: "10.0.128.7"},
		{Type: corev1.NodeInternalDNS, Address: name},
		{Type: corev1.NodeHostName, Address: name},
	}
	node.Status.Allocatable = corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("7500m"), corev1.ResourceMemory: resource.MustParse("31Gi"),
		corev1.ResourcePods: resource.MustParse("250"), corev1.ResourceEphemeralStorage: resource.MustParse("115Gi"),
	}
	node.Status.DaemonEndpoints.KubeletEndpoint.Port = 10250
	node.Status.NodeInfo = corev1.NodeSystemInfo{
		MachineID: builders.Digest(name)[:32], SystemUUID: builders.Digest(name)[:36], BootID: builders.Digest(name)[28:],
		KernelVersion: "5.14.0-570.49.1.el9_6.x86_64", OSImage: "Red Hat Enterprise Linux CoreOS 9.6.20251023-0 (Plow)",
		ContainerRuntimeVersion: "cri-o://1.33.5-3.rhaos4.20.gitd0ea985.el9", KubeletVersion: "v1.33.5",
		OperatingSystem: "linux", Architecture: "amd64",
	}
	for at := range imagesOfNode {
		node.Status.Images = append(node.Status.Images, corev1.ContainerImage{
			Names:     []string{"quay.example.com/openshift-release-dev/ocp-v4.0-art-dev@sha256:" + builders.Digest(strconv.Itoa(at))},
			SizeBytes: imageBytes,
		})
	}
}
