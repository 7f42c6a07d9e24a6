package simulator

import (
	"time"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// Faults are scripts of updates that do not get on because of their release or what applies it, by name. Tests play them, and the demo those that
// an administrator can repair.
var Faults = map[string]func(update *Update){
	// By a webhook, or a policy that answers with the reason Forbidden.
	"refused-manifest": failsAt("monitoring", Failure{
		Reason: "UpdatePayloadResourceForbidden", Summary: builders.CVOTask.Says("the server is rejecting updates"),
		Message: builders.CVOTask.Says(`Could not update deployment "openshift-monitoring/cluster-monitoring-operator" (517 of 903): the server has forbidden updates to this resource`),
	}),
	"invalid-crd": failsAt("machine-api", Failure{
		Reason: "UpdatePayloadResourceInvalid", Summary: builders.CVOTask.Says("some cluster configuration is invalid"),
		Message: builders.CVOTask.Says(`Could not update customresourcedefinition "machinehealthchecks.machine.openshift.io" (213 of 903): ` +
			`the object is invalid, possibly due to local cluster configuration`),
	}),
	"stuck-deployment": failsAt("dns", Failure{
		Reason: "WorkloadNotAvailable", Summary: builders.CVOTask.Says("the workload openshift-dns-operator/dns-operator has not yet successfully rolled out"),
		Message: builders.CVOWorkloads.Says(`deployment openshift-dns-operator/dns-operator is not available MinimumReplicasUnavailable (Deployment does not have minimum availability.) ` +
			`or progressing ProgressDeadlineExceeded (ReplicaSet "dns-operator-6c6df4c7db" has timed out progressing.)`),
		Then: &Failure{
			Reason: "WorkloadNotProgressing", Summary: builders.CVOTask.Says("the workload openshift-dns-operator/dns-operator cannot roll out"),
			Message: builders.CVOWorkloads.Says(`deployment openshift-dns-operator/dns-operator is Progressing=False: ProgressDeadlineExceeded: ` +
				`ReplicaSet "dns-operator-6c6df4c7db" has timed out progressing.`),
		},
	}),
	"late-manifest": failsAt("", Failure{
		Reason: "UpdatePayloadFailed", Summary: builders.CVOTask.Says("the update could not be applied"),
		Message: builders.CVOTask.Says(`Could not update servicemonitor "openshift-console/console" (899 of 903)`),
	}),
	// It does not say that it progresses.
	"silent-operator": func(update *Update) {
		update.SlowOperators = map[string]time.Duration{"openshift-samples": 24 * time.Hour}
	},
	"slow-operator": func(update *Update) { update.SlowOperators = map[string]time.Duration{"monitoring": 24 * time.Hour} },
	// The DaemonSet of the network operator waits for it, before 4.22.
	"held-network":  func(update *Update) { update.Unready = map[string]bool{NodeName("infra", 1): true} },
	"killed-cvo":    func(update *Update) { update.Killed = 15 * time.Minute },
	"frozen-status": func(update *Update) { update.StatusRefused = 15 * time.Minute },
}

func failsAt(operator string, failure Failure) func(*Update) {
	failure.Operator = operator
	return func(update *Update) { update.Failure = failure }
}
