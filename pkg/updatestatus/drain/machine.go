package drain

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Lines of the message of a Machine that is drained, with names that the API server accepts (kubernetes-sigs/cluster-api,
// internal/controllers/machine/drain/drain.go, ConditionMessage; kubernetes/kubernetes, pkg/registry/core/pod/storage/eviction.go). Of each
// error it names three pods, and of errors five. Versions of the Cluster API before 1.9.1 have other lines, which name nothing here.
var (
	refusedLine = regexp.MustCompile(`(?m)^\* Pods? ` + podName + `: cannot evict pod as it would violate the pod's disruption budget\.` +
		`(?: The disruption budget ([-a-z0-9.]{1,253}) needs (\d{1,9}) healthy pods and has (\d{1,9}) currently)?`)
	deletedLine = regexp.MustCompile(`(?m)^\* Pods? ` + podName + `: deletionTimestamp set, but still not removed from the Node`)
)

// podName is the first of some pods.
const podName = `([-a-z0-9]{1,63})/([-a-z0-9.]{1,253})(?:, [^:\n]*)?`

// The marks of what the Cluster API leaves out of a message.
const (
	morePods   = ", ... ("
	moreErrors = "  * ... ("
	otherPods  = " with other issues"
)

// excerptMark marks the message of a Machine that is not complete.
func (in Input) excerptMark() string {
	isExcerpt := slices.ContainsFunc([]string{morePods, moreErrors, otherPods}, func(mark string) bool { return strings.Contains(in.OperatorMessage, mark) })
	if !isExcerpt || in.Drainer != ClusterAPI {
		return ""
	}
	return " (an excerpt)"
}

// named is the first pod that a Machine names, with why it is still on the node.
type named struct {
	namespace, pod string
	// isDeleted is whether it was deleted. Otherwise its eviction was refused, because of a budget whose name may not be known.
	isDeleted bool
	budget    string
	// lacksHealthy is whether fewer pods are healthy than the budget requires.
	lacksHealthy bool
}

// namedByMachine returns the first pod whose eviction is refused by the message of a Machine, or else the first that was deleted, and
// whether there is one.
func namedByMachine(message string) (named, bool) {
	if parts := refusedLine.FindStringSubmatch(message); parts != nil {
		needs, _ := strconv.Atoi(parts[4])
		has, _ := strconv.Atoi(parts[5])
		return named{namespace: parts[1], pod: parts[2], budget: parts[3], lacksHealthy: has < needs}, true
	}
	if parts := deletedLine.FindStringSubmatch(message); parts != nil {
		return named{namespace: parts[1], pod: parts[2], isDeleted: true}, true
	}
	return named{}, false
}

// cause returns the cause whose advice applies. Whether a budget requires all pods of its workload is not known.
func (n named) cause() cause {
	switch {
	case n.isDeleted:
		return causeTerminating
	case n.lacksHealthy:
		return causeNotAllowed
	default:
		return causeAllNeeded
	}
}

func (n named) explain(in Input) *assess.Finding {
	text := textFor(n.cause(), in.Drainer)
	found := []updatev1alpha1.ResourceRef{{Resource: "pods", Namespace: n.namespace, Name: n.pod}}
	which := caseNamedBudget
	switch {
	case n.isDeleted:
		which = caseNamedTerminating
	case n.budget == "":
		which = caseNamedProtected
	default:
		found = append(found, insight.Budget(n.namespace, n.budget))
	}
	words := in.wordsOf(text.advice, []string{
		fmt.Sprintf("Pod %s/%s is %s.", n.namespace, n.pod, ownerOf(n.namespace)),
		"Other pods that block the drain are unknown: " + phrase(in.Blockers.Unread) + ".",
	})
	words["named"], words["by"] = n.namespace+"/"+n.pod, n.budget
	return &assess.Finding{Case: which, Words: words, Reported: in.reported(), Reference: text.reference, Blockers: found}
}

// ownerOf returns what a pod of a namespace is, so that it is known who can change it.
func ownerOf(namespace string) string {
	if insight.IsPlatform(namespace) {
		return "part of the platform"
	}
	return "a user workload"
}
