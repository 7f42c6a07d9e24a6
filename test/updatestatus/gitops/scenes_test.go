package gitops

import (
	"encoding/json"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/summary"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/played"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// start is when the updates are requested. Three minutes later they are accepted.
var start = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

// scene is a moment of an update.
type scene struct {
	// name is that of its row in the table.
	name   string
	script simulator.Update
	// after is the time since the update was requested.
	after time.Duration
}

func scenes() []scene {
	refused := simulator.Update{Refused: simulator.Refusal{Reason: "RetrievePayload", Message: builders.CVOSyncWorker.Says(
		"Retrieving payload failed version=%q image=%q failure=The update cannot be verified: unable to verify sha256:1 against keyrings: verifier-public-key-redhat",
		simulator.DefaultTo, builders.Image(simulator.DefaultTo),
	)}}
	blocked := simulator.Update{Blocked: map[string]bool{simulator.NodeName("worker", 0): true}}
	return []scene{
		{"none was requested", simulator.Update{}, -time.Minute},
		{"requested", simulator.Update{}, time.Minute},
		{"not accepted at first", refused, 10 * time.Minute},
		{"not accepted for 20 minutes", refused, 30 * time.Minute},
		{"of the control plane", simulator.Update{}, 20 * time.Minute},
		{"of worker nodes", simulator.Update{}, 57 * time.Minute},
		{"an operator is degraded for an hour", simulator.Update{FailingOperators: map[string]string{"image-registry": "the pruner failed"}}, 2 * time.Hour},
		{"a drain is blocked", blocked, 70 * time.Minute},
		{"a drain is blocked for an hour", blocked, 2 * time.Hour},
		{"only paused pools are left", simulator.Update{Pools: []simulator.Pool{
			{Name: "master", Nodes: 3}, {Name: "worker", Nodes: 3, Paused: true},
		}}, 2 * time.Hour},
		{"complete", simulator.Update{}, 2 * time.Hour},
	}
}

// unknown is the name of the summary of a cluster of which nothing is known.
const unknown = "unknown"

// stored returns the summary of each scene as an API server has it.
func stored(t *testing.T) map[string]*unstructured.Unstructured {
	t.Helper()
	objects := map[string]*unstructured.Unstructured{
		unknown: object(t, summary.Of(summary.Input{Update: update.Read(&updatev1alpha1.UpdateStatusStatus{}), Generation: 1, Now: start})),
	}
	for _, one := range scenes() {
		objects[one.name] = object(t, one.play())
	}
	return objects
}

// play plays the update to its moment.
func (s scene) play() *updatev1alpha1.UpdateStatusSummaryStatus {
	s.script.Seed, s.script.Start, s.script.Acceptance, s.script.AtLeast = 1, start, 3*time.Minute, 3*time.Hour
	playing := played.New(s.script)
	var made *updatev1alpha1.UpdateStatusSummaryStatus
	for after := -time.Minute; after <= s.after; after += time.Minute {
		now := start.Add(after)
		playing.To(now)
		made = summary.Of(summary.Input{Update: update.Read(playing.Status(now)), Previous: made, Generation: 1, Now: now})
	}
	return made
}

// object returns a summary as it is read from an API server.
func object(t *testing.T, of *updatev1alpha1.UpdateStatusSummaryStatus) *unstructured.Unstructured {
	t.Helper()
	encoded, err := json.Marshal(&updatev1alpha1.UpdateStatusSummary{
		TypeMeta:   metav1.TypeMeta{APIVersion: updatev1alpha1.SchemeGroupVersion.String(), Kind: "UpdateStatusSummary"},
		ObjectMeta: metav1.ObjectMeta{Name: updatev1alpha1.SingletonName, Generation: 1},
		Status:     *of,
	})
	if err != nil {
		t.Fatal(err)
	}
	read := &unstructured.Unstructured{}
	if err := read.UnmarshalJSON(encoded); err != nil {
		t.Fatal(err)
	}
	return read
}
