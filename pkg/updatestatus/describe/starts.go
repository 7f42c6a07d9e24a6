package describe

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/checks"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
)

// start is when a health insight started.
type start struct {
	// at is nil if that is not known.
	at *metav1.Time
	// isObserved is whether that is when its condition was first observed: it may be older.
	isObserved bool
	// pod is since when the pod that it names is as it is, nil if it names none or that is not known.
	pod *metav1.Time
}

// startOf returns when a health insight with a uid started.
func startOf(uid string, at *metav1.Time) start {
	return start{at: at, isObserved: checks.Of(uid).StartsWhenObserved}
}

// startOfGroup returns when the first of a group started. Its members are of one check.
func startOfGroup(group causes.Group) start {
	since := startOf(group.Members[0].UID, group.Since())
	if pod := group.Members[0].Health.Pod; pod != nil {
		since.pod = pod.Since
	}
	return since
}

// lasted returns for how long a condition has lasted, beside a label: "22m", "at least 22m", "-" if that is not known.
func (c clock) lasted(since start) string {
	if since.at.IsZero() {
		return "-"
	}
	lasted := c.rounded(c.now.Sub(since.at.Time))
	if since.isObserved && c.now.Sub(since.at.Time) >= time.Second {
		return "at least " + lasted
	}
	return lasted
}

// lasting returns the same at the end of a sentence: "for 22m", "for at least 22m", "just now", "" if it is not known.
func (c clock) lasting(since start) string {
	switch {
	case since.at.IsZero():
		return ""
	case c.now.Sub(since.at.Time) < time.Second:
		return "just now"
	case since.isObserved:
		return "for at least " + c.rounded(c.now.Sub(since.at.Time))
	default:
		return "for " + c.rounded(c.now.Sub(since.at.Time))
	}
}
