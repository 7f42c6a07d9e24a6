package truncate

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

const (
	// MaxObjectBytes is what the object may take in etcd, as JSON with its managedFields. etcd refuses 1.5 MiB, and all clients
	// that watch the object receive all of it with each write.
	MaxObjectBytes = 1 << 20

	// metadataBytes is left for the object's own metadata (labels, annotations, the frame of managedFields), and as a margin.
	metadataBytes = 32 << 10

	// statusBytes is what the status may grow to.
	statusBytes = MaxObjectBytes - metadataBytes

	// slackBytes is left free when something comes in again: a text that grows and shrinks by a few bytes moves nothing.
	slackBytes = 8 << 10

	// listBytes is what the insights about nodes may take, some 400 nodes: beyond it nodes are listed by name, until they take
	// listSlackBytes less. A write costs the API server 0.8 to 1 ms of CPU for each KiB of the object.
	listBytes      = 256 << 10
	listSlackBytes = 32 << 10

	// maxWorkerPools is what the schema allows.
	maxWorkerPools = 1024
)

// Input is what a status is made to fit by.
type Input struct {
	// Status has an insight about every node, and nothing is left out of it. It is not changed.
	Status *updatev1alpha1.UpdateStatusStatus
	// Previous is what was stored before: what it has stays rather than what it has not.
	Previous *updatev1alpha1.UpdateStatusStatus
	// Rejected returns why the API server rejects an insight of this controller, empty if it does not. It is left out.
	Rejected func(source insight.Source, uid string) string
	// Complete and NodesComplete are whether all sources, and that of nodes, are complete. The insights of a source that is
	// not are those of the previous status, and what is left out of them is what was left out of that.
	Complete, NodesComplete bool
	Now                     metav1.Time
}

// Result is a status that fits. It shares insights with that of the input.
type Result struct {
	Status *updatev1alpha1.UpdateStatusStatus
	// JSON is the status, encoded.
	JSON []byte
	// LeftOut is the number of insights that are left out. Nodes that are listed by name are not.
	LeftOut int
}

// fitter makes one status fit.
type fitter struct {
	Input

	// rejected are why insights were rejected.
	rejected map[insight.Part][]string
}

// Fit returns a status that keeps the object below MaxObjectBytes.
func Fit(in Input) Result {
	f := &fitter{Input: in, rejected: map[insight.Part][]string{}}
	fitting := f.withoutRejected()
	if f.mustListNodes(fitting) {
		fitting = changeInsights(fitting, func(_ insight.Part, _ insight.Source, insights []updatev1alpha1.Insight) []updatev1alpha1.Insight {
			return insight.ListNodes(insights)
		})
	}
	fitting = f.shrink(fitting)
	return Result{Status: fitting, JSON: encode(fitting), LeftOut: countInsights(in.Status) - countInsights(fitting)}
}

// shrink cuts texts, and leaves insights out if that is not enough.
func (f *fitter) shrink(whole *updatev1alpha1.UpdateStatusStatus) *updatev1alpha1.UpdateStatusStatus {
	limitBefore, wasTruncated := limitOf(f.Previous), truncation(f.Previous.Conditions) != nil
	for at, limit := range textLimits {
		short := f.withConditions(shortened(whole, limit), nil)
		// Texts that were cut before stay so until there is some slack, as does what was left out.
		space := statusBytes
		if at < limitBefore || wasTruncated {
			space -= slackBytes
		}
		if sizeOf(short) <= space && len(short.WorkerPools) <= maxWorkerPools {
			return short
		}
	}
	short := shortened(whole, textLimits[len(textLimits)-1])
	choice := f.newChoice(short)
	for space := statusBytes; ; {
		out := choice.leaveOut(space)
		fitting := f.withConditions(without(short, out), out)
		over := sizeOf(fitting) - statusBytes
		if over <= 0 || space <= 0 {
			return fitting
		}
		space -= over // the conditions take it
	}
}

// withoutRejected returns the status without what the API server rejects.
func (f *fitter) withoutRejected() *updatev1alpha1.UpdateStatusStatus {
	return changeInsights(f.Status, func(part insight.Part, source insight.Source, insights []updatev1alpha1.Insight) []updatev1alpha1.Insight {
		rejected := f.rejected[part]
		for _, one := range insights {
			if why := f.Rejected(source, one.UID); why != "" {
				rejected = append(rejected, why)
			}
		}
		if len(rejected) == len(f.rejected[part]) {
			return insights
		}
		f.rejected[part] = rejected
		return slices.DeleteFunc(slices.Clone(insights), func(one updatev1alpha1.Insight) bool { return f.Rejected(source, one.UID) != "" })
	})
}

// mustListNodes returns whether nodes are listed by name. Until the source of nodes is complete, they are if they were: their
// insights have no times then.
func (f *fitter) mustListNodes(status *updatev1alpha1.UpdateStatusStatus) bool {
	used, were := 0, false
	eachInsight(f.Previous, func(_ part, one *updatev1alpha1.Insight) {
		pool := insight.PoolOf(one)
		were = were || pool != nil && len(pool.NodeGroups) > 0
	})
	if were && !f.NodesComplete {
		return true
	}
	eachInsight(status, func(_ part, one *updatev1alpha1.Insight) {
		if one.Node != nil {
			used += len(encode(one))
		}
	})
	return used > listBytes || were && used > listBytes-listSlackBytes
}
