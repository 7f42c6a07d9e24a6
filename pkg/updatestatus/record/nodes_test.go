package record_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/record"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// observed is what is observed of the worker at a minute of an update, with the starts of its phases.
type observed struct {
	seen

	// phases are the starts of its phases: "Draining 1, Updating 3".
	phases string
	// version is what it runs, by default the version before until it is done.
	version string
	// reported is when its reboot is reported to have started, 0 if it is not.
	reported int
}

func (o observed) status() *updatev1alpha1.UpdateStatusStatus {
	status := o.seen.status()
	node := status.WorkerPools[0].Informers[0].Insights[1].Node
	if o.worker == updatev1alpha1.ReasonUpdating {
		node.Conditions[0].Status = "True"
	}
	for phase := range strings.SplitSeq(o.phases, ", ") {
		var one updatev1alpha1.NodeUpdatePhase
		var minute int
		if _, err := fmt.Sscan(phase, &one, &minute); err == nil {
			node.Phases = append(node.Phases, updatev1alpha1.NodePhase{Phase: one, StartedAt: at(minute)})
		}
	}
	node.Version = cmp.Or(o.version, node.Version)
	if o.reported != 0 {
		node.RebootStartedAt = ref(o.reported)
	}
	return status
}

// TestNodes checks what a record has of a node: the phases that it had, and their starts as far as they are known.
func TestNodes(t *testing.T) {
	const draining, working, rebooting, pending, completed = "Draining", "Updating", "Rebooting", "Pending", "Completed"
	whole := []observed{
		{seen: updating(0, pending, -9)},
		{seen: updating(2, draining, 1), phases: "Draining 1"},
		{seen: updating(4, working, 1), phases: "Draining 1, Updating 3"},
		{seen: updating(6, rebooting, 1), phases: "Draining 1, Updating 3, Rebooting 5"},
	}
	after := func(count int, steps ...observed) []observed { return append(whole[:count:count], steps...) }
	restarted := func(one observed) observed {
		one.restarted = true
		return one
	}
	second := func(minute int, worker string, since int) seen {
		return seen{minute: minute, from: "2", to: "3", started: 7, worker: worker, since: since}
	}
	cancelled := func(minute int, worker string, since int) seen {
		return seen{minute: minute, from: "2", to: "1", partial: true, started: 3, completed: 3, worker: worker, since: since}
	}
	for _, test := range []struct {
		name  string
		steps []observed
		want  string
	}{
		{name: "every phase", steps: after(4, observed{seen: ready(8, completed, 7)}), want: "Draining 1, Updating 3, Rebooting 5, done 7"},
		{name: "without a reboot", steps: after(3, observed{seen: ready(6, completed, 5)}), want: "Draining 1, Updating 3, done 5"},
		{
			name:  "without a drain and a reboot",
			steps: after(1, observed{seen: updating(2, working, 1), phases: "Updating 1"}, observed{seen: ready(4, completed, 3)}),
			want:  "Updating 1, done 3",
		},
		{
			name: "a reboot in a gap", steps: after(3, restarted(observed{seen: updating(20, rebooting, 1), phases: "Draining 1, Updating 3, Rebooting 20"})),
			want: "Draining 1, Updating 3",
		},
		{
			name: "a reboot in a gap that is first observed at its end",
			steps: after(3, restarted(observed{
				seen: updating(20, rebooting, 1), phases: "Draining 1, Updating 3, Rebooting 20", reported: 20,
			})),
			want: "Draining 1, Updating 3",
		},
		{
			name: "a reboot in a gap that is reported, and not any more",
			steps: after(3,
				restarted(observed{seen: updating(20, rebooting, 1), phases: "Draining 1, Updating 3, Rebooting 9", reported: 9}),
				observed{seen: updating(21, working, 1), phases: "Draining 1, Updating 3, Rebooting 9"},
				observed{seen: ready(22, completed, 22)},
			),
			want: "Draining 1, Updating 3, Rebooting 9, done 22",
		},
		{name: "given up", steps: after(4, observed{seen: updating(8, pending, 7)})},
		{name: "its pool is paused before it starts", steps: after(2, observed{seen: updating(3, "Paused", 3)})},
		{name: "nothing is known for a moment", steps: after(2, observed{seen: updating(3, "CannotDetermine", 3)}), want: "Draining 1"},
		{
			name:  "on its way to the version before",
			steps: after(4, observed{seen: second(8, rebooting, 1), phases: "Draining 1, Updating 3, Rebooting 5"}),
			want:  "Draining 1, Updating 3, Rebooting 5",
		},
		{
			name: "done with the version before",
			steps: after(4, observed{seen: second(8, rebooting, 1), phases: "Draining 1, Updating 3, Rebooting 5"},
				observed{seen: second(9, pending, 9)}),
		},
		{
			name: "done with the version before, then with this one",
			steps: after(4, observed{seen: second(8, rebooting, 1), phases: "Draining 1, Updating 3, Rebooting 5"},
				observed{seen: second(9, pending, 9)}, observed{seen: second(10, draining, 10), phases: "Draining 10"}, observed{seen: second(12, completed, 12)}),
			want: "Draining 10, done 12",
		},
		{
			name: "this version at once",
			steps: after(4, observed{seen: second(8, rebooting, 1), phases: "Draining 1, Updating 3, Rebooting 5"},
				observed{seen: second(10, draining, 10), phases: "Draining 10"}, observed{seen: second(12, completed, 12)}),
			want: "Draining 10, done 12",
		},
		{
			name:  "taken back after the update was cancelled",
			steps: after(2, observed{seen: cancelled(4, draining, 1), phases: "Draining 1", version: "1"}, observed{seen: cancelled(6, completed, 5)}),
		},
		{
			name: "rebooted after the update was cancelled, and back again",
			steps: after(2, observed{seen: cancelled(4, rebooting, 1), phases: "Draining 1, Rebooting 3", version: "1"}, observed{seen: cancelled(6, pending, 5), version: "2"},
				observed{seen: cancelled(8, working, 7), phases: "Updating 7", version: "2"}, observed{seen: cancelled(10, completed, 9)}),
			want: "Updating 7, done 9",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			fold := record.Resume(nil)
			for _, step := range test.steps {
				if step.restarted {
					fold = record.Resume(fold.Record())
				}
				fold.Observe(update.Read(step.status()), at(step.minute).Time)
			}
			var got []string
			for _, one := range fold.Record().Status.Nodes {
				for _, phase := range one.Phases {
					got = append(got, fmt.Sprintf("%s %s", phase.Phase, minutes(&phase.StartedAt)))
				}
				if one.CompletedAt != nil {
					got = append(got, "done "+minutes(one.CompletedAt))
				}
			}
			if text := strings.Join(got, ", "); text != test.want {
				t.Errorf("got %q, want %q", text, test.want)
			}
		})
	}
}

// TestDurationsOfSecondUpdate checks that what a node took to get to the version before is not in the record of the next update.
func TestDurationsOfSecondUpdate(t *testing.T) {
	second := func(minute int, worker string, since int) seen {
		return seen{minute: minute, from: "2", to: "3", started: 7, worker: worker, since: since}
	}
	fold := record.Resume(nil)
	var ended *record.Named
	for _, step := range []observed{
		{seen: updating(0, "Pending", -9)},
		{seen: updating(2, "Draining", 1), phases: "Draining 1"},
		{seen: second(8, "Draining", 1), phases: "Draining 1"},
		{seen: second(9, "Pending", 9)},
		{seen: second(10, "Draining", 10), phases: "Draining 10"},
		{seen: second(12, "Completed", 12)},
	} {
		if one := fold.Observe(update.Read(step.status()), at(step.minute).Time); one != nil {
			ended = one
		}
	}
	if ended == nil || len(ended.Status.Nodes) != 1 || ended.Status.Nodes[0].CompletedAt != nil || len(ended.Status.Pools[0].NodeDurations) != 0 {
		t.Errorf("the record before is %+v", ended)
	}
	durations := fold.Record().Status.Pools[0].NodeDurations
	if len(durations) != 1 || len(durations[0].Seconds) != 1 || durations[0].Seconds[0] != 120 {
		t.Errorf("durations %+v", durations)
	}
}
