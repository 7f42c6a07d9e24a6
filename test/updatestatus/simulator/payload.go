package simulator

import (
	"slices"
	"time"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// operatorPlan is the update of an operator of the payload.
type operatorPlan struct {
	name string
	// level is the run level: the next one starts when all operators of this one are updated.
	level int
	// takes is the approximate duration.
	takes time.Duration
	// reason and message are those of its Progressing condition during the update; without a reason it never progresses.
	reason, message string
}

const machineConfigOperator = "machine-config"

// networkOperator has a daemon set on every node, and reports whenever a node reboots.
const networkOperator = "network"

const (
	revisions     = "NodeInstallerProgressing: 1 node is at revision 7; 2 nodes are at revision 8"
	deploying     = "Progressing: deployment is updating: 1 of 2 replicas are updated"
	podsUpdating  = "APIServerDeploymentProgressing: deployment/apiserver: 1/3 pods have been updated to the latest generation"
	daemonRollout = `DaemonSet "/openshift-ovn-kubernetes/ovnkube-node" update is rolling out (4 out of 9 updated)`
)

// payload are the operators of the payload, in the order of their run levels.
var payload = []operatorPlan{
	{"config-operator", 10, 30 * time.Second, "", ""},
	{"etcd", 12, 6 * time.Minute, "NodeInstaller", revisions},
	{"kube-apiserver", 20, 8 * time.Minute, "NodeInstaller", revisions},
	{"kube-controller-manager", 25, 4 * time.Minute, "NodeInstaller", revisions},
	{"kube-scheduler", 25, 4 * time.Minute, "NodeInstaller", revisions},
	{"cloud-controller-manager", 26, 40 * time.Second, "", ""},
	{"cluster-autoscaler", 30, 30 * time.Second, "SyncingVersion", "Syncing to version"},
	{"control-plane-machine-set", 30, 30 * time.Second, "", ""},
	{"baremetal", 31, 30 * time.Second, "", ""},
	{"kube-storage-version-migrator", 40, time.Minute, "KubeStorageVersionMigrator_Deploying", deploying},
	{"machine-api", 40, time.Minute, "SyncingResources", "Progressing towards operator"},
	{"machine-approver", 40, 40 * time.Second, "", ""},
	{"authentication", 50, 4 * time.Minute, "OAuthServerDeployment_PodsUpdating", podsUpdating},
	{"cloud-credential", 50, 40 * time.Second, "Reconciling", "5 of 7 credentials requests provisioned"},
	{"console", 50, 2 * time.Minute, "SyncLoopRefresh_InProgress", "SyncLoopRefreshProgressing: working toward version"},
	{"csi-snapshot-controller", 50, time.Minute, "CSISnapshotController_Deploying", deploying},
	{"image-registry", 50, 2 * time.Minute, "DeploymentNotCompleted", "The deployment has not completed"},
	{"ingress", 50, 3 * time.Minute, "Reconciling", "Not all ingress controllers are available."},
	{"insights", 50, 40 * time.Second, "", ""},
	{"marketplace", 50, 40 * time.Second, "OperatorStarting", "Currently installing"},
	{"monitoring", 50, 4 * time.Minute, "RollOutInProgress", "Rolling out the stack."},
	{"node-tuning", 50, time.Minute, "Reconciling", "Waiting for 4/9 Profiles to be applied"},
	{"openshift-apiserver", 50, 3 * time.Minute, "APIServerDeployment_PodsUpdating", podsUpdating},
	{"openshift-controller-manager", 50, time.Minute, "_DesiredStateNotYetAchieved", deploying},
	{"openshift-samples", 50, time.Minute, "", ""},
	{"operator-lifecycle-manager", 50, time.Minute, "", ""},
	{"operator-lifecycle-manager-catalog", 50, time.Minute, "", ""},
	{"operator-lifecycle-manager-packageserver", 50, time.Minute, "", ""},
	{"service-ca", 50, 40 * time.Second, "_ManagedDeploymentsAvailable", deploying},
	{"storage", 50, 3 * time.Minute, "AWSEBSCSIDriverOperatorCR_AWSEBSDriverNodeServiceController_Deploying", deploying},
	{"dns", 70, 2 * time.Minute, "DNSReportsProgressingIsTrue", `DNS "default" reports Progressing=True: "Have 4 available DNS pods, want 9."`},
	{networkOperator, 70, 4 * time.Minute, "Deploying", daemonRollout},
	// The duration of the last one depends on the nodes of the control plane.
	{machineConfigOperator, 80, 0, "", ""},
}

// operands are what else than itself an operator reports the version of, as its manifest in the payload lists it.
var operands = map[string][]string{
	"authentication":                     {"oauth-apiserver", "oauth-openshift"},
	"config-operator":                    {"feature-gates"},
	"csi-snapshot-controller":            {"csi-snapshot-controller"},
	"dns":                                {"coredns", "openshift-cli", "kube-rbac-proxy"},
	"etcd":                               {"raw-internal", "etcd"},
	"ingress":                            {"ingress-controller", "canary-server"},
	"kube-apiserver":                     {"raw-internal", "kube-apiserver"},
	"kube-controller-manager":            {"raw-internal", "kube-controller-manager"},
	"kube-scheduler":                     {"raw-internal", "kube-scheduler"},
	machineConfigOperator:                {operatorImageOperand},
	"node-tuning":                        {"ocp-tuned"},
	"openshift-apiserver":                {"openshift-apiserver"},
	"operator-lifecycle-manager":         {"operator-lifecycle-manager"},
	"operator-lifecycle-manager-catalog": {"operator-lifecycle-manager"},
	"operator-lifecycle-manager-packageserver": {"packageserver"},
}

const operatorImageOperand = "operator-image"

// imageOperands are those whose version is an image.
var imageOperands = []string{"coredns", "openshift-cli", "kube-rbac-proxy", "ingress-controller", "canary-server"}

func operandsOf(operator string) []string {
	return slices.Clone(operands[operator])
}

// operandVersion is what an operator reports of an operand: an image of some.
func operandVersion(operand, release, images string) string {
	switch {
	case operand == operatorImageOperand:
		return operatorImage(images)
	case slices.Contains(imageOperands, operand):
		return "quay.example.com/" + operand + "@sha256:" + builders.Digest(operand+images)
	default:
		return release
	}
}

// payloadOf returns the plans of the operators with some names, or of all operators of a real payload.
func payloadOf(names []string) []operatorPlan {
	if len(names) == 0 {
		return payload
	}
	return slices.DeleteFunc(slices.Clone(payload), func(plan operatorPlan) bool { return !slices.Contains(names, plan.name) })
}

// levelsOf returns the operators of a payload by run level.
func levelsOf(plans []operatorPlan) [][]operatorPlan {
	var result [][]operatorPlan
	for at, plan := range plans {
		if at == 0 || plan.level != plans[at-1].level {
			result = append(result, nil)
		}
		last := len(result) - 1
		result[last] = append(result[last], plan)
	}
	return result
}

func planOf(name string) operatorPlan {
	for _, plan := range payload {
		if plan.name == name {
			return plan
		}
	}
	return operatorPlan{name: name}
}
