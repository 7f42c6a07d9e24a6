package invariants

import (
	"fmt"
	"math"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Stage is how far an update is. It only moves forward.
type Stage int

const (
	// StageBefore is before the update.
	StageBefore Stage = iota
	// StageControlPlane is while operators are updated.
	StageControlPlane
	// StageControlPlaneNodes is when the nodes of the control plane are updated.
	StageControlPlaneNodes
	// StageControlPlaneDone is when the control plane is complete.
	StageControlPlaneDone
	// StageEverything is when the pools are as well.
	StageEverything
)

// StageOf reads how far the update to a version is. Before it, everything is complete too: the version tells the two apart.
func StageOf(us *updatev1alpha1.UpdateStatus, target string) Stage {
	facts := factsOf(us)
	switch {
	case facts.version == nil:
		return StageBefore
	case facts.targetVersion() == "" && facts.isVersionUpdating():
		// The version of a hosted cluster's new release is not known at first.
		return StageControlPlane
	case facts.targetVersion() == "" || facts.targetVersion() != target:
		return StageBefore
	case facts.version.CompletedAt != nil && facts.allPoolsComplete:
		return StageEverything
	case facts.version.CompletedAt != nil:
		return StageControlPlaneDone
	case facts.masterComplete:
		return StageControlPlaneNodes
	default:
		return StageControlPlane
	}
}

// Updating returns the uids of what is reported as updating.
func Updating(us *updatev1alpha1.UpdateStatus) []string {
	found := factsOf(us)
	return found.updating
}

// facts are what the invariants are about.
type facts struct {
	version          *updatev1alpha1.ClusterVersionInsight
	isHosted         bool
	operators        map[string]int
	pools            map[string]*updatev1alpha1.MachineConfigPoolInsight
	nodes            map[string]map[updatev1alpha1.NodeSummaryType]int32
	masterComplete   bool
	allPoolsComplete bool
	uids             map[string]int
	health           int
	updating         []string
}

func factsOf(us *updatev1alpha1.UpdateStatus) facts {
	found := facts{
		operators: map[string]int{}, pools: map[string]*updatev1alpha1.MachineConfigPoolInsight{},
		nodes: map[string]map[updatev1alpha1.NodeSummaryType]int32{}, uids: map[string]int{}, allPoolsComplete: true,
	}
	for _, one := range Insights(insight.StatusWithListedNodes(&us.Status)) {
		found.uids[one.UID]++
		found.note(one.UID, insight.Conditions(one))
		if version := insight.VersionOf(one); version != nil {
			found.version, found.isHosted = version, one.HostedCluster != nil
		}
		if operator := insight.OperatorOf(one); operator != nil {
			_, reason := updatingOf(operator.Conditions)
			found.operators[reason]++
		}
		if pool := insight.PoolOf(one); pool != nil {
			found.addPool(pool)
		}
		switch {
		case one.Node != nil:
			found.addNode(one.Node)
		case one.Health != nil:
			found.health++
		}
	}
	return found
}

// targetVersion returns the version to which the cluster is updated, empty if it is not known.
func (f *facts) targetVersion() string {
	if f.version == nil || f.version.Versions.Target == nil {
		return ""
	}
	return f.version.Versions.Target.Version
}

func (f *facts) isVersionUpdating() bool {
	status, _ := updatingOf(f.version.Conditions)
	return status == metav1.ConditionTrue
}

// isRequested returns whether an update was asked for that has not begun: health insights say why.
func (f *facts) isRequested() bool {
	return f.version != nil && f.version.Requested != nil
}

// note records what is reported as updating.
func (f *facts) note(uid string, conditions []metav1.Condition) {
	if status, _ := updatingOf(conditions); status == metav1.ConditionTrue {
		f.updating = append(f.updating, uid)
	}
}

func (f *facts) addPool(pool *updatev1alpha1.MachineConfigPoolInsight) {
	f.pools[pool.Name] = pool
	complete := pool.Completion == 100
	f.allPoolsComplete = f.allPoolsComplete && complete
	if pool.Name == "master" {
		f.masterComplete = complete
	}
}

func (f *facts) addNode(node *updatev1alpha1.NodeInsight) {
	pool := node.Pool
	if f.nodes[pool] == nil {
		f.nodes[pool] = map[updatev1alpha1.NodeSummaryType]int32{}
	}
	count := func(kind updatev1alpha1.NodeSummaryType, counts bool) {
		if counts {
			f.nodes[pool][kind]++
		}
	}
	state := insight.StateOf(node)
	count(updatev1alpha1.NodesTotal, true)
	count(updatev1alpha1.NodesAvailable, state.Available)
	count(updatev1alpha1.NodesProgressing, state.Updating && !state.Degraded)
	count(updatev1alpha1.NodesOutdated, state.Phase != insight.PhaseCompleted)
	count(updatev1alpha1.NodesDraining, state.Phase == insight.PhaseDraining)
	count(updatev1alpha1.NodesExcluded, state.Phase == insight.PhasePaused)
	count(updatev1alpha1.NodesDegraded, state.Degraded)
}

// Update describes a played update.
type Update struct {
	// Target is the version to which the cluster is updated.
	Target string
	// Operators is the number of operators of the payload; zero if it is not known.
	Operators int
	// SourcesLag is whether a source may lag behind another: nodes may be shown as updating before the update of the cluster is, and at its
	// start as complete, since they are at the version before.
	SourcesLag bool
}

// Check checks the invariants on every version of the UpdateStatus. It returns how far the update is in the last one, and the
// problems.
func (u Update) Check(versions []*updatev1alpha1.UpdateStatus) (last Stage, problems []string) {
	var before *updatev1alpha1.UpdateStatus
	for _, us := range versions {
		if us.Status.ControlPlane == nil {
			continue // just created
		}
		found, now := factsOf(us), StageOf(us, u.Target)
		if now < last && (last != StageControlPlaneNodes || !u.SourcesLag) {
			problems = append(problems, fmt.Sprintf("version %s steps back from stage %d to %d", us.ResourceVersion, last, now))
		}
		last = now
		wrong := found.check(now, u)
		if before != nil {
			wrong = append(wrong, checkParts(before, us, u.SourcesLag)...)
		}
		before = us
		for _, problem := range wrong {
			problems = append(problems, fmt.Sprintf("version %s: %s", us.ResourceVersion, problem))
		}
	}
	return last, problems
}

func (f *facts) check(now Stage, of Update) []string {
	var problems []string
	complain := func(bad bool, format string, values ...any) {
		if bad {
			problems = append(problems, fmt.Sprintf(format, values...))
		}
	}
	noUpdate := !of.SourcesLag && (now == StageBefore || now == StageEverything)
	complain(noUpdate && len(f.updating) > 0, "updating although there is no update: %v", f.updating)
	complain(noUpdate && !f.isRequested() && f.health > 0, "%d health insights although there is no update", f.health)
	total := 0
	for _, count := range f.operators {
		total += count
	}
	complain(of.Operators != 0 && total != of.Operators, "%d operators are told of, of %d", total, of.Operators)
	completion := int32(math.RoundToEven(100 * float64(f.operators[updatev1alpha1.ReasonUpdated]) / float64(max(total, 1))))
	if f.version != nil && f.isVersionUpdating() {
		completion = min(99, completion) // its history tells when it is complete
	}
	if f.version != nil {
		complain(f.version.Completion != completion, "completion is %d, counted are %v", f.version.Completion, f.operators)
	}
	for name, pool := range f.pools {
		for _, summary := range pool.Summaries {
			complain(f.nodes[name][summary.Type] != summary.Count,
				"pool %s counts %d %s, its nodes are %d", name, summary.Count, summary.Type, f.nodes[name][summary.Type])
		}
	}
	for uid, count := range f.uids {
		complain(count > 1, "%d insights are called %s", count, uid)
	}
	return problems
}

// Starts returns the problems of the starts of health insights: a condition that lasts has one start. seen is how often one was
// seen again.
func Starts(versions []*updatev1alpha1.UpdateStatus) (seen int, problems []string) {
	var before map[string]metav1.Time
	for _, us := range versions {
		now := map[string]metav1.Time{}
		for _, one := range Insights(&us.Status) {
			if one.Health == nil || one.Health.StartedAt == nil {
				continue
			}
			now[one.UID] = *one.Health.StartedAt
			start, known := before[one.UID]
			if known {
				seen++
			}
			if known && !start.Equal(one.Health.StartedAt) {
				problems = append(problems, fmt.Sprintf("version %s: %s began at %s, and before at %s",
					us.ResourceVersion, one.UID, one.Health.StartedAt, start))
			}
		}
		before = now
	}
	return seen, problems
}
