package standalone

import (
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

// The cases of a pool that is degraded.
const (
	caseRendering = "NotRendered"
	caseBuilding  = "ImageNotBuilt"
	casePinned    = "PinnedImageSet"
	caseNodes     = "NodesDegraded"
)

// poolText is that of what the Machine Config Operator reports of a pool.
func poolText(one, many string) assess.Text {
	return assess.Text{One: one, Many: many, Description: assess.Message}
}

// The cases of a pool of which no node is being updated. Those of a pool that has stopped have caseStopped before them.
const (
	caseNotRendered = "NotRendered"
	caseImage       = "ImageBuilding"
	caseSilent      = "NoResponse"
	caseUsedUp      = "UsedUp"
	caseSkipped     = "NodesSkipped"
	caseUnexplained = "CauseUnknown"

	caseStopped = "Stopped"
)

// stalled are the reasons for which no node of a pool is being updated: that of one, that of several, and the description.
var stalled = map[string][3]string{
	caseNotRendered: {
		"the configuration is not rendered", "the configuration is not rendered",
		"The Machine Config Operator has not rendered a configuration of the target version for this pool: check the machine-config-controller. No condition " +
			"of the pool tells a KubeletConfig or ContainerRuntimeConfig that is not accepted: check the status of these too.",
	},
	caseImage: {"the OS image is being built", "the OS image is being built", "The pool reports: " + assess.Message},
	caseSilent: {
		"the Machine Config Operator does not respond", "the Machine Config Operator does not respond",
		"The pool has generation {generation}, and the Machine Config Operator has observed {observed}: check the machine-config-controller.",
	},
	caseUsedUp: {
		"{used}", "nodes are unavailable",
		"At most {most} of the pool may be unavailable, by its maxUnavailable, and that many already are, for other reasons: " +
			"the Machine Config Operator waits for them. {each}.",
	},
	caseSkipped: {
		"{skipped}", "the nodes that are left can't be updated",
		"The Machine Config Operator updates no node that is cordoned or not ready, even if more nodes of the pool may be unavailable. {each}.",
	},
	caseUnexplained: {
		"cause unknown", "cause unknown",
		"The pool is not paused, its configuration is rendered, and enough of its nodes are available. Check the machine-config-controller.",
	},
}

// stalledTexts returns the texts for pools that have not started and for pools that have stopped updating.
func stalledTexts() assess.Texts {
	texts := assess.Texts{}
	for which, why := range stalled {
		texts[which] = assess.Text{One: "has not started to update: " + why[0], Many: "have not started to update: " + why[1], Description: why[2]}
		texts[caseStopped+which] = assess.Text{One: "has stopped updating: " + why[0], Many: "have stopped updating: " + why[1], Description: why[2]}
	}
	return texts
}

// poolChecks are those of a MachineConfigPool.
var poolChecks = []assess.Check[checkedPool]{
	{Find: poolDegraded, HealthCheck: assess.HealthCheck{
		Name: "pool-degraded", Then: assess.ThenController, Subject: assess.PoolNoun,
		Texts: assess.Texts{
			caseRendering: poolText("can't be updated: the configuration can't be rendered", "can't be updated: the configuration can't be rendered"),
			caseBuilding:  poolText("can't be updated: the OS image can't be built", "can't be updated: the OS image can't be built"),
			casePinned:    poolText("has an invalid PinnedImageSet", "have an invalid PinnedImageSet"),
			caseNodes:     poolText("has degraded nodes", "have degraded nodes"),
		},
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.Cause,
		Reads: assess.Reads{Conditions: []string{
			string(machineconfigv1.MachineConfigPoolRenderDegraded), string(machineconfigv1.MachineConfigPoolImageBuildDegraded),
			string(machineconfigv1.MachineConfigPoolUpdating), string(machineconfigv1.MachineConfigPoolPinnedImageSetsDegraded),
			string(machineconfigv1.MachineConfigPoolNodeDegraded),
		}},
		Appears: "the configuration of a pool can't be rendered for more than 3 minutes, or its OS image can't be built for more " +
			"than 1 minute; it has an invalid PinnedImageSet (Warning; None, or in image mode Update Speed); or its nodes " +
			"are degraded for more than 3 minutes, and no node has an insight about that",
		Response: "The description is the message of the Machine Config Operator. For a configuration, correct the MachineConfig " +
			"that it names. For an image, check `oc get machineosbuilds` and the log of the build's pod. Before 4.20, no " +
			"condition reports an image whose build is retried and fails; after an hour, pool-not-starting appears.",
		NextSteps: assess.ReadOnly("oc describe machineconfigpool POOL", "oc get machineconfigs"),
	}},
	{Find: poolNotStarting, HealthCheck: assess.HealthCheck{
		Name: "pool-not-starting", Then: assess.ThenController, Subject: assess.PoolNoun, Texts: stalledTexts(),
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.CauseAndEffect, Thresholds: stalledThresholds,
		Appears: "a pool that should be updating has nodes that are not updated, and none has been updated for more than 15 minutes (60 " +
			"minutes while its OS image is built; only a Warning if the cause is nodes that an administrator cordoned). It " +
			"does not appear while the configuration is not rendered because machine-config is unavailable",
		Response: "The end of the message gives the reason. If unavailable nodes use up maxUnavailable, or are all that is left to update, " +
			"make them ready, uncordon or delete them. Otherwise check the machine-config-controller.",
		NextSteps: assess.ReadOnly("oc describe node NODE", "oc describe machineconfigpool POOL", nodestate.ControllerLog),
	}},
	{Find: poolSlowed, HealthCheck: assess.HealthCheck{
		Name: "pool-slowed", Then: assess.ThenController, Subject: assess.PoolNoun,
		Texts: assess.Texts{assess.NoCase: {
			One: "is updated more slowly: {used}", Many: "are updated more slowly",
			Description: "At most {most} of the pool may be unavailable, by its maxUnavailable, and some already are, for other reasons. {each}.",
		}},
		Impact: updatev1alpha1.ImpactUpdateSpeed, Causality: assess.Effect, Thresholds: slowedThresholds,
		Appears: "nodes that are not being updated have used up a part of maxUnavailable of a pool for more than 30 minutes. Info if an administrator has cordoned " +
			"them, and nothing else is wrong",
		Response:  "Make the nodes that the description names ready, uncordon or delete them. The pool is updated faster then.",
		NextSteps: assess.ReadOnly("oc describe node NODE"),
	}},
	{Find: poolPaused, HealthCheck: assess.HealthCheck{
		Name: "pool-paused", Then: assess.ThenUnpaused,
		Texts: assess.Texts{assess.NoCase: {
			Sentence: "Outdated nodes in a paused pool '{name}' will not be updated",
			Description: "Pool is paused, which stops all changes to the nodes in the pool, including updates. " +
				"The nodes will not be updated until the pool is unpaused by the administrator.",
		}},
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.Cause, StartsWhenObserved: true,
		Appears: "a pool is paused and has nodes that are not updated",
		Response: "Unpause the pool when its nodes may be updated: `oc patch machineconfigpool NAME --type merge -p " +
			"'{\"spec\":{\"paused\":false}}'`.",
		NextSteps: assess.Mutating("oc patch machineconfigpool/POOL --type=merge -p", `{"spec":{"paused":false}}`),
	}},
	{Find: poolSelectorUnparsable, HealthCheck: assess.HealthCheck{
		Name: "pool-selector-unparsable", Then: assess.ThenController,
		Texts: assess.Texts{assess.NoCase: {
			Sentence: "The node selector of pool '{name}' cannot be parsed",
			Description: "The Machine Config Operator can't tell which nodes belong to which pool, and updates no node of any pool until the node selector " +
				"is corrected: {error}",
		}},
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.Cause, StartsWhenObserved: true,
		Appears:   "the node selector of a pool cannot be parsed, which stops the updates of all pools",
		Response:  "Correct `.spec.nodeSelector` of the MachineConfigPool.",
		NextSteps: assess.Mutating("oc edit machineconfigpool/POOL"),
	}},
}

func poolPaused(in checkedPool) *assess.Finding {
	if !in.Pool.Spec.Paused || in.Nodes.Excluded == 0 {
		return nil
	}
	return &assess.Finding{
		Reference: reference.PausedPools,
	}
}

func poolSelectorUnparsable(in checkedPool) *assess.Finding {
	if in.SelectorError == "" {
		return nil
	}
	return &assess.Finding{
		Words:     assess.Words{"error": in.SelectorError},
		Reference: reference.MachineConfigOperator,
	}
}
