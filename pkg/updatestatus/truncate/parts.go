package truncate

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// part is a part of a status: the control plane or a worker pool. It refers to the status.
type part struct {
	insight.Part

	conditions *[]metav1.Condition
	informers  []updatev1alpha1.Informer
}

// partsOf returns the parts of a status.
func partsOf(status *updatev1alpha1.UpdateStatusStatus) []part {
	var parts []part
	if cp := status.ControlPlane; cp != nil {
		parts = append(parts, part{insight.ControlPlane, &cp.Conditions, cp.Informers})
	}
	for at := range status.WorkerPools {
		pool := &status.WorkerPools[at]
		parts = append(parts, part{insight.Part{WorkerPool: pool.Name}, &pool.Conditions, pool.Informers})
	}
	return parts
}

// eachInsight calls a function with each insight in a status.
func eachInsight(status *updatev1alpha1.UpdateStatusStatus, call func(part, *updatev1alpha1.Insight)) {
	for _, p := range partsOf(status) {
		for _, informer := range p.informers {
			for at := range informer.Insights {
				call(p, &informer.Insights[at])
			}
		}
	}
}

// changeInsights returns a copy of a status with the insights that a function returns.
func changeInsights(
	status *updatev1alpha1.UpdateStatusStatus, change func(insight.Part, insight.Source, []updatev1alpha1.Insight) []updatev1alpha1.Insight,
) *updatev1alpha1.UpdateStatusStatus {
	return insight.WithInsights(status, func(part insight.Part, informer string, insights []updatev1alpha1.Insight) []updatev1alpha1.Insight {
		return change(part, insight.Source(informer), insights)
	})
}

// What managedFields take for each part, which grows with their number: a name for each item of a map, and a member for each
// field. Insights are atomic, and take nothing.
const (
	managedPart      = len(`"k:{\"name\":\"\"}":{".":{},"f:conditions":{".":{}},"f:informers":{".":{}},"f:name":{},"f:resource":{".":{},"f:group":{},"f:name":{},"f:resource":{}}},`)
	managedInformer  = len(`"k:{\"name\":\"\"}":{".":{},"f:insights":{},"f:name":{}},`)
	managedCondition = len(`"k:{\"type\":\"InsightsComplete\"}":{".":{},"f:lastTransitionTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}},`)
)

// sizeOf returns how many bytes a status takes, managedFields included.
func sizeOf(status *updatev1alpha1.UpdateStatusStatus) int {
	size := len(encode(status)) + len(status.Conditions)*managedCondition
	for _, p := range partsOf(status) {
		size += managedPart + len(p.WorkerPool) + len(*p.conditions)*managedCondition
		for _, informer := range p.informers {
			size += managedInformer + len(informer.Name)
		}
	}
	return size
}

// countInsights counts insights and the nodes that are listed by name.
func countInsights(status *updatev1alpha1.UpdateStatusStatus) int {
	count := 0
	for _, p := range partsOf(status) {
		for _, informer := range p.informers {
			count += len(informer.Insights)
			for at := range informer.Insights {
				if pool := insight.PoolOf(&informer.Insights[at]); pool != nil {
					for _, group := range pool.NodeGroups {
						count += len(group.Names)
					}
				}
			}
		}
	}
	return count
}

// encode returns a value of the API as JSON. The types of the API have nothing that can't be encoded.
func encode(value any) []byte {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(err) //nolint:forbidigo // nothing can be done, and it can not happen
	}
	return encoded
}
