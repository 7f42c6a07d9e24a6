package main

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

const (
	// module is the prefix of packages.
	module = "github.com/openshift/cluster-version-operator/"
	// maxSlow is how many of the slowest tests are printed, and minSeconds is from when on a test is slow.
	maxSlow    = 5
	minSeconds = 5
	// maxFailed is how many failures are printed, and maxSkipped how many skipped tests: all in the last twenty lines.
	maxFailed  = 12
	maxSkipped = 4
	// maxReason is the length of a reason.
	maxReason = 160
)

// print prints the results. The last lines are the failures, and the numbers.
func (r *results) print(w io.Writer, logs map[*result]string) error {
	var text strings.Builder
	r.writeTo(&text, logs)
	_, err := io.WriteString(w, text.String())
	return err
}

func (r *results) writeTo(w *strings.Builder, logs map[*result]string) {
	slices.SortStableFunc(r.slowest, func(a, b *result) int { return cmp.Compare(b.seconds, a.seconds) })
	for at, slow := range r.slowest {
		if at == maxSlow || slow.seconds < minSeconds {
			break
		}
		fmt.Fprintf(w, "slow    %5.1f s  %s\n", slow.seconds, slow.name())
	}
	printSome(w, r.skipped, maxSkipped, func(skipped *result) {
		fmt.Fprintf(w, "SKIPPED %s: %s\n", skipped.name(), shorten(skipped.reason()))
	})
	printSome(w, r.failed, maxFailed, func(failed *result) {
		fmt.Fprintf(w, "FAILED  %s: %s [%s]\n", failed.name(), shorten(failed.reason()), logs[failed])
	})
	if len(r.failed) > 0 {
		fmt.Fprintf(w, "To run the first one again: %s\n", r.failed[0].command())
	}
	fmt.Fprintf(w, "%d passed, %d failed, %d skipped\n", r.passed, len(r.failed), len(r.skipped))
}

// printSome prints results, up to a number of them.
func printSome(w *strings.Builder, all []*result, most int, one func(*result)) {
	for at, result := range all {
		if at == most {
			fmt.Fprintf(w, "… and %d more\n", len(all)-most)
			return
		}
		one(result)
	}
}

// name returns the folder and the name of a test.
func (r *result) name() string {
	return strings.TrimSpace(short(r.pkg) + " " + r.test)
}

// command returns the command that runs a test again.
func (r *result) command() string {
	command := "KUBEBUILDER_ASSETS=$PWD/bin/control-plane go test ./" + short(r.pkg)
	if r.test == "" {
		return command
	}
	var parts []string
	for part := range strings.SplitSeq(r.test, "/") {
		parts = append(parts, "^"+regexp.QuoteMeta(part)+"$")
	}
	return fmt.Sprintf("%s -run '%s'", command, strings.Join(parts, "/"))
}

func short(pkg string) string {
	return strings.TrimPrefix(pkg, module)
}

func shorten(reason string) string {
	if runes := []rune(reason); len(runes) > maxReason {
		return string(runes[:maxReason]) + "…"
	}
	return reason
}
