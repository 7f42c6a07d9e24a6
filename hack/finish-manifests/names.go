package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
)

// imageReferences tells which images of the payload the manifests name. It is for the builder of the payload, and no
// manifest.
const imageReferences = "image-references"

// pattern is how payloads name manifests: 0000, run-level, component, number within the component, what it is.
var pattern = regexp.MustCompile(`^0000_(00|90)_update-status-controller_(\d\d)_[a-z]+(\.crd)?\.yaml$`)

// checkNames fails when a file, of a sorted list, is not named as payloads name them, or when the numbers within a
// run-level are not 00, 01, 02 and so on: the Cluster Version Operator applies the files in the order of their names.
func checkNames(files []string) error {
	next := map[string]int{}
	for _, file := range files {
		name := filepath.Base(file)
		if name == imageReferences {
			continue
		}
		parts := pattern.FindStringSubmatch(name)
		if parts == nil {
			return fmt.Errorf("%s is not named like %s", file, pattern)
		}
		level := parts[1]
		if number, err := strconv.Atoi(parts[2]); err != nil || number != next[level] {
			return fmt.Errorf("%s should have the number %02d", file, next[level])
		}
		next[level]++
	}
	return nil
}
