package integration_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/pace"
)

// updateReading is what the object and its summary say of an update. Durations are replaced by an ellipsis.
type updateReading struct {
	// Versions, Reason, Message, Progress and WaitingFor are those of the summary.
	Versions, Reason, Message, Progress, WaitingFor string
	// HasEstimate is whether anything, but the control plane alone, has an estimate: in the summary or in the insight of the pool.
	HasEstimate bool
	// Nodes has the version and the phase of each node, by the first part of its name.
	Nodes map[string]string
	// NodeMessage is what the node of the blocked drain says of its update.
	NodeMessage string
	// Health are the summaries of the health insights.
	Health []string
}

var durations = regexp.MustCompile(`\d+[hms](\d+[ms])*|less than a minute`)

func withoutDurations(text string) string {
	return durations.ReplaceAllString(text, "…")
}

// read returns what is to be read of the update now, and the number of updates that the summary speaks of.
func (s *blockedDrain) read() updateReading {
	s.t.Helper()
	summary, err := s.api.UpdateStatusSummaries().
		Get(s.ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
	if err != nil {
		s.t.Fatal(err)
	}
	us := s.get()
	all := insight.ReadAll(insight.StatusWithListedNodes(&us.Status))
	made := summary.Status
	reading := updateReading{
		Versions:   fmt.Sprintf("%s to %s, completed %s", made.Versions.Previous, made.Versions.Target, made.CompletedVersion),
		WaitingFor: withoutDurations(made.WaitingFor), HasEstimate: made.Estimate != nil, Nodes: map[string]string{},
	}
	if updating := meta.FindStatusCondition(made.Conditions, updatev1alpha1.ConditionUpdating); updating != nil {
		reading.Reason, reading.Message = updating.Reason, updating.Message
	}
	if nodes := made.Nodes; nodes != nil {
		reading.Progress = fmt.Sprintf("%d/%d completed, %d updating, %d pending", nodes.Completed, nodes.Total, nodes.Updating, nodes.Pending)
	}
	for _, pool := range made.WorkerPools {
		reading.HasEstimate = reading.HasEstimate || pool.Estimate != nil
	}
	for _, pool := range all.Pools {
		reading.HasEstimate = reading.HasEstimate || pool.Name != "master" && pool.EstimatedCompletedAt != nil
	}
	for _, node := range all.Nodes {
		name, _, _ := strings.Cut(node.Name, ".")
		reading.Nodes[name] = node.Version + " " + string(insight.StateOf(node).Phase)
		if node.Name == s.node {
			reading.NodeMessage = meta.FindStatusCondition(node.Conditions, updatev1alpha1.ConditionUpdating).Message
		}
	}
	for _, one := range all.Health {
		reading.Health = append(reading.Health, one.Health.Impact.Summary)
	}
	return reading
}

// expect waits until the update reads as wanted, and checks that the client's text has these lines, and what the node's update says.
func (s *secondUpdate) expect(step string, want updateReading, lines ...string) {
	s.t.Helper()
	var got updateReading
	err := pace.Poll(s.ctx, pollInterval, harness.Stall, func(context.Context) (bool, error) {
		got = s.read()
		return cmp.Equal(want, got), nil
	})
	if err != nil {
		s.t.Fatalf("%s: %v (-want +got):\n%s", step, err, cmp.Diff(want, got))
	}
	out, errOut, status := s.client.run(s.ctx, "--now", s.now())
	text := withoutDurations(out)
	for _, line := range append(lines, want.NodeMessage) {
		if !strings.Contains(text, line) || status != 0 {
			s.t.Errorf("%s: exit status %d, %sthe text lacks %q:\n%s", step, status, errOut, line, out)
		}
	}
	if strings.Contains(text, "\nESTIMATE FOR") && !want.HasEstimate && !strings.Contains(text, "unknown") {
		s.t.Errorf("%s: the text has an estimate:\n%s", step, out)
	}
}

// checkOrder checks that some steps are in a list, in this order.
func checkOrder(t *testing.T, steps []string, want ...string) {
	t.Helper()
	rest := steps
	for _, step := range want {
		at := slices.Index(rest, step)
		if at < 0 {
			t.Fatalf("%q does not follow in %q", step, steps)
		}
		rest = rest[at+1:]
	}
}
