package describe

import (
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// Colours as terminals know them (ECMA-48, SGR). They are the 16 that people choose for themselves.
const (
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	normal = "\x1b[0m"
)

// colorOf has the verdicts that stand out: assessments and levels. All others are shown as everything else.
var colorOf = map[string]string{
	string(updatev1alpha1.AssessmentCompleted):       green,
	string(updatev1alpha1.AssessmentProgressingSlow): yellow,
	string(updatev1alpha1.AssessmentExcluded):        yellow,
	string(updatev1alpha1.AssessmentStalled):         red,
	string(updatev1alpha1.AssessmentDegraded):        red,
	string(insight.NodeUnavailable):                  red,
	string(updatev1alpha1.LevelWarning):              yellow,
	string(updatev1alpha1.LevelError):                red,
	string(updatev1alpha1.LevelCritical):             red,
}

// verdictColumns are the columns of tables that hold verdicts.
var verdictColumns = map[string]bool{"ASSESSMENT": true, "LEVEL": true}

// verdict gives a clean word its colour, if colours are wanted.
func (p *page) verdict(word string) string {
	if color := colorOf[word]; p.Color && color != "" {
		return color + word + normal
	}
	return word
}
