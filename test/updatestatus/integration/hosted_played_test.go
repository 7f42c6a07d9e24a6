package integration_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/hosted"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
)

// hostedOperators are the components and the cluster operators that are played, but for those without an operator.
const hostedOperators = 28 + 13

// hostedPlay is an update that is played on two API servers, while the controller runs.
type hostedPlay struct {
	*hostedWorld

	writer *hosted.Writer
	// world has what was written. settles is whether the controller must have reported all of a step before the next one.
	world   *hosted.World
	settles bool
	// before is the object when the API server of the hosted cluster was killed.
	before hostedObjects

	lock sync.Mutex
	// watcher checks each version of the object.
	watcher  invariants.Watcher
	last     *updatev1alpha1.HostedClusterUpdateStatus
	versions int
	problems []string
}

func newHostedPlay(t *testing.T) *hostedPlay {
	t.Helper()
	p := &hostedPlay{hostedWorld: newHostedWorld(t), world: hosted.NewWorld(), watcher: invariants.Watcher{Operators: hostedOperators}}
	var err error
	if p.writer, err = hosted.NewWriter(p.management.Admin(), p.hostedWorld.hosted.Admin()); err != nil {
		t.Fatal(err)
	}
	_, errStatus := harness.ObserveIn(t.Context(), p.client, hosted.Namespace, "hostedclusterupdatestatuses", p.check)
	_, errSummary := harness.ObserveIn(t.Context(), p.client, hosted.Namespace, "hostedclusterupdatestatussummaries", p.checkSummary)
	if err := errors.Join(errStatus, errSummary); err != nil {
		t.Fatal(err)
	}
	return p
}

// check checks a version of the object.
func (p *hostedPlay) check(now *updatev1alpha1.HostedClusterUpdateStatus) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.versions++
	if p.last != nil && equality.Semantic.DeepEqual(p.last.Status, now.Status) && p.last.ResourceVersion != now.ResourceVersion {
		p.problems = append(p.problems, fmt.Sprintf("version %s is as version %s", now.ResourceVersion, p.last.ResourceVersion))
	}
	p.last = now
	for _, problem := range p.watcher.Next(asUpdateStatus(now)) {
		p.problems = append(p.problems, fmt.Sprintf("version %s: %s", now.ResourceVersion, problem))
	}
}

// checkSummary checks a version of the summary.
func (p *hostedPlay) checkSummary(now *updatev1alpha1.HostedClusterUpdateStatusSummary) {
	p.lock.Lock()
	defer p.lock.Unlock()
	nodes := now.Status.Nodes
	if nodes == nil {
		return
	}
	if sum := nodes.Completed + nodes.Updating + nodes.Pending + nodes.Excluded; sum != nodes.Total {
		p.problems = append(p.problems, fmt.Sprintf("version %s: %d nodes, counted are %+v", now.ResourceVersion, nodes.Total, *nodes))
	}
}

// checked returns the problems of all versions.
func (p *hostedPlay) checked() []string {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.t.Logf("%d versions of the object", p.versions)
	return p.problems
}

func asUpdateStatus(object *updatev1alpha1.HostedClusterUpdateStatus) *updatev1alpha1.UpdateStatus {
	return &updatev1alpha1.UpdateStatus{ObjectMeta: object.ObjectMeta, Status: *insight.FromHosted(&object.Status)}
}

// play makes writes. After the first write of a step, something may be done.
func (p *hostedPlay) play(writes []hosted.Write, disturb map[string]func()) {
	p.t.Helper()
	for at, write := range writes {
		if write.IsHosted && p.isHostedAway() {
			p.endOutage()
		}
		if err := p.writer.Apply(p.t.Context(), write); err != nil {
			p.t.Fatal(err)
		}
		p.world.Apply(write)
		if do := disturb[write.Step]; do != nil {
			delete(disturb, write.Step)
			do()
		}
		if isLast := at == len(writes)-1 || writes[at+1].Step != write.Step; isLast && p.settles && !p.isHostedAway() {
			p.settle(write.Step)
		}
	}
	for step := range disturb {
		p.t.Errorf("there is no step %q", step)
	}
}

func (p *hostedPlay) isHostedAway() bool {
	return len(p.outages) > 0 && p.outages[len(p.outages)-1].end.IsZero()
}

// killHosted kills the API server of the hosted cluster while everything is reported.
func (p *hostedPlay) killHosted() {
	p.t.Helper()
	p.before = p.until("the report before an outage", hasReason(updatev1alpha1.ReasonAsExpected))
	p.hostedWorld.killHosted()
}

// endOutage ends the outage of the API server of the hosted cluster. The controller has said so, keeps all insights about that cluster, and has
// restarted.
func (p *hostedPlay) endOutage() {
	p.t.Helper()
	p.until("the hosted cluster to be away", hasReason(updatev1alpha1.ReasonHostedClusterUnreachable))
	p.restart()
	away := hostedUIDs(p.until("the hosted cluster to be away after a restart", hasReason(updatev1alpha1.ReasonHostedClusterUnreachable)))
	for _, uid := range hostedUIDs(p.before) {
		// Those about the management cluster may be withdrawn meanwhile.
		if (strings.HasPrefix(uid, "co-") || strings.HasPrefix(uid, "node-")) && !slices.Contains(away, uid) {
			p.t.Errorf("while the hosted cluster is away, %s is gone", uid)
		}
	}
	p.reviveHosted()
}

// settle waits for what an assessment of all that was written gives, and returns it.
func (p *hostedPlay) settle(step string) hostedObjects {
	p.t.Helper()
	var diff string
	defer func() {
		if p.t.Failed() {
			p.t.Errorf("%s (-expected +is):\n%s", step, harness.Cut(p.t, diff))
		}
	}()
	return p.until(step, func(object hostedObjects) bool {
		expected, err := invariants.ExpectedHosted(p.world.Input(), time.Now())
		if err != nil {
			p.t.Fatal(err)
		}
		diff = cmp.Diff(invariants.WithoutObserved(expected), invariants.WithoutObserved(asUpdateStatus(object.HostedClusterUpdateStatus)))
		return diff == ""
	})
}

// TestLongHostedUpdate plays a whole update with all kinds of pools on two API servers, in which the controller restarts and the API server
// of the hosted cluster is away. The invariants hold for every version of the object, and the end is exactly what the objects say.
// Other hosted clusters are played in memory, in test/updatestatus/hosted.
func TestLongHostedUpdate(t *testing.T) {
	t.Parallel()
	p := newHostedPlay(t)
	played := hosted.Play(hosted.Script{
		Start: time.Now().Add(-time.Minute), Length: time.Minute, Pools: append(hosted.DefaultPools(),
			hosted.Pool{Name: "broken", UpgradeType: hosted.InPlace, Nodes: 3, Failing: true},
			hosted.Pool{Name: "old", UpgradeType: hosted.Replace, Nodes: 2, Version: "4.20.9"},
			hosted.Pool{Name: "paused", UpgradeType: hosted.Replace, Nodes: 2, Paused: true},
		),
	})
	p.play(played.Before, nil)
	p.start()
	p.until("the first report", hasReason(updatev1alpha1.ReasonAsExpected))
	p.settles = true
	p.play(played.Update, map[string]func(){
		"component kube-apiserver is rolled out": p.killHosted,
		"operators are updated":                  p.restart,
		"machine surge-1 is drained":             p.restart,
		"node metal-1.example.com reboots":       p.restart,
	})
	end := p.settle("the end")
	p.until("the summary at the end", func(object hostedObjects) bool {
		updating := meta.FindStatusCondition(object.Summary.Conditions, updatev1alpha1.ConditionUpdating)
		return updating.Reason == updatev1alpha1.ReasonWorkers && object.Summary.CompletedVersion == ""
	})
	want := []string{"broken Degraded 33%", "metal Completed 100%", "old Completed 100%", "paused Excluded 0%", "surge Completed 100%"}
	if diff := cmp.Diff(want, poolsOf(end)); diff != "" {
		t.Errorf("pools (-want +got):\n%s", diff)
	}
	p.stop()
	for _, problem := range p.checked() {
		t.Error(problem)
	}
}

// TestLongHostedSecondController plays a whole update with two controllers. One has the lease, and writes: nothing is written twice. When it ends,
// the other one goes on.
func TestLongHostedSecondController(t *testing.T) {
	t.Parallel()
	p := newHostedPlay(t)
	played := hosted.Play(hosted.Script{Start: time.Now().Add(-time.Minute), Length: time.Minute, Pools: hosted.DefaultPools()})
	p.play(played.Before, nil)
	p.start()
	p.until("the first report", hasReason(updatev1alpha1.ReasonAsExpected))
	const writes = "Starting to write the UpdateStatus"
	leader := p.process
	p.start()
	p.logs.Until(t.Context(), "Attempting to acquire leader lease")
	p.settles = true
	p.play(played.Update, nil)
	p.settle("the end")
	if strings.Contains(p.logs.String(), writes) {
		t.Error("the second controller writes without the lease")
	}
	if err := leader.Stop(); err != nil {
		t.Errorf("the leader ended with %v", err)
	}
	p.logs.Until(t.Context(), writes)
	p.settle("the end, with the next leader")
	p.stop()
	for _, problem := range p.checked() {
		t.Error(problem)
	}
}

// poolsOf returns how each pool is.
func poolsOf(object hostedObjects) []string {
	var pools []string
	for _, one := range insight.ReadAll(insight.FromHosted(&object.Status)).Pools {
		pools = append(pools, fmt.Sprintf("%s %s %d%%", one.Name, one.Assessment, one.Completion))
	}
	return pools
}
