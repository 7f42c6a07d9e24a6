package controlplane

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// Attempt is what the Cluster Version Operator says of the attempt with which it applies a release at present
// (openshift/cluster-version-operator, pkg/cvo/status.go, updateClusterVersionStatus).
type Attempt struct {
	// Manifests is how far it is, nil if it does not say so.
	Manifests *updatev1alpha1.ManifestProgress
	// WaitingOn are the cluster operators that it waits for.
	WaitingOn []string
}

var (
	// counted is in "Working towards 4.20.2: 96 of 744 done (12% complete), waiting on etcd".
	counted = regexp.MustCompile(`^Working towards [^:]+: (\d+) of (\d+) done`)
	// waiting is before the names of operators, in "waiting on a, b", "waiting up to 40 minutes on a", "waiting on a, b over 30 minutes and
	// machine-config over 90 minutes which is longer than expected" and "wait has exceeded 40 minutes for these operators: a, b"
	// (convertErrorToProgressing, in the same file).
	waiting = regexp.MustCompile(`(?:waiting on|waiting up to \d+ minutes on|minutes for these operators:) (.+)`)
	// notNames is what stands between names.
	notNames = regexp.MustCompile(`^(?:and|over|\d+|minutes|which|is|longer|than|expected)$`)
	// operatorPattern is what names of operators look like.
	operatorPattern = regexp.MustCompile(`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`)
)

// ReadAttempt reads a message of the condition Progressing or Failing of a ClusterVersion.
func ReadAttempt(message string) Attempt {
	var attempt Attempt
	if found := counted.FindStringSubmatch(message); found != nil {
		applied, total := number(found[1]), number(found[2])
		if total > 0 {
			attempt.Manifests = &updatev1alpha1.ManifestProgress{Applied: min(applied, total), Total: total}
		}
	}
	for line := range strings.Lines(message) {
		found := waiting.FindStringSubmatch(strings.TrimSpace(line))
		if found == nil {
			continue
		}
		for _, name := range strings.FieldsFunc(found[1], func(r rune) bool { return r == ',' || r == ' ' }) {
			if operatorPattern.MatchString(name) && !notNames.MatchString(name) && !slices.Contains(attempt.WaitingOn, name) && len(attempt.WaitingOn) < updatev1alpha1.WaitingOnMaxItems {
				attempt.WaitingOn = append(attempt.WaitingOn, name)
			}
		}
	}
	return attempt
}

// number returns a number of digits, zero if it has too many.
func number(digits string) int32 {
	parsed, err := strconv.ParseInt(digits, 10, 32)
	if err != nil {
		return 0
	}
	return int32(parsed)
}
