package nodestate

// The annotations that the Machine Config Operator and its daemon set on nodes
// (openshift/machine-config-operator, pkg/daemon/constants).
const (
	annotationPrefix = "machineconfiguration.openshift.io/"

	// CurrentConfigAnnotation names the MachineConfig that a node runs.
	CurrentConfigAnnotation = annotationPrefix + "currentConfig"
	// DesiredConfigAnnotation names the MachineConfig that a node should run.
	DesiredConfigAnnotation = annotationPrefix + "desiredConfig"
	// CurrentImageAnnotation is the operating system image that a node in image mode runs.
	CurrentImageAnnotation = annotationPrefix + "currentImage"
	// DesiredImageAnnotation is the operating system image that a node in image mode should run.
	DesiredImageAnnotation = annotationPrefix + "desiredImage"
	// StateAnnotation is the state of the Machine Config Daemon.
	StateAnnotation = annotationPrefix + "state"
	// ReasonAnnotation is why the daemon failed.
	ReasonAnnotation = annotationPrefix + "reason"
	// DesiredDrainAnnotation is the drain or uncordon that the daemon requests.
	DesiredDrainAnnotation = annotationPrefix + "desiredDrain"
	// LastAppliedDrainAnnotation is the last drain or uncordon that was completed.
	LastAppliedDrainAnnotation = annotationPrefix + "lastAppliedDrain"
	// PostConfigActionAnnotation is what the daemon does after it has applied a configuration: PostConfigActionRebooting from the
	// request of the reboot until the daemon runs again, which sets it to the empty string. Since 4.15; see pkg/daemon/update.go
	// (reboot) and pkg/daemon/daemon.go (syncNode).
	PostConfigActionAnnotation = annotationPrefix + "post-config-action"
)

// PostConfigActionRebooting is the value of PostConfigActionAnnotation while a node reboots.
const PostConfigActionRebooting = "Rebooting"

// The values of StateAnnotation that matter. The daemon defines StateRebooting and never writes it (pkg/daemon/constants): it is
// read from objects of unknown origin.
const (
	StateDone      = "Done"
	StateRebooting = "Rebooting"

	stateDegraded       = "Degraded"
	stateUnreconcilable = "Unreconcilable"
)

// The prefixes of DesiredDrainAnnotation and LastAppliedDrainAnnotation, before the name of the MachineConfig.
const (
	DrainVerb    = "drain-"
	UncordonVerb = "uncordon-"
)
