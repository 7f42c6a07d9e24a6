package assess

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// QuoteMaxLength bounds what a summary quotes of the message of a component, in characters.
const QuoteMaxLength = 150

var (
	// conditionType is what operators put before each line: the type of the condition of theirs that it comes from (openshift/library-go,
	// pkg/operator/status/condition.go, unionMessage).
	conditionType = regexp.MustCompile(`^\w+(?:Degraded|Available|Progressing|Upgradeable): `)
	// releaseAsked is the start of what the Cluster Version Operator says of a release that it does not accept, up to the failure: its
	// version and image, which the summary has (openshift/cluster-version-operator, pkg/cvo/sync_worker.go, syncPayload).
	releaseAsked = regexp.MustCompile(`^[A-Z][^"]* version="[^"]*" image="[^"]*"(?: failure=|: )`)
	// retrieval is what is said of the pod that retrieves a release up to the state of the container that failed, with the name of the pod, which
	// changes with each attempt (pkg/cvo/updatepayload.go, fetchUpdatePayloadToDir and collectStatuses).
	retrieval = regexp.MustCompile(`^Unable to download and prepare the update: (?:pod \S+ failed with reason .* and status )?`)
	// referenced is what the Cluster API puts before what a provider says of its object, which is named like the Machine (kubernetes-sigs/cluster-api,
	// internal/controllers/machine/machine_controller_phases.go, reconcileExternal).
	referenced = regexp.MustCompile(`^Failure detected from referenced resource [^"]* with name "[^"]*": `)
	// digest is that of an image, which is longer than what a host says besides.
	digest = regexp.MustCompile(`(@sha256:[0-9a-f]{8})[0-9a-f]{56}`)
	// uninformative are lines that say nothing by themselves: heads of lists, and what is left of attempts that were given up
	// (openshift/cluster-version-operator, pkg/cvo/sync_worker.go, summarizeTaskGraphErrors, and pkg/payload/task_graph.go).
	uninformative = regexp.MustCompile(`^(?:[^"\d]*:|(?:Working towards|Unable to apply) [^ :]+|\d+ incomplete task nodes, beginning with .*|context deadline exceeded|context canceled)$`)
	// namesObject and namesError match lines that say more than others: they name an object, or say what failed.
	namesObject = regexp.MustCompile(`"|[a-z0-9]/[a-z0-9]`)
	namesError  = regexp.MustCompile(`(?i)error|fail|denied|refused|forbidden|unhealthy|unavailable|not available|not ready|no such`)
)

// Quote returns the informative part of what a component reports, for the end of a summary: of several lines the first that names an
// object or an error, without what every such message begins with. It is empty if the message says nothing.
func Quote(message string) string {
	lines := informative(message)
	if len(lines) == 0 {
		return ""
	}
	at := max(0, slices.IndexFunc(lines, namesError.MatchString))
	if names := slices.IndexFunc(lines, namesObject.MatchString); names >= 0 {
		at = names
	}
	more := ""
	if others := len(lines) - 1; others > 0 {
		more = fmt.Sprintf(" (and %d more)", others)
	}
	return shortenInFront(lines[at], QuoteMaxLength-len(more)) + more
}

// informative returns what a message lists, each once, without the prefixes; of a message that lists nothing the whole.
func informative(message string) []string {
	var items []string
	for _, item := range listedIn(message) {
		item = releaseAsked.ReplaceAllString(conditionType.ReplaceAllString(insight.OneLine(item), ""), "")
		item = ShortImage(referenced.ReplaceAllString(retrieval.ReplaceAllString(item, ""), ""))
		if item != "" && !uninformative.MatchString(item) && !slices.Contains(items, item) {
			items = append(items, item)
		}
	}
	return items
}

// bullet is before each error of several (openshift/cluster-version-operator, pkg/cvo/sync_worker.go, newMultipleError).
const bullet = "* "

// listedIn splits a message into what it lists. A line without a mark belongs to the one before.
func listedIn(message string) []string {
	items, alike := []string{""}, beginAlike(message)
	for line := range strings.Lines(message) {
		text, isListed := strings.CutPrefix(strings.TrimSpace(line), bullet)
		if isListed || alike || conditionType.MatchString(text) {
			items = append(items, text)
		} else {
			items[len(items)-1] += " " + text
		}
	}
	return items
}

// ShortImage returns a text with the beginnings of the digests of images.
func ShortImage(text string) string {
	return digest.ReplaceAllString(text, "$1…")
}

// beginAlike returns whether all lines of a message begin with the same word, as where an operator lists its DaemonSets.
func beginAlike(message string) bool {
	first := ""
	for line := range strings.Lines(message) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if first != "" && word != first {
			return false
		}
		first = word
	}
	return true
}

// shortestEnd is the least that is worth to be shown of the end of a message alone, in characters.
const shortestEnd = 40

// shortenInFront cuts a line to a number of characters. Errors that wrap others end with what went wrong: as much as fits of the end is
// left, from one of them on, unless that would leave out the name of an object.
func shortenInFront(line string, characters int) string {
	const separator = ": "
	if utf8.RuneCountInString(line) <= characters {
		return line
	}
	for at := strings.Index(line, separator); at >= 0 && !namesObject.MatchString(line[:at]); {
		end := "… " + line[at+len(separator):]
		if length := utf8.RuneCountInString(end); length <= characters && length >= shortestEnd {
			return end
		}
		next := strings.Index(line[at+len(separator):], separator)
		if next < 0 {
			break
		}
		at += len(separator) + next
	}
	return insight.Shorten(line, characters)
}
