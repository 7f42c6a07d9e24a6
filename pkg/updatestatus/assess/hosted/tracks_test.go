package hosted_test

import (
	"cmp"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/hosted"
)

// trackText returns a track as "VERSION STATE, from the minute to the minute".
func trackText(track *updatev1alpha1.ControlPlaneTrack) string {
	if track == nil {
		return "-"
	}
	text := strings.TrimSpace(track.Version + " " + string(track.State))
	minutes := func(at *metav1.Time) string {
		if at == nil {
			return "?"
		}
		return at.Sub(start).String()
	}
	if track.StartedAt == nil && track.CompletedAt == nil {
		return text
	}
	return text + ", " + minutes(track.StartedAt) + " to " + minutes(track.CompletedAt)
}

// checkTracks checks that the tracks and the whole agree. While it is updating, one of them is not complete, as far as both are known;
// when it is complete, neither is known to be updating, but for components whose history begins later.
func checkTracks(t *testing.T, one *updatev1alpha1.HostedClusterInsight, updating metav1.ConditionStatus) {
	t.Helper()
	is := func(track *updatev1alpha1.ControlPlaneTrack, state updatev1alpha1.TrackState) bool {
		return track != nil && track.State == state
	}
	switch {
	case updating == metav1.ConditionTrue && is(one.Management, updatev1alpha1.TrackCompleted) && is(one.DataPlane, updatev1alpha1.TrackCompleted):
		t.Errorf("updating, though both tracks are complete")
	case updating == metav1.ConditionFalse && is(one.DataPlane, updatev1alpha1.TrackUpdating):
		t.Errorf("complete, though the payload is updating")
	case updating == metav1.ConditionFalse && is(one.Management, updatev1alpha1.TrackUpdating) && one.Management.StartedAt != nil:
		t.Errorf("complete, though the components are updating")
	}
}

// TestTracks: the components and the payload are each Pending, Updating or Completed.
func TestTracks(t *testing.T) {
	const (
		before     = -1000
		installedA = "4.22.3 Completed, -16h40m0s to -16h10m0s"
		imageC     = "quay.io/example/release@sha256:55"
	)
	installed := entry(versionA, before, before+30)
	for _, tc := range []struct {
		name                string
		components, payload *hypershiftv1beta1.VersionStatus
		release, own        string
		// blocked is the message of Progressing, which is False then.
		blocked string
		// behind is whether a component has another version than it is updated to.
		behind                bool
		management, dataPlane string
	}{
		{name: "no history", management: "-", dataPlane: "-"},
		{
			name: "histories that are still empty", components: &hypershiftv1beta1.VersionStatus{}, payload: &hypershiftv1beta1.VersionStatus{},
			management: "-", dataPlane: "-",
		},
		{
			name: "the installation begins", components: track(entry(versionA, 0, -1)),
			management: "4.22.3 Updating, 0s to ?", dataPlane: "-",
		},
		{name: "installed", components: track(installed), payload: track(installed), management: installedA, dataPlane: installedA},
		{
			name: "asked for, and nothing has begun", components: track(installed), payload: track(installed), release: imageB,
			management: "Pending", dataPlane: "Pending",
		},
		{
			name: "asked to go back", components: track(entry(versionB, 1, 6), installed), payload: track(entry(versionB, 4, 20), installed),
			management: "4.22.3 Pending", dataPlane: "4.22.3 Pending",
		},
		{
			name: "refused", components: track(installed), payload: track(installed), release: imageB,
			blocked:    notUpgradeable,
			management: installedA, dataPlane: installedA,
		},
		{
			name: "paused", components: track(installed), payload: track(installed), release: imageB,
			blocked: "ReconciliationActive condition is false: Reconciliation paused until field removed", management: "Pending", dataPlane: "Pending",
		},
		{
			name: "the components have begun", components: track(entry(versionB, 1, -1), installed), payload: track(installed), release: imageB,
			management: "4.22.4 Updating, 1m0s to ?", dataPlane: "4.22.4 Pending",
		},
		{
			name: "the components are ahead", components: track(entry(versionB, 1, 6), installed), payload: track(entry(versionB, 4, -1), installed), release: imageB,
			management: "4.22.4 Completed, 1m0s to 6m0s", dataPlane: "4.22.4 Updating, 4m0s to ?",
		},
		{
			name: "the payload is ahead", components: track(entry(versionB, 1, -1), installed), payload: track(entry(versionB, 4, 9), installed), release: imageB,
			management: "4.22.4 Updating, 1m0s to ?", dataPlane: "4.22.4 Completed, 4m0s to 9m0s",
		},
		{
			name: "both are complete", components: track(entry(versionB, 1, 6), installed), payload: track(entry(versionB, 4, 20), installed), release: imageB,
			management: "4.22.4 Completed, 1m0s to 6m0s", dataPlane: "4.22.4 Completed, 4m0s to 20m0s",
		},
		{
			name: "without nodes, the next one is asked for", components: track(entry(versionB, 1, 6), installed), payload: track(entry(versionB, 4, -1), installed),
			release: imageC, management: "Pending", dataPlane: "4.22.4 Updating, 4m0s to ?",
		},
		{
			name: "superseded", components: track(entry(versionB, 7, -1), superseded("4.22.5", 1, 7), installed),
			payload: track(superseded("4.22.5", 3, 8), installed), release: imageB,
			management: "4.22.4 Updating, 7m0s to ?", dataPlane: "4.22.5 Updating, 3m0s to ?",
		},
		{
			name: "the components alone", components: track(entry(versionB, 1, 6), installed), payload: track(installed), own: imageB,
			management: "4.22.4 Completed, 1m0s to 6m0s", dataPlane: installedA,
		},
		{
			name: "the components alone, asked for", components: track(installed), payload: track(installed), own: imageB,
			management: "Pending", dataPlane: installedA,
		},
		{
			name: "the payload alone", components: track(entry(versionB, 1, 6), installed), payload: track(entry("4.22.5", 9, -1), installed),
			release: imageC, own: imageB, management: "4.22.4 Completed, 1m0s to 6m0s", dataPlane: "4.22.5 Updating, 9m0s to ?",
		},
		{
			name: "without a history of the components", payload: track(entry(versionB, 4, 9), installed), release: imageB,
			management: "-", dataPlane: "4.22.4 Completed, 4m0s to 9m0s",
		},
		{
			name: "the update that brings a history of the components", components: track(entry(versionB, 1, 6)), payload: track(entry(versionB, 4, -1), installed),
			release: imageB, management: "4.22.4 Completed, 1m0s to 6m0s", dataPlane: "4.22.4 Updating, 4m0s to ?",
		},
		{
			name: "the components stay where their history begins", components: track(entry(versionA, before+40, before+41)),
			payload: track(entry(versionB, 4, -1), installed), release: imageB, own: imageA,
			management: "4.22.3 Completed", dataPlane: "4.22.4 Updating, 4m0s to ?",
		},
		{
			name: "where their history begins, and is not complete", components: track(entry(versionA, 60, -1)), payload: track(installed),
			management: "4.22.3 Updating", dataPlane: installedA,
		},
		{
			name: "where their history begins, and one is behind", components: track(entry(versionA, 60, 61)), payload: track(installed), behind: true,
			management: "4.22.3 Updating", dataPlane: installedA,
		},
		{
			name: "where their history begins, one is behind, and another release is requested", components: track(entry(versionA, 60, 61)),
			payload: track(installed), release: imageB, behind: true, management: "Pending", dataPlane: "Pending",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newHostedWorld("surge", "Replace")
			w.hc.Status.ControlPlaneVersion, w.hc.Status.Version = tc.components, tc.payload
			w.hc.Spec.Release.Image = cmp.Or(tc.release, imageA)
			if tc.own != "" {
				w.hc.Spec.ControlPlaneRelease = &hypershiftv1beta1.Release{Image: tc.own}
			}
			if tc.blocked != "" {
				w.condition(&w.hc.Status.Conditions, "Progressing", "False", "Blocked", tc.blocked)
			}
			in := hosted.ClusterInput{HostedCluster: w.hc}
			if tc.behind {
				in.Components = w.Components
				w.rolledOut("etcd", "4.22.2")
			}
			one := hosted.Cluster(in, start.Add(2*time.Hour)).Report.Insights[0].Insight.HostedCluster
			want, got := tc.management+"; "+tc.dataPlane, trackText(one.Management)+"; "+trackText(one.DataPlane)
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestTracksWithoutNodes: the components complete, and it is known that they run the version, while the payload never completes.
func TestTracksWithoutNodes(t *testing.T) {
	w := newHostedWorld("surge", "Replace")
	w.hc.Spec.Release.Image = imageB
	w.begins(w.hc.Status.ControlPlaneVersion, versionB)
	w.begins(w.hc.Status.Version, versionB)
	w.now = start.Add(10 * time.Minute)
	w.completes(w.hc.Status.ControlPlaneVersion)
	one := hosted.Cluster(hosted.ClusterInput{HostedCluster: w.hc, NoNodes: true}, start.Add(time.Hour)).Report.Insights[0].Insight.HostedCluster
	const want = "4.22.4 Completed, 0s to 10m0s; 4.22.4 Updating, 0s to ?"
	if got := trackText(one.Management) + "; " + trackText(one.DataPlane); got != want || one.CompletedAt != nil {
		t.Errorf("%s, want %s; complete at %v", got, want, one.CompletedAt)
	}
}
