package describe

import (
	"errors"
	"io"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// Details is the part of the text that is written in full.
type Details string

const (
	// DetailsNone writes the short text. The zero value does the same.
	DetailsNone Details = "none"
	// DetailsAll writes every part in full.
	DetailsAll Details = "all"
	// DetailsNodes writes all nodes.
	DetailsNodes Details = "nodes"
	// DetailsHealth writes the descriptions and references of health insights.
	DetailsHealth Details = "health"
	// DetailsOperators writes the messages of the cluster operators that are updating.
	DetailsOperators Details = "operators"
)

// AllDetails returns every value that Details can have.
func AllDetails() []Details {
	return []Details{DetailsNone, DetailsAll, DetailsNodes, DetailsHealth, DetailsOperators}
}

func (d Details) include(part Details) bool {
	return d == DetailsAll || d == part
}

// Options of the text.
type Options struct {
	// Now is the time at which durations end.
	Now time.Time
	// Details is the part that is written in full.
	Details Details
	// Width is the number of columns to cut messages in tables to, unless the details of the table's part are included.
	// Zero is no limit.
	Width int
	// Color adds terminal colors to assessments and levels that stand out.
	Color bool
	// Outdated is why the UpdateStatus is outdated, empty if it is not. It is written first.
	Outdated string
}

// NotUpdating returns whether no update is in progress: Updating of the control plane is False, every worker pool with
// nodes is complete, and the controller is not unavailable.
func NotUpdating(us *updatev1alpha1.UpdateStatus) bool {
	return !meta.IsStatusConditionFalse(us.Status.Conditions, updatev1alpha1.ConditionAvailable) && readCluster(&us.Status).notUpdating()
}

// WriteLastUpdate writes a line about the last update of the control plane, or nothing unless it is complete.
func WriteLastUpdate(w io.Writer, us *updatev1alpha1.UpdateStatus, now time.Time) error {
	cp := readCluster(withKnownTimes(us, now)).controlPlane
	if !cp.complete() {
		return nil
	}
	page := &page{}
	page.line("The last update of the control plane, to %s, completed at %s%s", cp.target(),
		cp.version.CompletedAt.UTC().Format(time.RFC3339), totalDuration(cp.version))
	return page.flush(w)
}

// withKnownTimes returns the status without the times that cannot be true.
func withKnownTimes(us *updatev1alpha1.UpdateStatus, now time.Time) *updatev1alpha1.UpdateStatusStatus {
	status := us.Status.DeepCopy()
	insight.DropUnknownTimes(status, now, metav1.Time{})
	return status
}

// Write writes an UpdateStatus as text. Its sections are in the order of the calls below.
func Write(w io.Writer, us *updatev1alpha1.UpdateStatus, options Options) error {
	if us == nil {
		return errors.New("no UpdateStatus to describe")
	}
	cluster := readCluster(withKnownTimes(us, options.Now))
	page := &page{Options: options}
	if options.Outdated != "" {
		page.line("This is outdated: %s.", options.Outdated)
	}
	switch {
	case cluster.notUpdating() && options.Outdated != "":
	case cluster.notUpdating():
		writeNotUpdating(page, cluster)
	default:
		writeControlPlane(page, cluster.controlPlane)
		writeOperators(page, cluster.controlPlane)
		writeControlPlaneNodes(page, cluster.controlPlane)
		writeWorkers(page, cluster)
		writeHealth(page, cluster)
		writeNotes(page, cluster)
	}
	return page.flush(w)
}
