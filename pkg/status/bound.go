package status

import (
	"slices"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

const (
	// MaxObjectBytes is what the object may take in etcd, as JSON with its managedFields. etcd refuses 1.5 MiB, and
	// everybody who watches the object receives all of it with each write.
	MaxObjectBytes = 1 << 20

	// metadataBytes is left for the object's own metadata (labels, annotations, the frame of managedFields; what
	// managedFields say of each part of the cluster is counted), and as a margin.
	metadataBytes = 32 << 10

	// roomBytes is what the status may grow to.
	roomBytes = MaxObjectBytes - metadataBytes

	// slackBytes is left free when something is taken in again: a text that grows and shrinks by a few bytes moves
	// nothing in and out.
	slackBytes = 8 << 10

	// poolsReserve is left for health insights and unhealthy nodes by pools, however many there are.
	poolsReserve = 64 << 10

	// ordinaryReserve is left by ordinary nodes for all else. Each write costs everybody all of the object, and these nodes
	// are counted by their pools.
	ordinaryReserve = 128 << 10

	// maxWorkerPools is what the schema allows.
	maxWorkerPools = 1024
)

// room is how many bytes there are: for what was in the object before, and for what was not.
type room struct {
	before, anew int
}

func (r room) less(used int) room {
	return room{r.before - used, r.anew - used}
}

// bound sees to it that the object stays below MaxObjectBytes. Long texts are cut first, all to the same size. Where that
// is not enough insights are left out, and conditions count them.
func bound(made, previous *updatev1alpha1.UpdateStatusStatus, in Input, clock moment) {
	d := newDraft(made, previous, in.Memory)
	d.roomForSaid(previous, in.Ledger)
	room := room{roomBytes, roomBytes - slackBytes}
	limit, fits := d.fittingTexts(room, previous)
	if !fits {
		limit = len(textLimits) - 1
		d.leaveOut(room, limit)
	}
	d.emit(limit)
	d.say(previous, in.Ledger, clock)
	d.dropPools()
}

// fittingTexts returns the first limit of texts with which everything fits, if there is one. Texts that were cut before
// stay so until there is some slack, as does what was left out.
func (d *draft) fittingTexts(room room, previous *updatev1alpha1.UpdateStatusStatus) (int, bool) {
	if slices.ContainsFunc(d.nodes, (*item).ordinary) {
		room = room.less(ordinaryReserve)
	}
	whole := d.whole()
	before := limitOf(previous)
	truncated := truncationOf(previous.Conditions) != nil
	for limit := range textLimits {
		used := whole.at(limit)
		if used <= room.anew || used <= room.before && limit >= before && !truncated {
			return limit, len(d.pools) <= maxWorkerPools
		}
	}
	return 0, false
}

// limitOf returns the last limit that all texts of a status are within: the one that they were cut to, or one that makes
// no difference to it.
func limitOf(status *updatev1alpha1.UpdateStatusStatus) int {
	last := len(textLimits) - 1
	for _, informers := range informersOf(status) {
		for _, informer := range informers {
			if !isOurs(informer) {
				continue
			}
			for at := range informer.Insights {
				for _, text := range textsOf(&informer.Insights[at]) {
					for len(*text) > textLimits[last]/longestEscape && textSize(*text) > textLimits[last] {
						last--
					}
				}
			}
		}
	}
	return last
}

// longestEscape is the most bytes that a byte takes in a JSON string.
const longestEscape = 6

// leaveOut decides what is left out: first of the lists that are short in every cluster that is known, pools and
// operators, which thus stay as long as possible; then of health insights, which share the rest with unhealthy nodes;
// then of nodes. The ClusterVersion, the pools of the control plane and what others wrote are never left out: others'
// insights take from the room for what is ours.
func (d *draft) leaveOut(room room, limit int) {
	d.leavingOut = true
	d.roomToSay()
	room = room.less(d.frame.at(limit))

	used, allOperators := choose(d.operators, room.half(), limit)
	room = room.less(used)
	used, allPools := d.choosePools(room.less(poolsReserve), limit)
	room = room.less(used)

	health, nodes := inKeptParts(d.health), inKeptParts(d.nodes)
	unhealthy := 0
	for _, node := range nodes {
		if node.class >= classUnavailable {
			unhealthy += node.size.at(limit)
		}
	}
	used, allHealth := choose(health, room.less(min(unhealthy, room.anew/2)), limit)
	room = room.less(used)
	if !allOperators || !allPools || !allHealth {
		nodes = slices.DeleteFunc(nodes, func(node *item) bool { return node.class < classUnavailable })
	}
	chooseNodes(nodes, room, limit)
}

// chooseNodes is choose for nodes, of which ordinary ones leave room. Where one of the others does not fit, less than that is
// left, and no ordinary one stays.
func chooseNodes(nodes []*item, room room, limit int) {
	notable := slices.DeleteFunc(slices.Clone(nodes), (*item).ordinary)
	used, _ := choose(notable, room, limit)
	ordinary := slices.DeleteFunc(nodes, func(node *item) bool { return !node.ordinary() })
	choose(ordinary, room.less(used+ordinaryReserve), limit)
}

func (r room) half() room {
	return room{r.before / 2, r.anew / 2}
}
