package causes

import (
	"math/rand/v2"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// fault is what is wrong in one update.
type fault struct {
	// begin draws what is random, and changes the script of the update.
	begin func(random *rand.Rand, script *simulator.Update)
	// act changes the objects to what they say with the fault and its consequences, at a moment.
	act func(c *cluster)
	// request returns whether another update is requested at a moment, if it is set.
	request func(c *cluster) bool
	// insights are the health insights about the fault itself: its check, and its object; of two faults one for each.
	insights []about
	// impact is that of the insights, if it is set.
	impact updatev1alpha1.ImpactType
	// lasts is whether the insights are there to the end, once they are.
	lasts bool
	// isDue is whether the insights must be there soon after due, which is set once it is known. Such a fault is looked at more often.
	isDue bool
	due   time.Time
}

// about names a health insight.
type about struct{ check, object string }

// kinds are all kinds of faults. Each call makes one.
var kinds = map[string]func() *fault{
	"a budget that blocks a drain":         blockedByBudget,
	"a pod that does not terminate":        blockedByPod,
	"a daemon that fails":                  degradedDaemon,
	"a node that is not ready":             unreadyNode,
	"disk pressure":                        diskPressure,
	"a network that is not available":      noNetwork,
	"an operator that is down":             operatorDown,
	"an operator that is degraded":         operatorDegraded,
	"an operator that says nothing":        operatorUnknown,
	"an operator that a node harms":        operatorHarmedByNode,
	"an API that is not reachable":         unreachableAPI,
	"an update that fails":                 failingVersion,
	"a paused pool":                        pausedPool,
	"a paused pool of the control plane":   pausedMasters,
	"a second update in a blocked drain":   secondUpdate,
	"a node that never returns":            lostNode,
	"a daemon that does not begin":         idleDaemon,
	"a reboot command that fails":          failedReboot,
	"an image pull that hangs":             hangingPull,
	"a configuration that is not rendered": failedRendering,
	"an image that can't be built":         failedBuild,
	"a cordoned node that is left":         skippedNode,
	"a cordoned node in image mode":        cordonedInImageMode,
	"a cordoned node":                      cordonedNode,
	"a node that was not ready before":     unreadyBefore,
	"a stopped machine-config-controller":  stoppedController,
	"a signature that can't be verified":   refused("RetrievePayload", `Retrieving payload failed version=%q image=%q failure=The update cannot be verified: unable to verify sha256:1 against keyrings: verifier-public-key-redhat`),
	"a registry that is away":              refused("RetrievePayload", `Retrieving payload failed version=%q image=%q failure=Unable to download and prepare the update: deadline exceeded, reason: "DeadlineExceeded"`),
	"a payload that can't be loaded":       refused("LoadPayload", `Loading payload failed version=%q image=%q failure=stat /etc/cvo/updatepayloads/a/release-manifests: no such file or directory`),
	"another version in the image":         refused("VerifyPayloadVersion", `Verifying payload failed version=%q image=%q failure=release image version 4.20.9 does not match the expected upstream version 4.20.2`),
	"a precondition":                       refused("PreconditionChecks", `Preconditions failed for payload loaded version=%q image=%q: Precondition "ClusterVersionUpgradeable" failed because of "DefaultSecurityContextConstraints_Mutated": Cluster should not be upgraded between minor versions`),
	"a request that is ignored":            unanswered,
	"a stopped Cluster Version Operator":   noResponse,
	"a manifest at the end":                manifestFails("late-manifest", minutes(5)),
	"a manifest that is refused":           manifestFails("refused-manifest", 0),
	"a CRD that is invalid":                manifestFails("invalid-crd", 0),
	"a Deployment that does not roll out":  manifestFails("stuck-deployment", 0),
	"an operator that never reports":       operatorWaited("silent-operator", "openshift-samples"),
	"an operator that is slow":             operatorWaited("slow-operator", "monitoring"),
	"a status that can't be written":       frozenStatus,
	"a request that is applied unseen":     unseenRequest,
	"a Cluster Version Operator killed":    killedVersionOperator,
	"an image of an operator":              unpulledImage,
	"a network that a node holds":          heldNetwork,
	"no ingress":                           noIngress,
	"an alert":                             firingAlert,
	"an operator with a critical alert":    criticalAlert,
	"a blocked drain, and an unready node": twoFaults,
}

// worker returns one of the nodes that are no masters.
func worker(random *rand.Rand) string {
	nodes := []string{simulator.NodeName("worker", 0), simulator.NodeName("worker", 1), simulator.NodeName("worker", 2), simulator.NodeName("infra", 0)}
	return nodes[random.IntN(len(nodes))]
}

// soon returns a moment in the first minutes of an update, and after one some minutes later.
func soon(random *rand.Rand) time.Time { return start.Add(minutes(1 + random.IntN(4))) }

func after(random *rand.Rand, moment time.Time) time.Time {
	return moment.Add(minutes(random.IntN(12))).Add(time.Duration(random.IntN(60)) * time.Second)
}

func minutes(number int) time.Duration { return time.Duration(number) * time.Minute }
