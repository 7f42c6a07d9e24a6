package hosted_test

import (
	"cmp"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/hosted"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// entry is an update of a history: from a minute after the start to another, -1 if it is not complete.
func entry(version string, from, to int) configv1.UpdateHistory {
	one := configv1.UpdateHistory{
		State: configv1.PartialUpdate, Version: version, Image: images[version], StartedTime: metav1.NewTime(start.Add(time.Duration(from) * time.Minute)),
	}
	if to != -1 {
		one.State, one.CompletionTime = configv1.CompletedUpdate, ptrTime(start.Add(time.Duration(to)*time.Minute))
	}
	return one
}

// superseded is an update that another one replaced: it is Partial, and has a completion time.
func superseded(version string, from, to int) configv1.UpdateHistory {
	one := entry(version, from, to)
	one.State = configv1.PartialUpdate
	return one
}

// architecture gives an update the image of another architecture.
func architecture(one configv1.UpdateHistory) configv1.UpdateHistory {
	one.Image = "quay.io/example/release@sha256:multi"
	return one
}

// tagA is the tag of version A.
const tagA = "quay.io/example/release:4.22.3"

// tagged gives an update its image by the tag of version A.
func tagged(one configv1.UpdateHistory) configv1.UpdateHistory {
	one.Image = tagA
	return one
}

func track(history ...configv1.UpdateHistory) *hypershiftv1beta1.VersionStatus {
	return &hypershiftv1beta1.VersionStatus{
		Desired: hypershiftv1beta1.DesiredRelease{Version: history[0].Version, Image: history[0].Image}, History: history,
	}
}

// TestTwoHistories: the components and the payload each have a history. What they make together is "STATUS PREVIOUS→TARGET, from the
// minute to the minute", with the versions of the components if they are others.
func TestTwoHistories(t *testing.T) {
	const before = -1000
	installed := entry(versionA, before, before+30)
	minutes := func(at *metav1.Time) string {
		if at == nil {
			return "?"
		}
		return at.Sub(start).String()
	}
	for _, tc := range []struct {
		name                string
		components, payload *hypershiftv1beta1.VersionStatus
		release, own        string
		progressing         int
		want                string
	}{
		{name: "no history", want: "Unknown →, ? to ?"},
		{name: "no history of the payload", components: track(entry(versionA, 0, -1)), want: "Unknown →, ? to ?"},
		{
			name: "a history of the payload that is still empty", components: track(entry(versionA, 0, -1)), payload: &hypershiftv1beta1.VersionStatus{},
			want: "Unknown →, ? to ?",
		},
		{name: "installed", components: track(installed), payload: track(installed), want: "False →4.22.3, -16h40m0s to -16h10m0s"},
		{
			name: "being installed", components: track(entry(versionA, 0, -1)), payload: track(entry(versionA, 3, -1)),
			want: "True →4.22.3, 0s to ?",
		},
		{
			name: "asked for, and nothing has begun", components: track(installed), payload: track(installed), release: imageB, progressing: 1,
			want: "True 4.22.3→, ? to ?",
		},
		{
			name: "the components have begun", components: track(entry(versionB, 1, -1), installed), payload: track(installed), release: imageB, progressing: 1,
			want: "True 4.22.3→4.22.4, 1m0s to ?",
		},
		{
			name: "the components are complete before the payload begins", components: track(entry(versionB, 1, 5), installed), payload: track(installed),
			release: imageB, progressing: 1, want: "True 4.22.3→4.22.4, 1m0s to ?",
		},
		{
			name: "both go on", components: track(entry(versionB, 1, -1), installed), payload: track(entry(versionB, 4, -1), installed), release: imageB,
			want: "True 4.22.3→4.22.4, 1m0s to ?",
		},
		{
			name: "the payload is complete first", components: track(entry(versionB, 1, -1), installed), payload: track(entry(versionB, 4, 9), installed), release: imageB,
			want: "True 4.22.3→4.22.4, 1m0s to ?",
		},
		{
			name: "the components are complete first", components: track(entry(versionB, 1, 6), installed), payload: track(entry(versionB, 4, -1), installed), release: imageB,
			want: "True 4.22.3→4.22.4, 1m0s to ?",
		},
		{
			name: "complete", components: track(entry(versionB, 1, 6), installed), payload: track(entry(versionB, 4, 20), installed), release: imageB,
			want: "False 4.22.3→4.22.4, 1m0s to 20m0s",
		},
		{
			name: "complete, the components last", components: track(entry(versionB, 1, 26), installed), payload: track(entry(versionB, 4, 20), installed), release: imageB,
			want: "False 4.22.3→4.22.4, 1m0s to 26m0s",
		},
		{
			name: "superseded", components: track(entry(versionB, 7, -1), superseded("4.22.5", 1, 7), installed), payload: track(superseded("4.22.5", 3, -1), installed),
			release: imageB, progressing: 6, want: "True 4.22.5 (partial)→4.22.4, 7m0s to ?",
		},
		{
			name: "without a history of the components", payload: track(entry(versionB, 4, -1), installed), release: imageB,
			want: "True 4.22.3→4.22.4, 4m0s to ?",
		},
		{
			name: "the components are installed last", components: track(entry(versionA, 0, -1)), payload: track(entry(versionA, 3, 9)),
			want: "True →4.22.3, 0s to ?",
		},
		{
			name: "installed, the components last", components: track(entry(versionA, 0, 12)), payload: track(entry(versionA, 3, 9)),
			want: "False →4.22.3, 0s to 12m0s",
		},
		{
			name: "the update that brings a history of the components", components: track(entry(versionB, 1, -1)), payload: track(installed), release: imageB,
			want: "True 4.22.3→4.22.4, 1m0s to ?",
		},
		{
			name: "which the payload follows", components: track(entry(versionB, 1, -1)), payload: track(entry(versionB, 4, -1), installed), release: imageB,
			want: "True 4.22.3→4.22.4, 1m0s to ?",
		},
		{
			name: "and completes first", components: track(entry(versionB, 1, -1)), payload: track(entry(versionB, 4, 9), installed), release: imageB,
			want: "True 4.22.3→4.22.4, 1m0s to ?",
		},
		{
			name: "and both are complete", components: track(entry(versionB, 1, 12)), payload: track(entry(versionB, 4, 9), installed), release: imageB,
			want: "False 4.22.3→4.22.4, 1m0s to 12m0s",
		},
		{
			name: "the update of the components alone that brings their history", components: track(entry(versionB, 1, 6)), payload: track(installed), own: imageB,
			want: "False 4.22.3→4.22.4, 1m0s to 6m0s",
		},
		{
			name: "a history that is still empty", components: &hypershiftv1beta1.VersionStatus{}, payload: track(installed),
			want: "False →4.22.3, -16h40m0s to -16h10m0s",
		},
		{
			name: "the payload is updated, and the components stay where their history begins", components: track(entry(versionA, before+40, before+41)),
			payload: track(entry(versionB, 4, -1), installed), release: imageB, own: imageA,
			want: "True 4.22.3→4.22.4, 4m0s to ?",
		},
		{
			name: "by a tag that the components have", components: track(tagged(entry(versionA, before, before+9))), payload: track(installed),
			release: tagA, progressing: 1, want: "False →4.22.3, -16h40m0s to -16h10m0s",
		},
		{
			name: "by a tag that the components have, and the payload follows", components: track(tagged(entry(versionA, 1, 6)), entry("4.22.2", before, before+30)),
			payload: track(entry("4.22.2", before, before+30)), release: tagA, progressing: 1,
			want: "True 4.22.2→4.22.3, 1m0s to ?",
		},
		{
			name: "by a tag, which nothing has", components: track(installed), payload: track(installed), release: tagA, progressing: 1,
			want: "False →4.22.3, -16h40m0s to -16h10m0s",
		},
		{
			name: "by another tag", components: track(tagged(entry(versionA, before, before+9))), payload: track(installed),
			release: "quay.io/example/release:4.22.4", progressing: 1, want: "True 4.22.3→, ? to ?",
		},
		{
			name: "the first entry of the components is no update", components: track(entry(versionB, 1, -1)), payload: track(entry(versionB, before, before+9), installed), release: imageB,
			want: "False 4.22.3→4.22.4, -16h40m0s to -16h31m0s",
		},
		{
			name: "the components alone", components: track(entry(versionB, 1, -1), installed), payload: track(installed), own: imageB,
			want: "True 4.22.3→4.22.4, 1m0s to ?",
		},
		{
			name: "the components alone are complete", components: track(entry(versionB, 1, 6), installed), payload: track(installed), own: imageB,
			want: "False 4.22.3→4.22.4, 1m0s to 6m0s",
		},
		{
			name: "then the payload is asked for", components: track(entry(versionB, 1, 6), installed), payload: track(installed), release: imageB, progressing: 60,
			want: "True 4.22.3→4.22.4, ? to ?",
		},
		{
			name: "and begins", components: track(entry(versionB, 1, 6), installed), payload: track(entry(versionB, 61, -1), installed), release: imageB,
			want: "True 4.22.3→4.22.4, 1h1m0s to ?",
		},
		{
			name: "and is complete", components: track(entry(versionB, 1, 6), installed), payload: track(entry(versionB, 61, 80), installed), release: imageB,
			want: "False 4.22.3→4.22.4, 1h1m0s to 1h20m0s",
		},
		{
			name: "two updates at once: the first one until it is complete", components: track(entry(versionB, 5, -1), installed),
			payload: track(entry("4.22.5", 2, -1), installed), release: "quay.io/example/release@sha256:55", own: imageB,
			want: "True 4.22.3→4.22.5, 2m0s to ?",
		},
		{
			name: "then the other one", components: track(entry(versionB, 5, -1), installed),
			payload: track(entry("4.22.5", 2, 9), installed), release: "quay.io/example/release@sha256:55", own: imageB,
			want: "True 4.22.3→4.22.4, 5m0s to ?",
		},
		{
			name: "the payload first, and the components later", components: track(entry(versionB, 60, -1), installed), payload: track(entry(versionB, 1, 9), installed),
			release: imageB, want: "True 4.22.3→4.22.4, 1h0m0s to ?",
		},
		{
			name: "another architecture", components: track(architecture(entry(versionA, 1, -1)), installed), payload: track(installed),
			release: "quay.io/example/release@sha256:multi", progressing: 1, want: "True 4.22.3→4.22.3, 1m0s to ?",
		},
		{
			name: "another architecture, which the components have", components: track(architecture(entry(versionA, 1, 6)), installed), payload: track(installed),
			release: "quay.io/example/release@sha256:multi", progressing: 1, want: "True 4.22.3→4.22.3, 1m0s to ?",
		},
		{
			name: "the components alone, by tags", components: track(entry(versionB, 1, 6), installed), payload: track(installed),
			release: "quay.io/example/release:4.22.3", own: "quay.io/example/release:4.22.4", want: "False 4.22.3→4.22.4, 1m0s to 6m0s",
		},
		{
			name: "asked to go back", components: track(entry(versionB, 1, 6), installed), payload: track(installed), progressing: 10,
			want: "True 4.22.4→, ? to ?",
		},
		{
			name: "refused for the components", components: track(installed), payload: track(installed), own: imageB,
			want: "False →4.22.3, -16h40m0s to -16h10m0s, and another release is requested",
		},
		{
			name: "refused", components: track(entry(versionA, before, before+9), installed), payload: track(entry(versionA, before, before+20), installed), release: imageB,
			want: "False 4.22.3→4.22.3, -16h40m0s to -16h20m0s, and another release is requested",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newHostedWorld("surge", "Replace")
			w.hc.Status.ControlPlaneVersion, w.hc.Status.Version = tc.components, tc.payload
			w.hc.Spec.Release.Image = cmp.Or(tc.release, imageA)
			if tc.own != "" {
				w.hc.Spec.ControlPlaneRelease = &hypershiftv1beta1.Release{Image: tc.own}
			}
			w.hc.Status.Conditions = nil
			if tc.progressing > 0 {
				w.now = start.Add(time.Duration(tc.progressing) * time.Minute)
				w.condition(&w.hc.Status.Conditions, "Progressing", "True", "Progressing", "")
			}
			result := hosted.Cluster(hosted.ClusterInput{HostedCluster: w.hc}, start.Add(2*time.Hour))
			one := result.Report.Insights[0].Insight.HostedCluster
			updating := meta.FindStatusCondition(one.Conditions, updatev1alpha1.ConditionUpdating)
			previous, target := "", ""
			if version := one.Versions.Previous; version != nil {
				previous = version.Version
				for _, metadata := range version.Metadata {
					if metadata.Key == updatev1alpha1.VersionPartial {
						previous += " (partial)"
					}
				}
			}
			if one.Versions.Target != nil {
				target = one.Versions.Target.Version
			}
			got := string(updating.Status) + " " + previous + "→" + target + ", " + minutes(one.StartedAt) + " to " + minutes(one.CompletedAt)
			if updating.Status == metav1.ConditionFalse && result.Report.Insights[0].Unfinished {
				got += ", and another release is requested"
			}
			if diff := gocmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, updating.Message)
			}
			checkTracks(t, one, updating.Status)
		})
	}
}

// TestHostedMessage: while it is being updated, a hosted cluster says what is not complete.
func TestHostedMessage(t *testing.T) {
	w := newHostedWorld("surge", "Replace")
	message := func(in hosted.ClusterInput) string {
		in.HostedCluster = w.hc
		return hosted.Cluster(in, start).Report.Insights[0].Insight.HostedCluster.Conditions[0].Message
	}
	const (
		progressing = "The HostedCluster is progressing to 4.22.4, which is not complete for "
		components  = "the components in the management cluster"
		payload     = "the payload in the hosted cluster"
	)
	for _, step := range []struct {
		name   string
		change func()
		want   string
	}{
		{"complete", func() {}, "The HostedCluster has completed 4.22.3"},
		{"refused", func() { w.hc.Spec.Release.Image = imageB }, "The HostedCluster has completed 4.22.3, and another release is requested"},
		{"accepted", func() { w.condition(&w.hc.Status.Conditions, "Progressing", "True", "Progressing", "") }, "The HostedCluster is progressing to a release of unknown version"},
		{"both", func() {
			w.begins(w.hc.Status.ControlPlaneVersion, versionB)
			w.begins(w.hc.Status.Version, versionB)
		}, progressing + components + " and " + payload},
		{"the payload", func() { w.completes(w.hc.Status.ControlPlaneVersion) }, progressing + payload},
		{"the payload, which can't be read", func() {
			w.condition(&w.hc.Status.Conditions, "ClusterVersionProgressing", "Unknown", "StatusUnknown", "")
		}, progressing + payload + "; the ClusterVersion of the hosted cluster can't be read, so the reported state of the payload may be outdated"},
		{"the first entry of the components is the update", func() {
			w.condition(&w.hc.Status.Conditions, "ClusterVersionProgressing", "True", "FromClusterVersion", "")
			w.hc.Status.ControlPlaneVersion.History = []configv1.UpdateHistory{entry(versionB, 1, -1)}
		}, progressing + components + " and " + payload},
	} {
		step.change()
		if diff := gocmp.Diff(step.want, message(hosted.ClusterInput{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
	if diff := gocmp.Diff(progressing+components+" and "+payload+"; the payload requires nodes, but there are none", message(hosted.ClusterInput{NoNodes: true})); diff != "" {
		t.Errorf("without nodes (-want +got):\n%s", diff)
	}
	w.completes(w.hc.Status.Version)
	w.hc.Status.ControlPlaneVersion.History = []configv1.UpdateHistory{entry(versionB, 60, -1)}
	if diff := gocmp.Diff("The HostedCluster has completed 4.22.4", message(hosted.ClusterInput{})); diff != "" {
		t.Errorf("the first entry of the components is where their history begins (-want +got):\n%s", diff)
	}
}

// TestTagsAndDigests: an image by its tag can be the one that a history has by its digest.
func TestTagsAndDigests(t *testing.T) {
	const tag, other = "quay.io/example/release:4.22.4", "quay.io/example/release:4.22.5"
	for _, tc := range []struct {
		name, spec, status string
		want               bool
	}{
		{"the same", imageA, imageA, false},
		{"the same digest in another repository", "mirror.example.com/release@sha256:33", imageA, false},
		{"another digest", imageB, imageA, true},
		{"a tag and a digest", tag, imageA, false},
		{"a digest and a tag", imageA, tag, false},
		{"two tags", tag, other, true},
		{"a tag, and nothing yet", tag, "", false},
		{"nothing, and a tag", "", tag, false},
	} {
		w := newHostedWorld("surge", "Replace")
		w.hc.Spec.Release.Image, w.hc.Status.Version.Desired.Image, w.hc.Status.ControlPlaneVersion = tc.spec, tc.status, nil
		result := hosted.Cluster(hosted.ClusterInput{HostedCluster: w.hc}, start)
		if got := result.Report.Insights[0].Unfinished; got != tc.want {
			t.Errorf("%s: another release is asked for: %t", tc.name, got)
		}
	}
}

// TestTagsOfComponents: a tag that the components have is of their version, whatever image the payload has.
func TestTagsOfComponents(t *testing.T) {
	for _, tc := range []struct {
		name, spec, components, payload, version string
		want                                     bool
	}{
		{"the version of the payload", tagA, tagA, imageA, versionA, false},
		{"another tag of it in the payload", tagA, tagA, "mirror.example.com/release:4.22.3", versionA, false},
		{"another version", tagA, tagA, imageA, "4.22.2", true},
		{"another image of the same version", imageB, imageB, imageA, versionA, true},
		{"another tag, and the payload has a digest", tagA, "quay.io/example/release:4.22.2", imageA, versionA, true},
		{"not known", tagA, imageA, imageA, versionA, false},
	} {
		w := newHostedWorld("surge", "Replace")
		w.hc.Spec.Release.Image, w.hc.Status.ControlPlaneVersion.Desired.Image = tc.spec, tc.components
		w.hc.Status.Version.Desired = hypershiftv1beta1.DesiredRelease{Version: tc.version, Image: tc.payload}
		result := hosted.Cluster(hosted.ClusterInput{HostedCluster: w.hc}, start)
		if got := result.Report.Insights[0].Unfinished; got != tc.want {
			t.Errorf("%s: another release is asked for: %t", tc.name, got)
		}
	}
}

// TestHostedTimes: times that can't be true are not known, and join nothing.
func TestHostedTimes(t *testing.T) {
	w := newHostedWorld("surge", "Replace")
	w.begins(w.hc.Status.ControlPlaneVersion, versionB)
	w.begins(w.hc.Status.Version, versionB)
	w.completes(w.hc.Status.ControlPlaneVersion)
	w.hc.Status.ControlPlaneVersion.History[0].StartedTime = metav1.NewTime(time.Unix(-5, 0))
	w.hc.Status.ControlPlaneVersion.History[0].CompletionTime = ptrTime(time.Unix(-1, 0))
	one := hosted.Cluster(hosted.ClusterInput{HostedCluster: w.hc}, start).Report.Insights[0].Insight.HostedCluster
	if one.StartedAt == nil || !one.StartedAt.Equal(ptrTime(start)) {
		t.Errorf("started at %v", one.StartedAt)
	}
}

// TestSyntheticOperators: they have no insight, and count for nothing.
func TestSyntheticOperators(t *testing.T) {
	w := newHostedWorld("surge", "Replace")
	if report := hosted.Operator(builders.ClusterOperator("kube-apiserver"), w.hc, nil, start).Report; len(report.Insights) > 0 {
		t.Errorf("%+v", report)
	}
	if report := hosted.Operator(builders.ClusterOperator("network"), nil, nil, start).Report; len(report.Insights) > 0 {
		t.Errorf("without a HostedCluster: %+v", report)
	}
	report := hosted.Operator(builders.ClusterOperator("network", builders.Healthy(installed)), w.hc, nil, start).Report
	if ref := report.Insights[0].Insight.ClusterOperator.Resource; ref.Cluster != updatev1alpha1.ClusterHosted {
		t.Errorf("%+v", ref)
	}
	w.Components = nil
	in := hosted.ClusterInput{HostedCluster: w.hc, ClusterOperators: []*configv1.ClusterOperator{
		builders.ClusterOperator("kube-apiserver"), builders.ClusterOperator("users", builders.ThirdParty()),
		builders.ClusterOperator("network", builders.OperatorVersion(versionA)), builders.ClusterOperator("console"),
	}}
	if got := hosted.Cluster(in, start).Report.Insights[0].Insight.HostedCluster.Completion; got != 100 {
		t.Errorf("completion %d of what is complete", got)
	}
	w.hc.Status.Version.History[0].State = configv1.PartialUpdate
	if got := hosted.Cluster(in, start).Report.Insights[0].Insight.HostedCluster.Completion; got != 50 {
		t.Errorf("completion %d", got)
	}
	w.completes(w.hc.Status.Version)
	in.ClusterOperators = nil
	if got := hosted.Cluster(in, start).Report.Insights[0].Insight.HostedCluster.Completion; got != 100 {
		t.Errorf("completion %d by the history alone", got)
	}
	if got := hosted.Cluster(hosted.ClusterInput{}, start); len(got.Report.Insights) > 0 {
		t.Errorf("without a HostedCluster: %+v", got)
	}
}
