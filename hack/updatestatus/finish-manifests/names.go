package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
)

// pattern matches the names of manifests in a payload: 0000, run-level, component, number, kind, feature set. Hosted clusters
// delete those of feature sets that are off by the end of their names.
var pattern = regexp.MustCompile(`^0000_(00|90)_update-status-controller_(\d\d)_[a-z]+(\.crd)?-` + featureSet + `\.yaml$`)

// checkNames returns an error if a file of a sorted list does not match the pattern, or if the numbers of a run-level are not
// 00, 01, 02 and so on; CRDs share one. The Cluster Version Operator applies the files in the order of their names.
func checkNames(files []string) error {
	next, wasCRD := map[string]int{}, false
	for _, file := range files {
		name := filepath.Base(file)
		parts := pattern.FindStringSubmatch(name)
		if parts == nil {
			return fmt.Errorf("%s does not match %s", file, pattern)
		}
		level, isCRD := parts[1], parts[3] != ""
		number, err := strconv.Atoi(parts[2])
		if isCRD && wasCRD && number == next[level]-1 {
			continue
		}
		if err != nil || number != next[level] {
			return fmt.Errorf("%s should have the number %02d", file, next[level])
		}
		next[level]++
		wasCRD = isCRD
	}
	return nil
}
