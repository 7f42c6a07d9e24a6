package snapshot_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/snapshot"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// FuzzFile checks that any file is read or skipped, assessed and shown. FuzzWrite of pkg/updatestatus/describe checks that the text is
// printable.
func FuzzFile(f *testing.F) {
	clusters, err := filepath.Glob(filepath.Join("..", "..", "..", "test", "updatestatus", "conformance", "testdata", "*.yaml"))
	if err != nil || len(clusters) == 0 {
		f.Fatalf("no files: %v", err)
	}
	objects, err := filepath.Glob(filepath.Join("..", "describe", "testdata", "*.yaml"))
	if err != nil || len(objects) == 0 {
		f.Fatalf("no objects: %v", err)
	}
	for _, file := range append(clusters, objects...) {
		content, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	f.Add([]byte(`{"status": "success", "data": {"alerts": [{"labels": {"alertname": "A", "severity": "warning"}, "state": "firing"}]}}`))
	f.Add([]byte("\xff\xfek\x00i\x00n\x00d\x00:\x00\r\x00\n\x00"))
	now := time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, content []byte) {
		s, err := snapshot.Decode("file", bytes.NewReader(content))
		if err != nil {
			return
		}
		objects := []*updatev1alpha1.UpdateStatus{s.Assess(now)}
		if s.UpdateStatus != nil {
			objects = append(objects, s.UpdateStatus)
		}
		for _, us := range objects {
			if _, err := json.Marshal(us); err != nil {
				t.Errorf("an object that can't be printed: %v", err)
			}
			for _, details := range describe.AllDetails() {
				if err := describe.Write(io.Discard, update.ReadAt(&us.Status, now), describe.Options{Now: now, Object: us, Details: details, Width: 80}); err != nil {
					t.Error(err)
				}
			}
		}
	})
}
