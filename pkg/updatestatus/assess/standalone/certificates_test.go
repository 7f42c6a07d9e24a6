package standalone_test

import (
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/healthcases"
)

// certificateCases are of a node that reboots.
func certificateCases() []healthcases.Case {
	const (
		waits = " | Node node-a waits for its certificate to be approved | Without it the kubelet can't reach the API server. The request of a machine that " +
			"already has a Node is not approved by itself, on purpose: check that the machine is yours before you approve CertificateSigningRequest b. | " +
			"nodes/node-a certificatesigningrequests.certificates.k8s.io/b"
		serves = "Info | None | 08:00:00 | Node node-a waits for its serving certificate to be approved | Logs, exec and metrics of the node are not available until " +
			"CertificateSigningRequest b is approved. | nodes/node-a certificatesigningrequests.certificates.k8s.io/b"
	)
	later := start.Add
	request, serving := builders.CertificateRequest, builders.Serving("node-a")
	minute := time.Minute
	pending := []*certificatesv1.CertificateSigningRequest{request("b", "node-a", later(14*minute)), request("a", "node-a", start)}
	rolling := poolIs(machineconfigv1.MachineConfigPoolUpdating, corev1.ConditionTrue, "All nodes are updating to MachineConfig rendered-worker-new")
	one := func(name string, at time.Duration, requests []*certificatesv1.CertificateSigningRequest, want string, options ...builders.NodeOption) healthcases.Case {
		return healthcases.Case{Name: name, At: at, Want: want, Result: certificateResult(requests, nil, options...)}
	}
	lost := builders.NotReady(start)
	return []healthcases.Case{
		one("a while", 10*minute, pending[1:], "", lost),
		one("long", 15*minute, pending, "Warning | Update Speed | 08:00:00"+waits, lost),
		one("longer, in a pool that is not being updated", 2*time.Hour, pending, "Warning | Update Speed | 08:00:00"+waits, lost),
		{Name: "longer", At: time.Hour, Result: certificateResult(pending, rolling, lost), Want: "Error | Update Stalled | 08:00:00" + waits},
		one("the node is ready", time.Hour, pending, ""),
		one("not ready since some minutes", time.Hour, pending, "", builders.NotReady(later(56*minute))),
		one("of another node", time.Hour, []*certificatesv1.CertificateSigningRequest{request("b", "node-b", start)}, "", lost),
		one("the newest is approved", time.Hour, append(pending[1:], request("b", "node-a", later(14*minute), builders.Approved)), "", lost),
		one("some are approved, and newer ones are not", 50*minute, []*certificatesv1.CertificateSigningRequest{
			request("0", "node-a", start), request("1", "node-a", later(minute), builders.Approved), request("b", "node-a", later(2*minute)),
		}, "Warning | Update Speed | 08:02:00"+waits, lost),
		one("requested by somebody else", time.Hour, []*certificatesv1.CertificateSigningRequest{request("b", "node-a", start, func(request *certificatesv1.CertificateSigningRequest) {
			request.Spec.Username = "admin"
		})}, "", lost),
		one("no request in it", time.Hour, []*certificatesv1.CertificateSigningRequest{request("b", "node-a", start, func(request *certificatesv1.CertificateSigningRequest) {
			request.Spec.Request = []byte("-")
		})}, "", lost),
		one("of another signer", time.Hour, []*certificatesv1.CertificateSigningRequest{request("b", "node-a", start, func(request *certificatesv1.CertificateSigningRequest) {
			request.Spec.SignerName = "example.com/signer"
		})}, "", lost),
		one("a serving one", 15*minute, []*certificatesv1.CertificateSigningRequest{request("b", "node-a", start, serving)}, serves),
		one("both", 15*minute, append(pending, request("c", "node-a", start, serving)), "Warning | Update Speed | 08:00:00"+waits, lost),
	}
}

// certificateResult assesses a node that reboots.
func certificateResult(requests []*certificatesv1.CertificateSigningRequest, ofPool builders.MachineConfigPoolOption, options ...builders.NodeOption) func(time.Time) assess.Result {
	node := notStarted(append([]builders.NodeOption{
		assigned("rendered-worker-new"), builders.State("Working"), builders.Drain("drain-rendered-worker-new", "drain-rendered-worker-new"), builders.PostConfigAction("Rebooting"),
		builders.Role("worker"),
	}, options...)...)
	worker := pool()
	if ofPool != nil {
		ofPool(worker)
	}
	var configs []*metav1.PartialObjectMetadata
	for name, version := range versions {
		config := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: name}}
		config.Annotations = map[string]string{standalone.ReleaseVersionAnnotation: version}
		configs = append(configs, config)
	}
	return func(now time.Time) assess.Result {
		result := standalone.NewNodes(assess.Observed{}).Assess(standalone.NodesInput{
			ClusterVersion: updating(), MachineConfigPools: []*machineconfigv1.MachineConfigPool{worker}, MachineConfigs: configs,
			Nodes: []*corev1.Node{trimmed(node)}, CertificateRequests: allTrimmed(requests),
		}, now)
		return assess.Result{Report: result.Message.Reports[0], NextCheck: result.NextCheck}
	}
}
