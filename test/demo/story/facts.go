package story

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// facts are what headlines need of a version of the UpdateStatus.
type facts struct {
	// available is whether the controller can tell, and if not why.
	available bool
	why       string
	// leftOut is whether something was left out to bound the object.
	leftOut bool

	// version is the insight on the control plane as a whole, nil if there is none.
	version *updatev1alpha1.ClusterVersionInsight
	// operators says of each operator whether it is updated, nodes of each node whether it is being updated, and pools of
	// each pool whether it is complete.
	operators, nodes, pools map[string]bool
	// workerPools are the names of the pools outside the control plane, in the order of the status.
	workerPools []string
	// alarms are what needs attention, by uid; alarmUIDs are their uids in the order of the status.
	alarms    map[string]updatev1alpha1.HealthImpact
	alarmUIDs []string
}

func read(us *updatev1alpha1.UpdateStatus) *facts {
	status := us.Status
	f := &facts{
		leftOut:   meta.IsStatusConditionFalse(status.Conditions, updatev1alpha1.ConditionInsightsComplete),
		operators: map[string]bool{},
		nodes:     map[string]bool{},
		pools:     map[string]bool{},
		alarms:    map[string]updatev1alpha1.HealthImpact{},
	}
	if available := meta.FindStatusCondition(status.Conditions, updatev1alpha1.ConditionAvailable); available != nil {
		f.available = available.Status == metav1.ConditionTrue
		f.why = strings.TrimSpace(available.Reason + " " + available.Message)
	}
	if status.ControlPlane != nil {
		f.readInformers(status.ControlPlane.Informers)
	}
	for _, pool := range status.WorkerPools {
		f.readInformers(pool.Informers)
	}
	return f
}

func (f *facts) readInformers(informers []updatev1alpha1.Informer) {
	for _, informer := range informers {
		for at := range informer.Insights {
			f.readInsight(&informer.Insights[at])
		}
	}
}

func (f *facts) readInsight(one *updatev1alpha1.Insight) {
	switch {
	case one.ClusterVersion != nil:
		f.version = one.ClusterVersion
	case one.ClusterOperator != nil:
		updating := meta.FindStatusCondition(one.ClusterOperator.Conditions, updatev1alpha1.ConditionUpdating)
		f.operators[one.ClusterOperator.Name] = updating != nil && updating.Reason == updatev1alpha1.ReasonUpdated
	case one.MachineConfigPool != nil:
		f.pools[one.MachineConfigPool.Name] = one.MachineConfigPool.Completion == 100
		if one.MachineConfigPool.ScopeType == updatev1alpha1.ScopeWorkerPool {
			f.workerPools = append(f.workerPools, one.MachineConfigPool.Name)
		}
	case one.Node != nil:
		f.nodes[one.Node.Name] = meta.IsStatusConditionTrue(one.Node.Conditions, updatev1alpha1.ConditionUpdating)
	case one.Health != nil && isAlarm(one.Health.Impact.Level):
		f.alarms[one.UID] = one.Health.Impact
		f.alarmUIDs = append(f.alarmUIDs, one.UID)
	}
}

func isAlarm(level updatev1alpha1.HealthLevel) bool {
	switch level {
	case updatev1alpha1.LevelWarning, updatev1alpha1.LevelError, updatev1alpha1.LevelCritical:
		return true
	default:
		return false
	}
}

func (f *facts) updating() bool {
	return f.version != nil && meta.IsStatusConditionTrue(f.version.Conditions, updatev1alpha1.ConditionUpdating)
}

func (f *facts) requested() bool {
	return f.version != nil && f.version.Requested != nil
}

func (f *facts) target() string {
	if f.version == nil || f.version.Versions.Target == nil {
		return "another version"
	}
	return f.version.Versions.Target.Version
}

func (f *facts) controlPlaneDone() bool {
	return f.version != nil && f.version.CompletedAt != nil && !f.updating()
}

// trueOf counts those of which something is true.
func trueOf(of map[string]bool) int {
	counted := 0
	for _, is := range of {
		if is {
			counted++
		}
	}
	return counted
}
