package assess

import (
	corev1 "k8s.io/api/core/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"
)

// Reads is what is read of an object besides its other fields: the types of its conditions, and its annotations.
type Reads struct {
	Conditions  []string
	Annotations []string
}

// What assessments read, beside what their health checks declare. Trim keeps both.
var (
	versionReads  = with(versionChecks, Reads{Conditions: []string{string(configv1.OperatorProgressing)}})
	operatorReads = with(operatorChecks, Reads{Conditions: []string{string(configv1.OperatorProgressing)}})
	poolReads     = with(poolChecks, Reads{Conditions: []string{string(machineconfigv1.MachineConfigPoolUpdating)}})
	nodeReads     = with(nodeChecks, Reads{
		Conditions: []string{string(corev1.NodeReady)},
		Annotations: []string{
			CurrentConfigAnnotation, DesiredConfigAnnotation, CurrentImageAnnotation, DesiredImageAnnotation,
			StateAnnotation, DesiredDrainAnnotation, LastAppliedDrainAnnotation, PostConfigActionAnnotation,
		},
	})
)

// NodeReads returns what is read of Nodes. It must not be changed.
func NodeReads() Reads {
	return nodeReads
}

// with adds what the health checks of a kind read.
func with[F any](checks []check[F], all Reads) Reads {
	for _, one := range checks {
		all.Conditions = append(all.Conditions, one.row.Reads.Conditions...)
		all.Annotations = append(all.Annotations, one.row.Reads.Annotations...)
	}
	return all
}

// annotations returns the annotations that are read.
func (r Reads) annotations(of map[string]string) map[string]string {
	picked := make(map[string]string, len(r.Annotations))
	for _, key := range r.Annotations {
		if value, found := of[key]; found {
			picked[key] = value
		}
	}
	return picked
}
