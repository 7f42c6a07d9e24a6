package status

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// rejection is an insight that the API server rejected.
type rejection struct {
	// entry is what was rejected, nil for an insight of a source that was not complete.
	entry *cacheEntry
	// why is the uid of the insight, its field, and the message of the API server.
	why string
}

// isOf returns whether the content of an insight is the one that was rejected.
func (r rejection) isOf(entry *cacheEntry) bool {
	if r.entry == nil || entry == nil {
		return r.entry == entry
	}
	return equality.Semantic.DeepEqual(r.entry.merged, entry.merged)
}

// whyMaxLength bounds why something was rejected, in characters: the message of the API server has the rejected value.
const whyMaxLength = 256

// refusalMaxLength bounds why nothing is stored, in characters. That of a missing permission has 250, and names before it.
const refusalMaxLength = 512

var insightPath = regexp.MustCompile(`^status\.(?:controlPlane|(?:worker|node)Pools\[(\d+)\])\.informers\[(\d+)\]\.insights\[(\d+)\]\.?(.*)$`)

// Reject leaves out of the next statuses the insights of this controller that the causes of an error name, until the content of
// the insight changes. The error is that of the API server about the status that Fit returned last. Reject returns why each of them
// was rejected: nothing if the causes name none.
func (b *Builder) Reject(causes []metav1.StatusCause) []string {
	var rejected []string
	for _, cause := range causes {
		path := insightPath.FindStringSubmatch(cause.Field)
		if path == nil {
			continue
		}
		key, found := b.insightAt(path[1], path[2], path[3])
		if _, known := b.rejected[key]; known || !found {
			continue
		}
		why := key.uid + ": " + Cause(metav1.StatusCause{Field: path[4], Message: cause.Message})
		b.rejected[key] = rejection{b.cache[key], why}
		rejected = append(rejected, why)
	}
	return rejected
}

// insightAt returns the insight at some indexes of the status that Fit returned last, if there is one. An empty
// pool is the control plane.
func (b *Builder) insightAt(pool, informer, at string) (key cacheKey, found bool) {
	var informers []updatev1alpha1.Informer
	switch {
	case pool != "":
		informers = elementAt(b.fitted.WorkerPools, pool).Informers
	case b.fitted.ControlPlane != nil:
		informers = b.fitted.ControlPlane.Informers
	}
	source := elementAt(informers, informer)
	key = cacheKey{insight.Source(source.Name), elementAt(source.Insights, at).UID}
	return key, key.uid != ""
}

// elementAt returns an element of a list, the zero value if there is none at the index.
func elementAt[T any](list []T, index string) T {
	var element T
	if at, err := strconv.Atoi(index); err == nil && at < len(list) {
		element = list[at]
	}
	return element
}

// whyRejected returns why an insight was rejected, empty if it was not.
func (b *Builder) whyRejected(source insight.Source, uid string) string {
	return b.rejected[cacheKey{source, uid}].why
}

// Cause returns the field and the message of the cause of an error.
func Cause(cause metav1.StatusCause) string {
	return insight.Shorten(insight.OneLine(strings.TrimPrefix(cause.Field+": "+cause.Message, ": ")), whyMaxLength)
}

// NotWritten returns the condition of a status that could not be stored since a moment, for the summary: the object itself can't say it.
// Its message has that of the API server.
func NotWritten(err error, since metav1.Time) metav1.Condition {
	why := err.Error()
	if refusal := apierrors.APIStatus(nil); errors.As(err, &refusal) && refusal.Status().Message != "" {
		why = refusal.Status().Message
	}
	unwritten := condition(updatev1alpha1.ConditionAvailable, metav1.ConditionFalse, updatev1alpha1.ReasonNotWritten,
		"The API server does not store the status, so the object may be outdated: "+insight.Shorten(insight.OneLine(why), refusalMaxLength))
	unwritten.LastTransitionTime = since
	return unwritten
}

// Rejected returns a stored status with the condition that the API server rejects the next one, and why.
func Rejected(stored updatev1alpha1.UpdateStatusStatus, why string, now metav1.Time) updatev1alpha1.UpdateStatusStatus {
	next := *stored.DeepCopy()
	rejected := condition(updatev1alpha1.ConditionAvailable, metav1.ConditionFalse, updatev1alpha1.ReasonRejected,
		"The API server rejects the status, so the insights may be outdated: "+why)
	rejected = keepTime(rejected, next.Conditions, evalTime{Time: now})
	// The condition is the first of those that a controller writes.
	next.Conditions = slices.DeleteFunc(next.Conditions, func(one metav1.Condition) bool { return one.Type == rejected.Type })
	next.Conditions = slices.Insert(next.Conditions, 0, rejected)
	return next
}
