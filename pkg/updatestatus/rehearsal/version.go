package rehearsal

import (
	"cmp"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/util/version"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
)

// ErrInProgress is why an update can't be rehearsed: another one is in progress or requested.
var ErrInProgress = errors.New("an update is in progress or requested")

// Version returns the version to rehearse an update to: the requested one, or else the newest recommended one. An error says why none can be
// rehearsed.
func Version(cluster standalone.Input, asked string) (string, error) {
	current := cluster.ClusterVersion
	switch {
	case len(current.Status.History) == 0:
		return "", errors.New("the ClusterVersion has no history: the version that the cluster runs is not known")
	case standalone.HasWork(current):
		goal := current.Status.History[0].Version
		if desired := current.Spec.DesiredUpdate; current.Status.History[0].State == configv1.CompletedUpdate && desired != nil {
			goal = cmp.Or(desired.Version, desired.Image)
		}
		return "", fmt.Errorf("%w, to %s: it can't be rehearsed", ErrInProgress, cmp.Or(goal, "an unknown version"))
	case len(cluster.MachineConfigPools) == 0:
		return "", errors.New("there are no MachineConfigPools: which nodes an update would update is not known")
	case len(cluster.Nodes) == 0:
		return "", errors.New("there are no Nodes: how long they would take is not known")
	}
	runs, err := version.ParseSemantic(current.Status.Desired.Version)
	if err != nil {
		return "", fmt.Errorf("the ClusterVersion has the version %q, which is none", current.Status.Desired.Version)
	}
	if asked == "" {
		return newest(current)
	}
	wanted, err := version.ParseSemantic(asked)
	switch {
	case err != nil:
		return "", fmt.Errorf("invalid --to %q: must be a version such as 4.20.3", asked)
	case wanted.LessThan(runs):
		return "", fmt.Errorf("the cluster runs %s: an update to %s would be one to an earlier version, which is not supported", current.Status.Desired.Version, asked)
	case !runs.LessThan(wanted):
		return "", fmt.Errorf("the cluster runs %s already", asked)
	}
	return asked, nil
}

// newest returns the newest of the versions that are recommended.
func newest(current *configv1.ClusterVersion) (string, error) {
	var best *version.Version
	name := ""
	for _, one := range current.Status.AvailableUpdates {
		parsed, err := version.ParseSemantic(one.Version)
		if err == nil && (best == nil || best.LessThan(parsed)) {
			best, name = parsed, one.Version
		}
	}
	if name == "" {
		return "", errors.New("no update is recommended for the cluster: name a version with --to")
	}
	return name, nil
}
