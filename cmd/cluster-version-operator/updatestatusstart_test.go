package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestRemoveMade: a certificate that was made goes with its folder, others stay.
func TestRemoveMade(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	for name, want := range map[string]bool{"serving-cert-1": false, "mounted": true, "serving-cert-2/mounted": true} {
		folder := filepath.Join(temporary, name)
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		removeMade(filepath.Join(folder, "tls.crt"))
		if _, err := os.Stat(folder); (err == nil) != want {
			t.Errorf("%s: %v, want it there: %t", name, err, want)
		}
	}
}
