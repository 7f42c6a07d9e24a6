package podstate

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// Row is a pod as the API server prints it (kubernetes/kubernetes, pkg/printers/internalversion/printers.go, printPod).
type Row struct {
	Namespace, Name, Ready, Status, Node string
	// Age is for how long the pod exists, zero if that is not known.
	Age time.Duration
}

// The columns of a Row, and what a cell without a value has.
const (
	columnName   = "Name"
	columnReady  = "Ready"
	columnStatus = "Status"
	columnNode   = "Node"
	columnAge    = "Age"
	noValue      = "<none>"
)

// RowsOf returns the rows of a table of the pods of a namespace. It fails if there is a column missing.
func RowsOf(namespace string, table *metav1.Table) ([]Row, error) {
	at := map[string]int{}
	for index, column := range table.ColumnDefinitions {
		at[column.Name] = index
	}
	for _, column := range []string{columnName, columnReady, columnStatus, columnNode, columnAge} {
		if _, found := at[column]; !found {
			return nil, fmt.Errorf("the table of pods has no column %s", column)
		}
	}
	rows := make([]Row, 0, len(table.Rows))
	for _, row := range table.Rows {
		cell := func(column string) string {
			if at[column] >= len(row.Cells) {
				return ""
			}
			text, _ := row.Cells[at[column]].(string)
			return text
		}
		one := Row{Namespace: namespace, Name: cell(columnName), Ready: cell(columnReady), Status: cell(columnStatus), Node: cell(columnNode), Age: ageOf(cell(columnAge))}
		if one.Node == noValue {
			one.Node = ""
		}
		rows = append(rows, one)
	}
	return rows, nil
}

// printedAge are the parts of an age (kubernetes/apimachinery, pkg/util/duration/duration.go, HumanDuration).
var printedAge = regexp.MustCompile(`(\d+)([ydhms])`)

var printedUnits = map[string]time.Duration{
	"y": 365 * 24 * time.Hour, "d": 24 * time.Hour, "h": time.Hour, "m": time.Minute, "s": time.Second,
}

func ageOf(printed string) time.Duration {
	var age time.Duration
	for _, part := range printedAge.FindAllStringSubmatch(printed, -1) {
		number, _ := strconv.Atoi(part[1])
		age += time.Duration(number) * printedUnits[part[2]]
	}
	return age
}

// What is printed of a pod beside the reasons of the kubelet: phases, reasons of phases and of ends.
const (
	printedRunning     = "Running"
	printedPending     = "Pending"
	printedCompleted   = "Completed"
	printedSucceeded   = "Succeeded"
	printedTerminating = "Terminating"
	printedNotReady    = "NotReady"
	printedGated       = "SchedulingGated"
	printedFailed      = "Failed"
	printedInit        = "Init:"
)

// The ways in which a container or a pod ends, as they are printed.
var printedEnds = []string{"Error", "OOMKilled", "ContainerCannotRun", "StartError", "DeadlineExceeded", "Evicted", "UnexpectedAdmissionError", "Unknown"}

// state returns the state that a row suggests, empty if nothing is wrong with the pod.
func (r Row) state() state {
	status, isInit := strings.CutPrefix(r.Status, printedInit)
	isEnd := slices.Contains(printedEnds, status) || strings.HasPrefix(status, "ExitCode:") || strings.HasPrefix(status, "Signal:")
	ready, of, _ := strings.Cut(r.Ready, "/")
	switch {
	case isInit && strings.Contains(status, "/"):
		return podInitializing
	case status == printedRunning && ready != of, status == printedNotReady:
		return notReady
	case status == printedPending && r.Node == "", status == printedGated:
		return notScheduled
	case status == printedPending:
		return containerCreating
	case status == printedFailed, isEnd && !isInit:
		return failed
	case slices.Contains([]string{"", printedRunning, printedCompleted, printedSucceeded, printedTerminating}, status):
		return ""
	case isEnd:
		return podInitializing
	default:
		return state(status)
	}
}

// maxCandidates bounds the pods of an operator that are read in full.
const maxCandidates = 10

// Candidates returns the pods that may be the worst, in the order in which they are to be read in full, until one counts. In an update of
// thousands of nodes hundreds are being created, of which the stuck one is the oldest. The one that was the worst before may run for a
// moment; it comes before others that are as bad.
func Candidates(in Input, previous *updatev1alpha1.PodReport) []Row {
	failing := failingRevisions(in.OperatorMessage)
	isPrevious := func(row Row) bool {
		return previous != nil && row.Namespace == previous.Namespace && row.Name == previous.Name
	}
	rank := func(row Row) int {
		if isPrevious(row) {
			return min(row.state().rank(), state(previous.State).rank())
		}
		return row.state().rank()
	}
	var candidates []Row
	for _, row := range in.Rows {
		if (row.state() != "" || isPrevious(row)) && !isGuard(row.Name) && !in.Away.has(row.Node) {
			candidates = append(candidates, row)
		}
	}
	slices.SortStableFunc(candidates, func(a, b Row) int {
		return cmp.Or(
			-compareBools(isInstallerOf(a.Name, failing), isInstallerOf(b.Name, failing)),
			cmp.Compare(rank(a), rank(b)),
			-compareBools(isPrevious(a), isPrevious(b)),
			-cmp.Compare(a.Age, b.Age),
		)
	})
	return candidates[:min(len(candidates), maxCandidates)]
}
