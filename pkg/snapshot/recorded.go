package snapshot

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// clusterVersionFile ends the name of the file that every recorded cluster has, which tells its name.
const clusterVersionFile = "-cv.yaml"

// Clusters returns the names of the clusters that are recorded in a folder, in alphabetical order.
func Clusters(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("looking for recorded clusters: %w", err)
	}
	var names []string
	for _, entry := range entries {
		if name, found := strings.CutSuffix(entry.Name(), clusterVersionFile); found && entry.Type().IsRegular() && name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// readRecorded reads one recorded cluster, DIR/NAME.
func (c *collector) readRecorded(from string) error {
	folder, name := filepath.Split(filepath.Clean(from))
	files, err := recordedFiles(filepath.Clean(folder), name)
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := c.readFile(file); err != nil {
			return err
		}
	}
	return nil
}

// recordedFiles returns the files of a recorded cluster. Names may begin with each other (a, a-b), so that a file belongs
// to the cluster with the longest name that it begins with.
func recordedFiles(folder, cluster string) ([]string, error) {
	names, err := Clusters(folder)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("looking for recorded clusters: %w", err)
	}
	var files []string
	for _, entry := range entries {
		if entry.Type().IsRegular() && mayBeObject(entry.Name()) && ownerOf(entry.Name(), names) == cluster {
			files = append(files, filepath.Join(folder, entry.Name()))
		}
	}
	switch {
	case len(files) > 0:
		return files, nil
	case len(names) > 0:
		return nil, fmt.Errorf("no cluster %s is recorded in %s, which holds %s", cluster, folder, strings.Join(names, ", "))
	default:
		return nil, fmt.Errorf("there is no file or folder %s", filepath.Join(folder, cluster))
	}
}

func ownerOf(file string, clusters []string) string {
	owner := ""
	for _, cluster := range clusters {
		if strings.HasPrefix(file, cluster+"-") && len(cluster) > len(owner) {
			owner = cluster
		}
	}
	return owner
}
