package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The program that drives a browser (make browser), and where reports and pictures of them are left to be looked at.
const (
	driver    = "../../../bin/browser"
	artefacts = "../../../bin/report"
)

// visit is what to do with a page: see test/updatestatus/browser.
type visit struct {
	File       string   `json:"file"`
	Width      int      `json:"width"`
	Height     int      `json:"height"`
	Dark       bool     `json:"dark"`
	Print      bool     `json:"print"`
	Evaluate   []string `json:"evaluate"`
	Screenshot string   `json:"screenshot"`
	PDF        string   `json:"pdf"`
	Tree       bool     `json:"tree"`
}

// findings are what a browser made of a page.
type findings struct {
	Requests []string          `json:"requests"`
	Messages []string          `json:"messages"`
	Dialogs  []string          `json:"dialogs"`
	Values   []json.RawMessage `json:"values"`
	Nodes    []struct {
		Role string `json:"role"`
		Name string `json:"name"`
	} `json:"nodes"`
}

// browse makes visits. Where there is no browser it skips the test, but not in CI.
func browse(t *testing.T, visits []visit) []findings {
	t.Helper()
	chromium := chromiumPath(t)
	input, err := json.Marshal(visits)
	if err != nil {
		t.Fatal(err)
	}
	var output, problems bytes.Buffer
	command := exec.CommandContext(t.Context(), driver)
	command.Env = append(os.Environ(), "CHROMIUM="+chromium)
	command.Stdin, command.Stdout, command.Stderr = bytes.NewReader(input), &output, &problems
	if err := command.Run(); err != nil {
		t.Fatalf("%v: %s", err, problems.String())
	}
	var found []findings
	if err := json.Unmarshal(output.Bytes(), &found); err != nil {
		t.Fatal(err)
	}
	if len(found) != len(visits) {
		t.Fatalf("%d findings of %d visits", len(found), len(visits))
	}
	return found
}

func chromiumPath(t *testing.T) string {
	t.Helper()
	missing := t.Skipf
	if os.Getenv("CI") == "true" {
		missing = t.Fatalf
	}
	if _, err := os.Stat(driver); errors.Is(err, fs.ErrNotExist) {
		missing("no %s: make browser builds it", driver)
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	missing("no chromium on the PATH: install it to test the report in a browser")
	return ""
}

// valueOf returns a value that was evaluated.
func valueOf[T any](t *testing.T, found findings, at int) T {
	t.Helper()
	var value T
	if err := json.Unmarshal(found.Values[at], &value); err != nil {
		t.Fatalf("%s: %v", found.Values[at], err)
	}
	return value
}

// artefact returns the path of a file that is left to be looked at.
func artefact(t *testing.T, name string) string {
	t.Helper()
	if err := os.MkdirAll(artefacts, 0o755); err != nil {
		t.Fatal(err)
	}
	path, err := filepath.Abs(filepath.Join(artefacts, name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}
