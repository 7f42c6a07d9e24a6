package reference

// The roots of the documentation. docs.redhat.com keeps the pages of a release at their address, and renames them from one release
// to the next: so the links are those of one release, and not of "latest".
const (
	openshift  = "https://docs.redhat.com/en/documentation/openshift_container_platform/4.21/html"
	monitoring = "https://docs.redhat.com/en/documentation/monitoring_stack_for_red_hat_openshift/4.21/html"
	kubernetes = "https://kubernetes.io/docs"
	runbooks   = "https://github.com/openshift/runbooks/blob/master/alerts"
)

// Pages of the documentation of OpenShift.
const (
	// Alerts is the page for alerts without a runbook.
	Alerts = monitoring + "/managing_alerts/managing-alerts-as-an-administrator"
	// HostedTroubleshooting is the page about hosted clusters that have problems.
	HostedTroubleshooting = openshift + "/hosted_control_planes/hcp-troubleshooting"
	// HostedUpdates is the page about updates of hosted clusters and node pools.
	HostedUpdates = openshift + "/hosted_control_planes/hcp-updating"
	// LiveMigration is the page about live migration of virtual machines.
	LiveMigration = openshift + "/virtualization/live-migration"
	// MachineConfigOperator is the page about the conditions of nodes and pools.
	MachineConfigOperator = openshift + "/machine_configuration/machine-config-index"
	// NodeHealth is the page about nodes that are not ready.
	NodeHealth = openshift + "/support/troubleshooting#verifying-node-health"
	// PausedPools is the page about paused pools.
	PausedPools = openshift + "/support/troubleshooting#troubleshooting-disabling-autoreboot-mco_troubleshooting-operator-issues"
	// Updating is the page about updates that have problems.
	Updating = openshift + "/updating_clusters/troubleshooting-a-cluster-update"
	// UpdateTroubleshooting is the page about updates that do not start.
	UpdateTroubleshooting = openshift + "/updating_clusters/troubleshooting-a-cluster-update#recovering-update-before-applied"
	// VersionHistory is the page about the history of a ClusterVersion.
	VersionHistory = openshift + "/updating_clusters/troubleshooting-a-cluster-update#gathering-clusterversion-history-cli_troubleshooting_updates"
)

// Pages of the documentation of Kubernetes.
const (
	// Budgets is the page about PodDisruptionBudgets.
	Budgets = kubernetes + "/tasks/run-application/configure-pdb/"
	// PodTermination is the page about pods that are being deleted.
	PodTermination = kubernetes + "/concepts/workloads/pods/pod-lifecycle/#pod-termination"
	// StuckEvictions is the page about evictions that do not succeed.
	StuckEvictions = kubernetes + "/concepts/scheduling-eviction/api-eviction/#troubleshooting-stuck-evictions"
	// UnhealthyPods is the page about PodDisruptionBudgets of pods that are not ready.
	UnhealthyPods = Budgets + "#unhealthy-pod-eviction-policy"
)

// Runbooks of OpenShift's alerts, for insights about the same problem.
const (
	// DrainFailing is the runbook about drains that the Machine Config Operator reports as failed.
	DrainFailing = runbooks + "/machine-config-operator/MachineConfigControllerDrainError.md"
	// OperatorDegraded is the runbook about degraded cluster operators, and about a Cluster Version Operator that can't proceed.
	OperatorDegraded = runbooks + "/cluster-monitoring-operator/ClusterOperatorDegraded.md"
	// OperatorDown is the runbook about unavailable cluster operators.
	OperatorDown = runbooks + "/cluster-monitoring-operator/ClusterOperatorDown.md"
)
