package podstate

import (
	"regexp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// failingRevision is what an operator of static pods says of the nodes on which a revision can't be installed, and installer the name of the
// pod that does (openshift/library-go, pkg/operator/staticpod/controller/installer/installer_controller.go,
// setAvailableProgressingNodeInstallerFailingConditions and getInstallerPodName).
var (
	failingRevision = regexp.MustCompile(`\b\d+ nodes are failing on revision (\d+):`)
	installer       = regexp.MustCompile(`^installer-(\d+)-`)
)

// failingRevisions returns the revisions that are not installed on all nodes.
func failingRevisions(message string) []string {
	var revisions []string
	for _, match := range failingRevision.FindAllStringSubmatch(message, -1) {
		revisions = append(revisions, match[1])
	}
	return revisions
}

// installs returns whether the pod installs one of some revisions.
func (o observed) installs(revisions []string) bool {
	return isInstallerOf(o.pod.Name, revisions)
}

func isInstallerOf(name string, revisions []string) bool {
	match := installer.FindStringSubmatch(name)
	return match != nil && slices.Contains(revisions, match[1])
}

// VersionNamespace is the namespace of the Cluster Version Operator.
const VersionNamespace = "openshift-cluster-version"

// The pods that retrieve a release there (openshift/cluster-version-operator, pkg/cvo/updatepayload.go, fetchUpdatePayloadToDir).
const (
	RetrievalSelector = retrievalLabel + "=" + retrievalValue
	retrievalLabel    = "k8s-app"
	retrievalValue    = "retrieve-openshift-release"
	// retrievalPatience is how long one of them may take: it is deleted after some minutes, and another one tries.
	retrievalPatience = time.Minute
)

func isRetrieval(pod *corev1.Pod) bool {
	return pod.Namespace == VersionNamespace && pod.Labels[retrievalLabel] == retrievalValue
}

// Retrieval returns what is wrong with the pod that retrieves a release, nil if nothing is. The report has no name and no start: another
// pod replaces it every few minutes.
func Retrieval(pods []*corev1.Pod, now time.Time) *updatev1alpha1.PodReport {
	var newest *corev1.Pod
	for _, pod := range pods {
		if isRetrieval(pod) && pod.DeletionTimestamp == nil && (newest == nil || pod.CreationTimestamp.After(newest.CreationTimestamp.Time)) {
			newest = pod
		}
	}
	if newest == nil {
		return nil
	}
	one := observe(newest, now)
	isYoung := one.rank != rankBroken && one.state != failed && now.Sub(newest.CreationTimestamp.Time) < retrievalPatience
	if one.state == "" || one.state == notReady || isYoung {
		return nil
	}
	one.message = strings.ReplaceAll(one.message, newest.Name, "POD")
	report := one.report()
	report.Name, report.Node, report.Since = "", "", nil
	return report
}
