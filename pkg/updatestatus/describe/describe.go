package describe

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
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
	// Head is the summary of the whole update, with which the text begins. Without it the text is the classic one, that of
	// `oc adm upgrade status`: it also has no days in durations, no estimates of pools, and cuts long messages instead of wrapping
	// them.
	Head *updatev1alpha1.UpdateStatusSummaryStatus
	// PoolOrder are the names of the pools in the order in which the classic text has them, nil for the order in which an API server lists
	// them: by name.
	PoolOrder []string
	// ConfirmedAt is when the controller last confirmed the status of a cluster, nil if that is not known. Its age is in the head.
	ConfirmedAt *metav1.Time
	// AsOf is what the time of a text from files is, empty for a cluster. It is in the head.
	AsOf string
	// Width is the number of columns of the terminal, zero if there is no limit. The classic text cuts the messages in its tables
	// to it, unless the details of the table's part are included.
	Width int
	// Rows is the number of rows of the terminal, zero if it is not known. A timeline fits it; the head of a text that does not is repeated
	// at its end.
	Rows int
	// ASCII replaces the characters that a terminal without UTF-8 does not have.
	ASCII bool
	// Color adds terminal colors to assessments and levels that stand out.
	Color bool
	// Outdated is why the UpdateStatus is outdated, empty if it is not. It is written first.
	Outdated string
	// Instead is what an outdated UpdateStatus says of which, and why it is, one sentence each: the text is about the cluster as it was
	// assessed instead. It is written first.
	Instead []string
	// Incomplete is what the files lack from which the UpdateStatus was made. It is written first.
	Incomplete []string
	// MissingNodes is which nodes they lack by the counts of the pools. The classic text does not have it.
	MissingNodes []string
	// More is what else there is to see, the last line of the text of an update, empty for none.
	More string
	// Object is the UpdateStatus with the settings of UpdateInformers, which the text says how to change; without it, it does not say so.
	Object *updatev1alpha1.UpdateStatus
}

// isIncomplete returns whether anything is missing.
func (o Options) isIncomplete() bool {
	return len(o.Incomplete)+len(o.MissingNodes) > 0
}

// missing returns what is missing, as far as the text has it.
func (o Options) missing() []string {
	if o.Head == nil {
		return o.Incomplete
	}
	return slices.Concat(o.Incomplete, o.MissingNodes)
}

// Write writes an update as text. Its sections are in the order of the calls below.
func Write(w io.Writer, u *update.Update, options Options) error {
	if u == nil {
		return errors.New("no update to describe")
	}
	u = u.Sorted()
	page := &page{Options: options, hasBars: options.Head != nil}
	page.writeNotices(u)
	if options.Head == nil {
		writeClassic(page, u)
		return page.flush(w)
	}
	writeHead(page, u, headProblems)
	writeWhole(page, u)
	if options.More != "" && isUnderway(options.Head) {
		page.blank()
		page.line("More: %s", options.More)
	}
	if options.Rows > 0 && page.height() >= options.Rows {
		page.blank()
		page.writeNotices(u)
		writeHead(page, u, endProblems)
	}
	return page.flush(w)
}

// writeClassic writes the text of `oc adm upgrade status`.
func writeClassic(page *page, u *update.Update) {
	order := func(pool *update.Pool) int { return slices.Index(page.PoolOrder, pool.Name) }
	slices.SortStableFunc(u.Pools, func(a, b *update.Pool) int {
		return cmp.Or(cmp.Compare(order(a), order(b)), cmp.Compare(a.Name, b.Name))
	})
	switch {
	case u.State.IsAsked():
		page.line("The cluster is not updating.")
	case u.State.IsComplete() && page.Outdated != "":
	case u.State.IsComplete() && (page.isIncomplete() || meta.IsStatusConditionFalse(u.Conditions, updatev1alpha1.ConditionAvailable)):
		page.line("No update appears to be in progress.")
	case u.State.IsComplete():
		page.line("The cluster is not updating.")
	default:
		writeControlPlane(page, &u.ControlPlane)
		writeOperators(page, &u.ControlPlane)
		writeControlPlaneNodes(page, &u.ControlPlane)
		writeWorkers(page, u)
		writeHealth(page, u)
	}
}
