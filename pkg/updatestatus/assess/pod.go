package assess

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Pods is what is known of the pods of a subject that may be why it fails.
type Pods struct {
	// Worst is the one that says most, nil if none does or they are not known.
	Worst *updatev1alpha1.PodReport
	// Unread is the namespace of pods that are not known, empty if they are.
	Unread string
}

// The states of pods that are not a reason of the kubelet (pkg/updatestatus/podstate).
var podStates = map[string]string{"NotReady": "is not ready", "NotScheduled": "is not scheduled", "Failed": "has failed"}

// podTextMaxLength bounds what the summary says of a pod.
const podTextMaxLength = 160

// withPod adds to a summary what is wrong with a pod, of which it keeps all. Since when it is so is for the reader to add: the text is the
// same for as long as the pod is.
func withPod(summary string, pod *updatev1alpha1.PodReport) string {
	if pod == nil {
		return insight.Shorten(summary, updatev1alpha1.SummaryMaxLength)
	}
	text := "the pod that retrieves the release"
	if pod.Name != "" {
		text = "pod " + pod.Name
	}
	if pod.Node != "" {
		text += " on " + pod.Node
	}
	text = "; " + insight.Shorten(text+" "+stateText(pod), podTextMaxLength)
	return insight.Shorten(summary, updatev1alpha1.SummaryMaxLength-len(text)) + text
}

func stateText(pod *updatev1alpha1.PodReport) string {
	return cmp.Or(podStates[pod.State], "is "+pod.State)
}

// describePod returns what a description says of a pod.
func describePod(pod *updatev1alpha1.PodReport) string {
	if pod == nil {
		return ""
	}
	var text strings.Builder
	fmt.Fprintf(&text, "\nPod %s/%s", pod.Namespace, cmp.Or(pod.Name, "(the one that retrieves the release)"))
	if pod.Container != "" {
		fmt.Fprintf(&text, ", container %s", pod.Container)
	}
	text.WriteString(": " + strings.TrimSuffix(cmp.Or(pod.Message, pod.State), ".") + ".")
	if ended := pod.LastTermination; ended != nil {
		fmt.Fprintf(&text, " It last ended with exit code %d%s", ended.ExitCode, Because(ended.Reason))
		if ended.Message != "" {
			text.WriteString(": " + strings.TrimSuffix(ended.Message, "."))
		}
		text.WriteString(".")
	}
	if pod.Alike == 1 {
		text.WriteString(" 1 other pod is in the same state.")
	} else if pod.Alike > 1 {
		fmt.Fprintf(&text, " %d other pods are in the same state.", pod.Alike)
	}
	return text.String()
}

// worst returns the pod that says most, nil if there is none.
func (p *Pods) worst() *updatev1alpha1.PodReport {
	if p == nil {
		return nil
	}
	return p.Worst
}

// blocker returns the pod as a resource, none if it has no name.
func (p *Pods) blocker() []updatev1alpha1.ResourceRef {
	if worst := p.worst(); worst != nil && worst.Name != "" {
		return []updatev1alpha1.ResourceRef{{Resource: "pods", Namespace: worst.Namespace, Name: worst.Name}}
	}
	return nil
}

// nextSteps returns the commands of a check with those about the pods: of the worst pod first, or all of them after the first command if they
// are not known.
func (p *Pods) nextSteps(row []updatev1alpha1.Command) []updatev1alpha1.Command {
	worst := p.worst()
	switch {
	case worst != nil && worst.Name != "":
		steps := ReadOnly("oc describe pod -n NAMESPACE POD")
		if worst.LastTermination != nil && safeName.MatchString(worst.Container) {
			steps = append(steps, ReadOnly("oc logs -n NAMESPACE POD -c "+worst.Container+" --previous")...)
		}
		return append(steps, row...)
	case p == nil || !safeName.MatchString(p.Unread):
		return row
	default:
		return slices.Insert(slices.Clone(row), min(1, len(row)), ReadOnly("oc get pods -n "+p.Unread+" -o wide")...)
	}
}
