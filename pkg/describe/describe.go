package describe

import (
	"errors"
	"io"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// Details says which part of the text is written in full.
type Details string

const (
	// DetailsNone writes the short text. The zero value does the same.
	DetailsNone Details = "none"
	// DetailsAll writes every part in full.
	DetailsAll Details = "all"
	// DetailsNodes writes all nodes.
	DetailsNodes Details = "nodes"
	// DetailsHealth writes descriptions and references of what needs attention.
	DetailsHealth Details = "health"
	// DetailsOperators writes what the updating cluster operators say.
	DetailsOperators Details = "operators"
)

// AllDetails returns every value that Details can have.
func AllDetails() []Details {
	return []Details{DetailsNone, DetailsAll, DetailsNodes, DetailsHealth, DetailsOperators}
}

func (d Details) include(part Details) bool {
	return d == DetailsAll || d == part
}

// Options say how to look at the object.
type Options struct {
	// Now is the moment of looking: durations end here.
	Now time.Time
	// Details says which part is written in full.
	Details Details
	// Width is the number of columns that the text may have, zero if it does not matter. Messages in tables are cut to
	// it, unless details of the table's part are asked for.
	Width int
	// Color gives assessments and levels that stand out the colours of a terminal.
	Color bool
}

// NotUpdating is whether it is known that no update goes on: Updating of the control plane is False, every worker pool
// that has nodes is complete, and the controller does not say that it can't tell.
func NotUpdating(us *updatev1alpha1.UpdateStatus) bool {
	return !meta.IsStatusConditionFalse(us.Status.Conditions, updatev1alpha1.ConditionAvailable) && readCluster(&us.Status).notUpdating()
}

// WriteLastUpdate writes a line about the last update of the control plane, if it is known to be complete.
func WriteLastUpdate(w io.Writer, us *updatev1alpha1.UpdateStatus) error {
	cp := readCluster(&us.Status).controlPlane
	if !cp.complete() {
		return nil
	}
	page := &page{}
	page.line("The last update of the control plane, to %s, was completed at %s%s", cp.target(),
		cp.version.CompletedAt.UTC().Format(time.RFC3339), took(cp.version))
	return page.flush(w)
}

// Write writes an UpdateStatus as text. The order of its sections is the one of the calls below.
func Write(w io.Writer, us *updatev1alpha1.UpdateStatus, options Options) error {
	if us == nil {
		return errors.New("there is no UpdateStatus to describe")
	}
	cluster := readCluster(&us.Status)
	page := &page{Options: options}
	if cluster.notUpdating() {
		writeNotUpdating(page, cluster)
	} else {
		writeControlPlane(page, cluster.controlPlane)
		writeOperators(page, cluster.controlPlane)
		writeControlPlaneNodes(page, cluster.controlPlane)
		writeWorkers(page, cluster)
		writeHealth(page, cluster)
		writeAlertsMissing(page, cluster)
		writeLeftOut(page, cluster)
	}
	return page.flush(w)
}
