package standalone

import (
	"fmt"
	"slices"
	"strings"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

// This file finds the nodes because of which the Machine Config Operator updates no other node of a pool, or not them
// (openshift/machine-config-operator, pkg/controller/node/node_controller.go, getAllCandidateMachines).

// most returns how many nodes may be unavailable.
func (p checkedPool) most() string {
	return insight.Count(int(maxUnavailable(p.Pool, p.Nodes.Total)), "node")
}

// places returns how many nodes of the pool may become unavailable still.
func (p checkedPool) places() int {
	places := int(maxUnavailable(p.Pool, p.Nodes.Total))
	for _, one := range p.Members {
		if one.Unavailable != "" {
			places--
		}
		if one.HasFailed {
			places--
		}
	}
	return max(places, 0)
}

// capacity returns the nodes that use up what may be unavailable without being updated, and whether nothing is left.
func (p checkedPool) capacity() (used []PoolMember, isUsedUp bool) {
	for _, one := range p.Members {
		if (one.Unavailable != "" || one.HasFailed) && !one.State.Updating {
			used = append(used, one)
		}
	}
	isUsedUp = len(used) > 0 && p.places() == 0
	for _, arbiter := range p.Arbiters {
		if arbiter.Unavailable != "" && !arbiter.State.Updating {
			used, isUsedUp = append(used, arbiter), true
		}
	}
	slices.SortFunc(used, func(a, b PoolMember) int { return strings.Compare(a.Name, b.Name) })
	return used, isUsedUp
}

// skipped returns the nodes of a pool that are not updated, if they are all that is left of it and the node controller chooses none of them.
func (p checkedPool) skipped() []PoolMember {
	left := slices.DeleteFunc(slices.Clone(p.Members), func(one PoolMember) bool { return !one.State.IsBehind() || one.State.Updating })
	if slices.ContainsFunc(left, func(one PoolMember) bool { return !one.IsSkipped }) {
		return nil
	}
	return left
}

// skippedText says which nodes are skipped.
func skippedText(skipped []PoolMember) string {
	if len(skipped) == 1 {
		return fmt.Sprintf("its last node can't be updated: node %s %s", skipped[0].Name, skipped[0].why())
	}
	return fmt.Sprintf("its %d remaining nodes can't be updated, such as %s, which %s", len(skipped), skipped[0].Name, skipped[0].why())
}

// blockedBy says of a pool which nodes are the reason. What an administrator has cordoned is no failure.
func blockedBy(found *assess.Finding, which string, nodes []PoolMember) {
	found.Case, found.Blockers, found.Words["each"] = which, refsOf(nodes), sentenceOf(nodes)
	if areCordoned(nodes) {
		found.Thresholds, found.NextSteps = &cordonThresholds, assess.Mutating("oc adm uncordon NODE")
	}
}

// usedUp says which nodes use up what may be unavailable.
func usedUp(used []PoolMember) string {
	if len(used) == 1 {
		return fmt.Sprintf("node %s %s", used[0].Name, used[0].why())
	}
	return fmt.Sprintf("%d nodes are unavailable, such as %s, which %s", len(used), used[0].Name, used[0].why())
}

// why returns why a node counts as unavailable.
func (m PoolMember) why() string {
	if m.Unavailable != "" {
		return m.Unavailable
	}
	return "is degraded"
}

// sentenceOf names nodes with what is wrong with each.
func sentenceOf(used []PoolMember) string {
	texts := make([]string, 0, maxNames)
	for _, one := range used[:min(len(used), maxNames)] {
		texts = append(texts, fmt.Sprintf("Node %s %s", one.Name, one.why()))
	}
	if left := len(used) - maxNames; left > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", left))
	}
	return strings.Join(texts, ", ")
}

func refsOf(used []PoolMember) []updatev1alpha1.ResourceRef {
	refs := make([]updatev1alpha1.ResourceRef, 0, len(used))
	for _, one := range used {
		refs = append(refs, assess.NodeRef(one.Name))
	}
	return refs
}

// areCordoned returns whether nothing is wrong with nodes but that an administrator cordoned them.
func areCordoned(used []PoolMember) bool {
	return !slices.ContainsFunc(used, func(one PoolMember) bool { return !one.IsCordoned || one.HasFailed })
}

// poolSlowed returns that a part of what may be unavailable is lost to nodes that are not being updated.
func poolSlowed(p checkedPool) *assess.Finding {
	used, isUsedUp := p.capacity()
	if p.Turn.IsZero() || p.Pool.Spec.Paused || p.Nodes.OnAnother == 0 || p.Nodes.Updating == 0 && (isUsedUp || len(p.skipped()) > 0) {
		return nil
	}
	var since time.Time
	used = slices.DeleteFunc(used, func(one PoolMember) bool {
		return one.UnavailableSince.IsZero() || p.now.Before(one.Created.Add(joining))
	})
	for _, one := range used {
		since = assess.Earliest(since, one.UnavailableSince)
	}
	if len(used) == 0 {
		return nil
	}
	found := &assess.Finding{
		Since:     assess.Later(p.Turn, since),
		Words:     assess.Words{"used": usedUp(used), "most": p.most(), "each": sentenceOf(used)},
		Reference: reference.MachineConfigOperator,
		Blockers:  refsOf(used),
	}
	if areCordoned(used) {
		found.Level = updatev1alpha1.LevelInfo // as an administrator wants it
	}
	return found
}
