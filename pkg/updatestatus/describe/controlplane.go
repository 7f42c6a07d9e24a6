package describe

import (
	"fmt"
	"slices"
	"strings"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// estimateTolerance is the precision of an estimate. Remaining times within it, before or after, are shown as "<10m".
const estimateTolerance = 10 * time.Minute

func writeControlPlane(p *page, cp *update.ControlPlane) {
	p.line("= Control Plane =")
	if cp.HasCompleted() {
		p.line("Update to %s successfully completed at %s%s", targetVersion(cp),
			cp.Version.CompletedAt.UTC().Format(time.RFC3339), p.clock().totalDuration(cp.Version))
		return
	}
	if !cp.IsKnown() {
		p.line("Unable to tell whether the control plane is updating: %s", messageOf(cp.Updating))
	}
	if cp.Version != nil {
		p.field("Assessment", insight.AssessmentText(p.assessmentOf(cp.Version)))
		p.field("Target Version", targetOf(cp.Version.Versions))
	}
	if names := updatingOperators(cp); len(names) > 0 {
		p.field("Updating", strings.Join(names, ", "))
	}
	if cp.Version != nil {
		p.field("Completion", fmt.Sprintf("%d%% (%s)", cp.Version.Completion, progressOf(cp.Operators)))
		p.field("Duration", p.clock().durationOf(cp.Version, p.isClassic()))
	}
	if len(cp.Operators) > 0 {
		p.field("Operator Health", healthOf(cp.Operators))
	}
}

// assessmentOf returns the assessment of a control plane: in the classic text that by its estimate alone, as oc has it.
func (p *page) assessmentOf(version *updatev1alpha1.ClusterVersionInsight) updatev1alpha1.Assessment {
	if p.isClassic() {
		return controlplane.AssessByEstimate(version, p.Now)
	}
	return version.Assessment
}

// targetVersion returns the version that the control plane is updated to.
func targetVersion(cp *update.ControlPlane) string {
	if cp.Version == nil || cp.Version.Versions.Target == nil {
		return "an unknown version"
	}
	return cp.Version.Versions.Target.Version
}

func updatingOperators(cp *update.ControlPlane) []string {
	var names []string
	for _, operator := range cp.Operators {
		if operator.State.Progress == insight.OperatorUpdating {
			names = append(names, operator.Name)
		}
	}
	return names
}

// totalDuration returns the duration of a complete update in parentheses, "" if it is not known.
func (c clock) totalDuration(version *updatev1alpha1.ClusterVersionInsight) string {
	if version.StartedAt == nil {
		return ""
	}
	return fmt.Sprintf(" (duration: %s)", c.rounded(version.CompletedAt.Sub(version.StartedAt.Time)))
}

func targetOf(versions updatev1alpha1.ControlPlaneVersions) string {
	target := versions.Target
	if target == nil {
		return "unknown"
	}
	if architecture := architectureOf(versions); architecture != "" {
		return fmt.Sprintf("%s to %s-Architecture", target.Version, architecture)
	}
	if hasFlag(target, updatev1alpha1.VersionInstallation) {
		return target.Version + " (a new install)"
	}
	if versions.Previous == nil {
		return target.Version
	}
	incomplete := ""
	if hasFlag(versions.Previous, updatev1alpha1.VersionPartial) {
		incomplete = "incomplete "
	}
	return fmt.Sprintf("%s (from %s%s)", target.Version, incomplete, versions.Previous.Version)
}

// architectureOf returns the architecture that the cluster is migrated to, "" in an update.
func architectureOf(versions updatev1alpha1.ControlPlaneVersions) string {
	if versions.Target == nil {
		return ""
	}
	for _, metadata := range versions.Target.Metadata {
		if metadata.Key == updatev1alpha1.VersionArchitecture {
			return metadata.String
		}
	}
	return ""
}

func hasFlag(version *updatev1alpha1.Version, key updatev1alpha1.VersionMetadataKey) bool {
	return slices.ContainsFunc(version.Metadata, func(one updatev1alpha1.VersionMetadata) bool { return one.Key == key })
}

// durationOf returns how long the update takes. The classic text has an estimate with it; the head has the only one otherwise.
func (c clock) durationOf(version *updatev1alpha1.ClusterVersionInsight, isClassic bool) string {
	switch {
	case version.StartedAt == nil:
		return "unknown"
	case version.CompletedAt != nil:
		return c.rounded(version.CompletedAt.Sub(version.StartedAt.Time))
	case !isClassic:
		return c.rounded(c.now.Sub(version.StartedAt.Time))
	default:
		return fmt.Sprintf("%s (Est. Time Remaining: %s)", c.rounded(c.now.Sub(version.StartedAt.Time)), c.remainingOf(version))
	}
}

// remainingOf returns the remaining time of the update in the classic text. Once an estimate passed by more than its tolerance, that is
// how long the update was expected to take, which changes with the clock.
func (c clock) remainingOf(version *updatev1alpha1.ClusterVersionInsight) string {
	if architecture := architectureOf(version.Versions); architecture != "" {
		return fmt.Sprintf("N/A for %s-Architecture Migration", architecture)
	}
	if version.EstimatedCompletedAt == nil {
		return notAvailable
	}
	switch remaining := version.EstimatedCompletedAt.Sub(c.now); {
	case remaining < -estimateTolerance:
		return "N/A; estimate duration was " + c.wholeMinutes(version.EstimatedCompletedAt.Sub(version.StartedAt.Time))
	case remaining < estimateTolerance:
		return "<10m"
	default:
		return c.rounded(remaining)
	}
}
