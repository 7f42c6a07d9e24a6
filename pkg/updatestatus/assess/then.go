package assess

// What happens once what is wrong is mended, for HealthCheck.Then: who tries again by itself. Cluster Version Operator:
// openshift/cluster-version-operator, pkg/cvo/sync_worker.go, Start; Machine Config Operator: openshift/machine-config-operator,
// pkg/daemon/daemon.go (the daemon starts over), pkg/controller/drain/drain_controller.go (failed drains are queued again after one to
// five minutes); HyperShift and Cluster API: their controllers reconcile at each change of an object.
const (
	ThenVersionOperator = "The Cluster Version Operator tries again by itself, every few minutes."
	ThenOperator        = "The operator recovers by itself, and the update goes on."
	ThenDaemon          = "The Machine Config Daemon tries again by itself."
	ThenDrain           = "The drain is tried again by itself, at most five minutes later."
	ThenController      = "The Machine Config Operator goes on by itself."
	ThenKubelet         = "Once the kubelet reports again, the update goes on by itself."
	ThenHyperShift      = "HyperShift goes on by itself."
	ThenReplaced        = "The Cluster API replaces the Machine by itself."
	ThenUnpaused        = "Nothing happens until an administrator changes it."
	ThenReleased        = "The update begins by itself once the release is accepted, at most a few minutes later."
	ThenGone            = "The insight ends by itself."
)
