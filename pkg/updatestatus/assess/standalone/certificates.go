package standalone

import (
	"crypto/x509"
	"encoding/pem"
	"slices"
	"strings"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

// This file finds certificates of kubelets that nobody approves (openshift/cluster-machine-approver, pkg/controller/csr_check.go). A kubelet
// whose certificate is no longer valid is not ready until it has another one.

const (
	// nodeBootstrapper requests the certificate of a kubelet that has none that is valid (openshift/machine-config-operator,
	// manifests/machineconfigserver/csr-bootstrap-role-binding.yaml).
	nodeBootstrapper = "system:serviceaccount:openshift-machine-config-operator:node-bootstrapper"
	// nodeUser starts the common name of the certificate of a kubelet, and its name as a user (kubernetes/kubernetes,
	// pkg/kubelet/certificate/bootstrap/bootstrap.go).
	nodeUser = "system:node:"
)

// unreadyPatience is how long a node is not ready before the requests for certificates of kubelets are read.
const unreadyPatience = 5 * time.Minute

// The cases of a certificate: that with which a kubelet reaches the API server, and that with which it serves.
const (
	caseClient  = "Client"
	caseServing = "Serving"
)

var certificateThresholds = assess.Thresholds{Warning: 10 * time.Minute}

// certificateCheck is that of the certificates of a node's kubelet.
var certificateCheck = assess.Check[checkedNode]{Find: certificatePending, HealthCheck: assess.HealthCheck{
	Name: "kubelet-certificates-pending", Then: assess.ThenKubelet, Subject: assess.NodeNoun,
	Texts: assess.Texts{
		caseClient: {
			One: "waits for its certificate to be approved", Many: "wait for their certificates to be approved",
			Description: "Without it the kubelet can't reach the API server. The request of a machine that already has a Node is not approved by itself, on purpose: " +
				"check that the machine is yours before you approve CertificateSigningRequest {request}.",
		},
		caseServing: {
			One: "waits for its serving certificate to be approved", Many: "wait for their serving certificates to be approved",
			Description: "Logs, exec and metrics of the node are not available until CertificateSigningRequest {request} is approved.",
		},
	},
	Impact: updatev1alpha1.ImpactUpdateSpeed, FailureImpact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.Cause,
	Thresholds: certificateThresholds,
	Appears: "the newest request of a node's kubelet for a certificate is not approved, and the first one since the last that was is more than 10 minutes " +
		"old. They are read while a node has not been ready for 5 minutes. A node that is not ready has requested the certificate with which it " +
		"reaches the API server: Warning, and Error if it has not been ready for 60 minutes and its pool is being updated. A certificate " +
		"with which a kubelet serves: Info",
	Response:  "Check that the machine is yours, and approve the request.",
	NextSteps: slices.Concat(assess.ReadOnly("oc get certificatesigningrequests"), assess.Mutating("oc adm certificate approve REQUEST")),
}}

// pendingRequest is the newest request for a certificate, if that is not decided, and since when there is one that is not.
type pendingRequest struct {
	name  string
	since time.Time
}

// pendingCertificates are those that a kubelet has requested.
type pendingCertificates struct {
	client, serving pendingRequest
}

// certificatesByNode returns the certificates that wait for approval, by the name of the node. Kubelets make new requests all the time,
// and those that nobody decided remain.
func certificatesByNode(requests []*certificatesv1.CertificateSigningRequest, now time.Time) map[string]pendingCertificates {
	byAge := slices.SortedFunc(slices.Values(requests), func(a, b *certificatesv1.CertificateSigningRequest) int {
		return a.CreationTimestamp.Compare(b.CreationTimestamp.Time)
	})
	pending := map[string]pendingCertificates{}
	for _, request := range byAge {
		node := nodeOf(request)
		if node == "" {
			continue
		}
		ofNode := pending[node]
		one := &ofNode.client
		if request.Spec.SignerName == certificatesv1.KubeletServingSignerName {
			one = &ofNode.serving
		}
		switch created := insight.KnownTime(request.CreationTimestamp.Time, now); {
		case len(request.Status.Conditions) > 0:
			*one = pendingRequest{}
		case one.since.IsZero():
			*one = pendingRequest{request.Name, created}
		default:
			one.name = request.Name
		}
		pending[node] = ofNode
	}
	return pending
}

// nodeOf returns the node whose kubelet requests a certificate, empty if it is none.
func nodeOf(request *certificatesv1.CertificateSigningRequest) string {
	user := request.Spec.Username
	switch request.Spec.SignerName {
	case certificatesv1.KubeletServingSignerName:
	case certificatesv1.KubeAPIServerClientKubeletSignerName:
		if user != nodeBootstrapper {
			return ""
		}
		user = commonName(request.Spec.Request)
	default:
		return ""
	}
	name, isNode := strings.CutPrefix(user, nodeUser)
	if !isNode {
		return ""
	}
	return name
}

func commonName(request []byte) string {
	block, _ := pem.Decode(request)
	if block == nil {
		return ""
	}
	parsed, err := x509.ParseCertificateRequest(block.Bytes)
	if err != nil {
		return ""
	}
	return parsed.Subject.CommonName
}

// isLongUnready returns whether a node has not been ready for so long that its certificate may be why, and until when it has not if not.
func isLongUnready(node *corev1.Node, now time.Time) (isLong bool, next time.Time) {
	if !nodestate.IsNotReady(node) {
		return false, time.Time{}
	}
	since := insight.KnownTime(nodestate.NotReadySince(node), now)
	return now.Sub(since) > unreadyPatience, since.Add(unreadyPatience + assess.Tick)
}

// isInProgress returns whether the control plane is being updated, or a pool.
func isInProgress(version *configv1.ClusterVersion, reports []insight.Report) bool {
	if version != nil && len(version.Status.History) > 0 && version.Status.History[0].State == configv1.PartialUpdate {
		return true
	}
	return slices.ContainsFunc(reports, func(report insight.Report) bool {
		return slices.ContainsFunc(report.Insights, func(one insight.ScopedInsight) bool { return one.Unfinished })
	})
}

// NeedsCertificateRequests returns whether a node has not been ready for so long that its certificate may be why.
func NeedsCertificateRequests(nodes []*corev1.Node, now time.Time) bool {
	return slices.ContainsFunc(nodes, func(node *corev1.Node) bool {
		isLong, _ := isLongUnready(node, now)
		return isLong
	})
}

// certificatePending returns that the certificate of a kubelet is not approved.
func certificatePending(checked checkedNode) *assess.Finding {
	isLong, _ := isLongUnready(checked.node, checked.now)
	switch pending := checked.certificates; {
	case pending.client.name != "" && isLong:
		found := pending.client.finding(caseClient)
		if failure := nodestate.NotReadySince(checked.node).Add(time.Hour); checked.isPoolUpdating && !checked.now.Before(failure) {
			found.Level = updatev1alpha1.LevelError
		} else if checked.isPoolUpdating {
			found.NextCheck = failure
		}
		return found
	case pending.serving.name != "":
		found := pending.serving.finding(caseServing)
		found.Level, found.Impact = updatev1alpha1.LevelInfo, updatev1alpha1.ImpactNone
		return found
	default:
		return nil
	}
}

func (p pendingRequest) finding(which string) *assess.Finding {
	return &assess.Finding{
		Since: p.since, Case: which, Words: assess.Words{"request": p.name}, Reference: reference.MachineConfigOperator,
		Blockers: []updatev1alpha1.ResourceRef{{Group: certificatesv1.GroupName, Resource: "certificatesigningrequests", Name: p.name}},
	}
}

// isPoolUpdating returns whether the Machine Config Operator says that a pool is being updated.
func isPoolUpdating(pool *machineconfigv1.MachineConfigPool) bool {
	return checkedPool{MachineConfigPoolInput: MachineConfigPoolInput{Pool: pool}}.isTrue(machineconfigv1.MachineConfigPoolUpdating) != nil
}
