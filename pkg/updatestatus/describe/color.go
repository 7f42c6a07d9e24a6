package describe

import (
	"strings"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Colors of a terminal (ECMA-48, SGR), of the 16 that users can configure.
const (
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	normal = "\x1b[0m"
)

// colorOf has the assessments and levels that stand out.
var colorOf = map[string]string{
	string(updatev1alpha1.AssessmentCompleted):                       green,
	insight.AssessmentText(updatev1alpha1.AssessmentProgressingSlow): yellow,
	string(updatev1alpha1.AssessmentExcluded):                        yellow,
	string(updatev1alpha1.AssessmentStalled):                         red,
	string(updatev1alpha1.AssessmentDegraded):                        red,
	string(insight.NodeUnavailable):                                  red,
	string(updatev1alpha1.LevelWarning):                              yellow,
	string(updatev1alpha1.LevelError):                                red,
	string(updatev1alpha1.LevelCritical):                             red,
}

// colored returns a clean value in its color, if the field or column with that name is an assessment or a level.
func (p *page) colored(name, value string) string {
	isColored := strings.EqualFold(name, "assessment") || strings.EqualFold(name, "level")
	if color := colorOf[value]; p.Color && isColored && color != "" {
		return color + value + normal
	}
	return value
}
