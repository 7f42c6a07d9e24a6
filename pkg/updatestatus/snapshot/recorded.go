package snapshot

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// clusterVersionSuffix ends the name of the file that each recorded cluster has.
const clusterVersionSuffix = "-cv.yaml"

// Clusters returns the names of the clusters that are recorded in a directory, sorted.
func Clusters(dir string) ([]string, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("listing recorded clusters: %w", err)
	}
	var names []string
	for _, file := range files {
		if name, ok := strings.CutSuffix(file.Name(), clusterVersionSuffix); ok && file.Type().IsRegular() && name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// readRecorded reads one recorded cluster, DIR/NAME.
func (c *collector) readRecorded(path string) error {
	dir, cluster := filepath.Split(filepath.Clean(path))
	dir = filepath.Clean(dir)
	names, err := Clusters(dir)
	if err != nil {
		return err
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("reading a recorded cluster: %w", err)
	}
	isRecorded := false
	for _, file := range files {
		if !file.Type().IsRegular() || !mayHaveObjects(file.Name()) || clusterOf(file.Name(), names) != cluster {
			continue
		}
		isRecorded = true
		if err := c.readPath(filepath.Join(dir, file.Name())); err != nil {
			return err
		}
	}
	switch {
	case isRecorded:
		return nil
	case len(names) > 0:
		return fmt.Errorf("no cluster %s in %s, which has %s", cluster, dir, strings.Join(names, ", "))
	default:
		return fmt.Errorf("no such file or directory: %s", path)
	}
}

// clusterOf returns the cluster of a file: the longest name that it starts with, since names can start with each other (a,
// a-b).
func clusterOf(file string, clusters []string) string {
	longest := ""
	for _, cluster := range clusters {
		if strings.HasPrefix(file, cluster+"-") && len(cluster) > len(longest) {
			longest = cluster
		}
	}
	return longest
}
