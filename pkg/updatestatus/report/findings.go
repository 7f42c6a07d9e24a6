package report

import (
	"fmt"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Finding is a cause with those of its consequences that are shown.
type Finding struct {
	describe.Cause

	// Tone is the class of its level.
	Tone  string
	Below []Finding
	// Above says how many consequences are listed below other causes.
	Above string
	// MoreBelow says how many consequences are left out, and More how many causes after this one. All are empty if none are.
	MoreBelow, More string
}

// The most descriptions and resources of a finding.
const (
	maxDescriptions = 3
	maxResources    = 16
)

// findings returns causes with their consequences: of each kind at most some, and so many in all, so that a report stays small.
func findings(causes []describe.Cause, each, all int) []Finding {
	return pick(causes, each, &all)
}

func pick(causes []describe.Cause, each int, left *int) []Finding {
	var shown []Finding
	for _, cause := range causes {
		if len(shown) == each || *left == 0 {
			break
		}
		*left--
		shown = append(shown, Finding{Cause: short(cause), Tone: toneOf(cause.Level)})
	}
	for at := range shown {
		shown[at].Below = pick(causes[at].Consequences, each, left)
		if more := len(causes[at].Consequences) - len(shown[at].Below); more > 0 {
			shown[at].MoreBelow = fmt.Sprintf("and %d more", more)
		}
		if above := causes[at].Above; above > 0 {
			shown[at].Above = insight.Count(above, "consequence") + " listed above"
		}
	}
	if more := len(causes) - len(shown); more > 0 && len(shown) > 0 {
		shown[len(shown)-1].More = fmt.Sprintf("and %d more", more)
	}
	return shown
}

// short returns a cause without what a page has no place for.
func short(cause describe.Cause) describe.Cause {
	cause.Descriptions = cause.Descriptions[:min(len(cause.Descriptions), maxDescriptions)]
	if more := len(cause.Resources) - maxResources; more > 0 {
		cause.Resources = append(cause.Resources[:maxResources:maxResources], fmt.Sprintf("and %d more", more))
	}
	return cause
}

// toneOf returns the class of a level. A level of a newer controller looks like one that is not known.
func toneOf(level string) string {
	switch updatev1alpha1.HealthLevel(level) {
	case updatev1alpha1.LevelCritical, updatev1alpha1.LevelError:
		return "error"
	case updatev1alpha1.LevelWarning:
		return "warning"
	case updatev1alpha1.LevelInfo:
		return "info"
	default:
		return "unknown"
	}
}
