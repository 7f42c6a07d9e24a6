package conformance

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/snapshot"
)

// Recorded is a cluster in files and the text that was recorded for it.
type Recorded struct {
	Name string
	// Path is where snapshot.Load finds the cluster.
	Path string
	// Texts are the recorded texts by the details in them. Either may be missing.
	Texts map[describe.Details]string
}

// outputs are the endings of the files that hold recorded texts.
var outputs = map[describe.Details]string{
	describe.DetailsNone: ".output",
	describe.DetailsAll:  ".detailed-output",
}

// Load returns the recorded clusters of a folder.
func Load(folder string) ([]Recorded, error) {
	names, err := snapshot.Clusters(folder)
	if err != nil {
		return nil, err
	}
	var clusters []Recorded
	for _, name := range names {
		cluster := Recorded{Name: name, Path: filepath.Join(folder, name), Texts: map[describe.Details]string{}}
		for details, ending := range outputs {
			text, err := os.ReadFile(cluster.Path + ending)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("reading a recorded text: %w", err)
			}
			cluster.Texts[details] = string(text)
		}
		if len(cluster.Texts) == 0 {
			return nil, fmt.Errorf("the cluster %s has no recorded text, neither %[1]s.output nor %[1]s.detailed-output", cluster.Path)
		}
		clusters = append(clusters, cluster)
	}
	if len(clusters) == 0 {
		return nil, fmt.Errorf("no clusters are recorded in %s: they are files that end in -cv.yaml", folder)
	}
	return clusters, nil
}
