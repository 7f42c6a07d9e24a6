package rehearsal

import (
	"cmp"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/summary"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// Kind is the kind of a Rehearsal.
const Kind = "UpdateRehearsal"

// Rehearsal is how an update would go, for programs. It is no object of the API. Later versions add fields, and remove or change none.
type Rehearsal struct {
	metav1.TypeMeta `json:",inline"`

	// Notices say what is missing from it.
	Notices []string `json:"notices,omitempty"`
	// StartedAt is when the update is taken to start.
	StartedAt metav1.Time                    `json:"startedAt"`
	Versions  updatev1alpha1.SummaryVersions `json:"versions"`
	// Records is how many earlier updates tell how long the control plane takes, and IsOtherKind whether they are of the other kind: within a minor
	// version, or from one to the next.
	Records     int32 `json:"records"`
	IsOtherKind bool  `json:"isOtherKind,omitempty"`
	// Takes is how long all takes that would be updated. NotUpdated are the pools that would not be, or of which that is not known.
	Takes        estimate.Range `json:"takes"`
	NotUpdated   []string       `json:"notUpdated,omitempty"`
	ControlPlane estimate.Range `json:"controlPlane"`
	// Pools are the worker pools.
	Pools []Pool `json:"pools,omitempty"`
	// Health are the health insights that the update would have, the worst first, each with its commands.
	Health []updatev1alpha1.HealthInsight `json:"health,omitempty"`
	// Until is how far it is at a moment, absent if none was asked for.
	Until *Until `json:"until,omitempty"`

	// Problems are the health insights as causes with their consequences.
	Problems []causes.Group `json:"-"`
}

// Pool is a worker pool.
type Pool struct {
	standalone.RehearsedPool `json:",inline"`

	Name  string `json:"name"`
	Nodes int32  `json:"nodes"`
	// IsDegraded is whether it has degraded nodes.
	IsDegraded bool `json:"isDegraded,omitempty"`
	// Starts is how long after the update it starts, and Takes how long it takes from then on. They are absent if it would not be updated, or if
	// that is not known.
	Starts *estimate.Range `json:"starts,omitempty"`
	Takes  *estimate.Range `json:"takes,omitempty"`
}

// Input is what is rehearsed.
type Input struct {
	Cluster standalone.Input
	// History are the records of earlier updates, the newest first.
	History estimate.History
	// To is the version, and Until the moment that is asked for, zero for none.
	To    string
	Until time.Time
	Now   time.Time
}

// Of rehearses an update from now on, which Version has nothing against.
func Of(in Input) *Rehearsal {
	rehearsed := standalone.Rehearse(in.Cluster, in.To, in.Now)
	reports := ledger.New()
	for _, message := range rehearsed.Messages {
		reports.Apply(message)
	}
	built := status.Build(status.Input{Ledger: reports.View(), Now: in.Now})
	u := update.ReadAt(&built, in.Now)
	all := summary.EstimateOf(u, in.History, in.Now)
	r := &Rehearsal{
		TypeMeta:  metav1.TypeMeta{APIVersion: updatev1alpha1.SchemeGroupVersion.String(), Kind: Kind},
		StartedAt: metav1.NewTime(in.Now), Versions: all.Versions, ControlPlane: all.ControlPlaneAhead(), Problems: u.Problems,
	}
	records, isSameKind := in.History.Known(all.Versions)
	r.Records, r.IsOtherKind = int32(records), records > 0 && !isSameKind
	for _, one := range u.Sorted().Health {
		r.Health = append(r.Health, *one.Health)
	}
	r.Takes = r.ControlPlane
	for _, pool := range u.Pools {
		if !pool.HasNodes() {
			continue
		}
		one, end := poolOf(pool, rehearsed.Pools[pool.Name], all)
		r.Pools = append(r.Pools, one)
		if one.Takes == nil {
			r.NotUpdated = append(r.NotUpdated, pool.Name)
		} else {
			r.Takes = r.Takes.With(end)
		}
	}
	slices.SortStableFunc(r.Pools, func(a, b Pool) int { return cmp.Or(-cmp.Compare(a.Nodes, b.Nodes), cmp.Compare(a.Name, b.Name)) })
	if !in.Until.IsZero() {
		r.Until = r.until(rehearsed, all, in.Until)
	}
	return r
}

// poolOf returns what becomes of a pool, and how long after the update has started it is complete.
func poolOf(pool *update.Pool, rehearsed standalone.RehearsedPool, all estimate.Update) (one Pool, end estimate.Range) {
	one = Pool{RehearsedPool: rehearsed, Name: pool.Name, Nodes: pool.Counts.Total, IsDegraded: pool.Counts.Degraded > 0}
	nodes, isFound := nodesOf(pool.Name, rehearsed, all)
	if !isFound || one.IsPaused || one.Places == 0 || len(one.Order) == 0 {
		return one, end
	}
	if ahead, isKnown := all.PoolAhead(nodes); isKnown {
		one.Starts, one.Takes, end = &ahead.Start, &ahead.Takes, ahead.End
	}
	return one, end
}

// nodesOf returns a pool as it is estimated: the nodes that would be updated, and how many at a time.
func nodesOf(name string, rehearsed standalone.RehearsedPool, all estimate.Update) (estimate.PoolNodes, bool) {
	at := slices.IndexFunc(all.Pools, func(one estimate.PoolNodes) bool { return one.Insight.Name == name })
	if at < 0 {
		return estimate.PoolNodes{}, false
	}
	of := estimate.PoolNodes{Insight: all.Pools[at].Insight.DeepCopy()}
	of.Insight.MaxUnavailable = rehearsed.Places
	for _, node := range all.Pools[at].Nodes {
		if slices.Contains(rehearsed.Order, node.Name) || insight.StateOf(node).Degraded {
			of.Nodes = append(of.Nodes, node)
		}
	}
	return of, true
}
