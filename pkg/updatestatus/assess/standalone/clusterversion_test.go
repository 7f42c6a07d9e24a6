package standalone_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

var (
	installed = time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
	start     = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
)

const (
	before = "4.20.1"
	target = "4.20.2"
)

func progressing(status configv1.ConditionStatus) builders.ClusterVersionOption {
	return builders.VersionCondition(builders.Condition(configv1.OperatorProgressing, status, start, "", ""))
}

// updating is a cluster that was installed with one version and is being updated to the next.
func updating(options ...builders.ClusterVersionOption) *configv1.ClusterVersion {
	return builders.ClusterVersion(append([]builders.ClusterVersionOption{
		builders.Completed(before, installed, installed.Add(30*time.Minute)),
		builders.Partial(target, start),
		progressing(configv1.ConditionTrue),
	}, options...)...)
}

// fleet is a number of operators of which the first have the target version.
func fleet(total, updated int) []*configv1.ClusterOperator {
	var operators []*configv1.ClusterOperator
	for at := range total {
		version := before
		if at < updated {
			version = target
		}
		operators = append(operators, builders.ClusterOperator(fmt.Sprintf("operator-%02d", at),
			builders.OperatorVersion(version), builders.Healthy(installed)))
	}
	return operators
}

func clusterVersionInsight(t *testing.T, in standalone.ClusterVersionInput, now time.Time) *updatev1alpha1.ClusterVersionInsight {
	t.Helper()
	report := standalone.ClusterVersion(in, now).Report
	if len(report.Insights) == 0 {
		t.Fatal("no insight")
	}
	one := report.Insights[0].Insight
	if one.UID != "cv-version" || one.Type != updatev1alpha1.InsightClusterVersion {
		t.Errorf("insight %s of type %s", one.UID, one.Type)
	}
	return one.ClusterVersion
}

func TestClusterVersionUpdating(t *testing.T) {
	const unknown = "Unknown CannotDetermineUpdating: "
	completed := func(options ...builders.ClusterVersionOption) *configv1.ClusterVersion {
		return builders.ClusterVersion(append([]builders.ClusterVersionOption{
			builders.Completed(before, installed, installed.Add(time.Hour)),
			builders.Completed(target, start, start.Add(time.Hour)),
		}, options...)...)
	}
	for _, test := range []struct {
		name      string
		version   *configv1.ClusterVersion
		operators []*configv1.ClusterOperator
		want      string
	}{
		{
			name:      "progressing in a partial update",
			version:   updating(),
			operators: fleet(2, 0),
			want:      "True ClusterVersionProgressing: The ClusterVersion is progressing to 4.20.2",
		},
		{
			name:      "done",
			version:   completed(progressing(configv1.ConditionFalse)),
			operators: fleet(2, 2),
			want:      "False ClusterVersionNotProgressing: The ClusterVersion has completed 4.20.2",
		},
		{
			name:      "no Progressing",
			version:   completed(),
			operators: fleet(2, 2),
			want:      unknown + "The ClusterVersion has no Progressing condition",
		},
		{
			name:      "no history",
			version:   builders.ClusterVersion(progressing(configv1.ConditionTrue)),
			operators: fleet(2, 2),
			want:      unknown + "The history of the ClusterVersion is empty",
		},
		{
			name:      "reconciling",
			version:   completed(progressing(configv1.ConditionTrue)),
			operators: fleet(2, 2),
			want:      "False ClusterVersionNotProgressing: The ClusterVersion has completed 4.20.2",
		},
		{
			name:      "completed, Progressing unknown",
			version:   completed(progressing(configv1.ConditionUnknown)),
			operators: fleet(2, 2),
			want:      unknown + "The ClusterVersion has Progressing=Unknown while its newest update is Completed",
		},
		{
			name:      "requested",
			version:   completed(progressing(configv1.ConditionFalse), builders.Requested(configv1.Update{Version: "4.20.3"})),
			operators: fleet(2, 2),
			want:      "False Requested: The update to 4.20.3 was requested and has not begun",
		},
		{
			name:      "requested, Progressing unknown",
			version:   completed(progressing(configv1.ConditionUnknown), builders.Requested(configv1.Update{Version: "4.20.3"})),
			operators: fleet(2, 2),
			want:      unknown + "The ClusterVersion has Progressing=Unknown while its newest update is Completed",
		},
		{
			name: "refused",
			version: completed(progressing(configv1.ConditionFalse), builders.Requested(configv1.Update{Version: "4.20.3"}),
				refused("PreconditionChecks", `Preconditions failed for payload loaded version="4.20.3" image="": nope`)),
			operators: fleet(2, 2),
			want:      "False NotAccepted: The update to 4.20.3 was requested and is not accepted (PreconditionChecks)",
		},
		{
			name:      "another one requested meanwhile",
			version:   updating(builders.Requested(configv1.Update{Version: "4.20.3"})),
			operators: fleet(2, 0),
			want:      "True ClusterVersionProgressing: The ClusterVersion is progressing to 4.20.2",
		},
		{
			name:      "stopped halfway",
			version:   updating(progressing(configv1.ConditionFalse)),
			operators: fleet(2, 0),
			want:      unknown + "The ClusterVersion has Progressing=False while its newest update is Partial",
		},
		{
			name:      "Progressing unknown",
			version:   updating(progressing(configv1.ConditionUnknown)),
			operators: fleet(2, 0),
			want:      unknown + "The ClusterVersion has Progressing=Unknown while its newest update is Partial",
		},
		{
			name:      "no payload operator",
			version:   updating(),
			operators: []*configv1.ClusterOperator{builders.ClusterOperator("theirs", builders.ThirdParty())},
			want:      unknown + "No ClusterOperator belongs to the release payload",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := clusterVersionInsight(t, standalone.ClusterVersionInput{ClusterVersion: test.version, ClusterOperators: test.operators}, start.Add(time.Minute))
			condition := got.Conditions[0]
			if text := fmt.Sprintf("%s %s: %s", condition.Status, condition.Reason, condition.Message); text != test.want {
				t.Errorf("got  %s\nwant %s", text, test.want)
			}
		})
	}
}

func TestClusterVersionTimes(t *testing.T) {
	in := standalone.ClusterVersionInput{ClusterVersion: updating(), ClusterOperators: fleet(4, 1)}
	got := clusterVersionInsight(t, in, start.Add(time.Minute))
	if !got.StartedAt.Equal(ptrTime(start)) || got.CompletedAt != nil || got.EstimatedCompletedAt == nil {
		t.Errorf("an update has start %v, end %v, estimate %v", got.StartedAt, got.CompletedAt, got.EstimatedCompletedAt)
	}
	if !got.Conditions[0].LastTransitionTime.Equal(ptrTime(start)) {
		t.Errorf("updating since %v, want the start of the update", got.Conditions[0].LastTransitionTime)
	}

	end := start.Add(time.Hour)
	in.ClusterVersion = builders.ClusterVersion(builders.Completed(before, installed, installed.Add(time.Hour)),
		builders.Completed(target, start, end), progressing(configv1.ConditionFalse))
	got = clusterVersionInsight(t, in, end.Add(time.Minute))
	if !got.CompletedAt.Equal(ptrTime(end)) || got.EstimatedCompletedAt != nil || got.Assessment != updatev1alpha1.AssessmentCompleted {
		t.Errorf("a complete update has end %v, estimate %v, assessment %s", got.CompletedAt, got.EstimatedCompletedAt, got.Assessment)
	}
}

func TestClusterVersionVersions(t *testing.T) {
	multi := func(version string) updatev1alpha1.ControlPlaneVersions {
		return updatev1alpha1.ControlPlaneVersions{
			Previous: &updatev1alpha1.Version{Version: version},
			Target: &updatev1alpha1.Version{Version: version, Metadata: []updatev1alpha1.VersionMetadata{
				{Key: updatev1alpha1.VersionArchitecture, String: "Multi"},
			}},
		}
	}
	for _, test := range []struct {
		name    string
		version *configv1.ClusterVersion
		want    updatev1alpha1.ControlPlaneVersions
	}{
		{
			name:    "update",
			version: updating(),
			want: updatev1alpha1.ControlPlaneVersions{
				Previous: &updatev1alpha1.Version{Version: before}, Target: &updatev1alpha1.Version{Version: target},
			},
		},
		{
			name:    "installation",
			version: builders.ClusterVersion(builders.Partial(target, start)),
			want: updatev1alpha1.ControlPlaneVersions{
				Target: &updatev1alpha1.Version{Version: target, Metadata: []updatev1alpha1.VersionMetadata{
					{Key: updatev1alpha1.VersionInstallation},
				}},
			},
		},
		{
			name:    "after an incomplete one",
			version: builders.ClusterVersion(builders.Partial(before, installed), builders.Partial(target, start)),
			want: updatev1alpha1.ControlPlaneVersions{
				Previous: &updatev1alpha1.Version{Version: before, Metadata: []updatev1alpha1.VersionMetadata{
					{Key: updatev1alpha1.VersionPartial},
				}},
				Target: &updatev1alpha1.Version{Version: target},
			},
		},
		{
			name: "migration",
			version: builders.ClusterVersion(builders.Completed(before, installed, start), builders.Partial(before, start),
				builders.ReleaseImage("quay.io/multi")),
			want: multi(before),
		},
		{
			name:    "by image, not loaded yet",
			version: builders.ClusterVersion(builders.Completed(before, installed, start), builders.Partial("", start)),
			want:    updatev1alpha1.ControlPlaneVersions{Previous: &updatev1alpha1.Version{Version: before}},
		},
		{
			name:    "not semantic",
			version: builders.ClusterVersion(builders.Completed("four", installed, start), builders.Partial("4.20", start)),
			want:    updatev1alpha1.ControlPlaneVersions{},
		},
		{name: "no history", version: builders.ClusterVersion(), want: updatev1alpha1.ControlPlaneVersions{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := clusterVersionInsight(t, standalone.ClusterVersionInput{ClusterVersion: test.version}, start).Versions
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("versions (-want +got):\n%s", diff)
			}
		})
	}
}

func TestClusterVersionCompletion(t *testing.T) {
	for _, test := range []struct {
		total, updated int
		want           int32
	}{
		{total: 0, updated: 0, want: 0},
		{total: 33, updated: 0, want: 0},
		{total: 33, updated: 1, want: 3},
		{total: 33, updated: 4, want: 12},
		{total: 33, updated: 32, want: 97},
		{total: 33, updated: 33, want: 99},    // manifests are left
		{total: 200, updated: 1, want: 0},     // 0.5 % to even
		{total: 200, updated: 3, want: 2},     // 1.5 % to even
		{total: 1000, updated: 999, want: 99}, // 99.9 % is not complete
	} {
		in := standalone.ClusterVersionInput{ClusterVersion: updating(), ClusterOperators: fleet(test.total, test.updated)}
		in.ClusterOperators = append(in.ClusterOperators, builders.ClusterOperator("theirs", builders.ThirdParty(), builders.OperatorVersion(target)))
		if got := clusterVersionInsight(t, in, start).Completion; got != test.want {
			t.Errorf("%d of %d: %d %%, want %d %%", test.updated, test.total, got, test.want)
		}
	}
}

// TestAllOperatorsUpdated has a control plane whose operators are updated: it is complete when the ClusterVersion says so.
func TestAllOperatorsUpdated(t *testing.T) {
	const failing = "Unable to apply 4.20.2: Could not update\ndeployment \"ns/name\" (880 of 903)"
	progress := func(message string) builders.ClusterVersionOption {
		return builders.VersionCondition(builders.Condition(configv1.OperatorProgressing, configv1.ConditionTrue, start, "", message))
	}
	completed := func(version *configv1.ClusterVersion) {
		builders.VersionCondition(builders.Condition(configv1.OperatorProgressing, configv1.ConditionFalse, start, "", ""))(version)
		version.Status.History[0].State, version.Status.History[0].CompletionTime = configv1.CompletedUpdate, &metav1.Time{Time: start.Add(30 * time.Minute)}
	}
	const message = "The ClusterVersion is progressing to 4.20.2"
	for _, test := range []struct {
		name    string
		version *configv1.ClusterVersion
		updated int
		// after the last progress of an operator
		after      time.Duration
		assessment updatev1alpha1.Assessment
		completion int32
		message    string
	}{
		{"one is left", updating(progress(failing)), 3, 0, updatev1alpha1.AssessmentProgressing, 75, message},
		{"a moment ago", updating(progress("")), 4, 0, updatev1alpha1.AssessmentProgressing, 99, message},
		{"some minutes ago", updating(progress(failing)), 4, 5 * time.Minute, updatev1alpha1.AssessmentProgressing, 99, ""},
		{"many minutes ago", updating(progress(failing)), 4, 5*time.Minute + time.Second, updatev1alpha1.AssessmentProgressingSlow, 99, ""},
		{"long ago", updating(progress(failing)), 4, 18 * time.Minute, updatev1alpha1.AssessmentStalled, 99, ""},
		{"complete", updating(progress(failing), completed), 4, time.Hour, updatev1alpha1.AssessmentCompleted, 100, "The ClusterVersion has completed 4.20.2"},
	} {
		operators := fleet(4, test.updated)
		for _, operator := range operators {
			builders.Healthy(start.Add(30 * time.Minute))(operator)
		}
		got := clusterVersionInsight(t, standalone.ClusterVersionInput{ClusterVersion: test.version, ClusterOperators: operators}, start.Add(30*time.Minute+test.after))
		want := test.message
		if want == "" {
			want = "All cluster operators are updated: Unable to apply 4.20.2: Could not update deployment \"ns/name\" (880 of 903)"
		}
		if got.Assessment != test.assessment || got.Completion != test.completion || got.Conditions[0].Message != want {
			t.Errorf("%s: %s, %d %%, %q", test.name, got.Assessment, got.Completion, got.Conditions[0].Message)
		}
	}
}

func TestNoClusterVersion(t *testing.T) {
	if report := standalone.ClusterVersion(standalone.ClusterVersionInput{ClusterOperators: fleet(2, 1)}, start).Report; len(report.Insights) != 0 {
		t.Errorf("insights without a ClusterVersion: %v", report.Insights)
	}
}

// TestOperatorNewerThanClusterVersion expects no update of an operator before the ClusterVersion reports one: objects are
// watched independently.
func TestOperatorNewerThanClusterVersion(t *testing.T) {
	for name, tc := range map[string]struct {
		version *configv1.ClusterVersion
		want    metav1.ConditionStatus
	}{
		"before the update": {
			version: builders.ClusterVersion(builders.Completed(before, installed, changed)),
			want:    metav1.ConditionUnknown,
		},
		"in the update": {version: updating(), want: metav1.ConditionTrue},
		"no history yet": {
			version: builders.ClusterVersion(),
			want:    metav1.ConditionTrue,
		},
		"wants another one already": {
			version: wants("4.20.9", builders.ClusterVersion(builders.Completed(before, installed, changed))),
			want:    metav1.ConditionTrue,
		},
	} {
		t.Run(name, func(t *testing.T) {
			operator := builders.ClusterOperator("etcd", builders.OperatorVersion("4.20.8"), builders.Healthy(installed), builders.Progressing(changed, "Rolling", "out"))
			got := operatorInsight(tc.version, operator)
			if got.Conditions[0].Status != tc.want {
				t.Errorf("Updating is %v", got.Conditions[0])
			}
			if tc.want != metav1.ConditionTrue && got.Reason != "" {
				t.Errorf("the reason for progressing is given: %s", got.Reason)
			}
		})
	}
}

func TestOperatorWithoutClusterVersion(t *testing.T) {
	operator := builders.ClusterOperator("etcd", builders.Healthy(installed))
	for _, version := range []*configv1.ClusterVersion{nil, builders.ClusterVersion()} {
		got := operatorInsight(version, operator)
		if got.Conditions[0].Reason != updatev1alpha1.ReasonPending {
			t.Errorf("%s without a version to compare with", got.Conditions[0].Reason)
		}
	}
}
