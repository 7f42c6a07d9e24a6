package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRun finds what testdata/reader marks.
func TestRun(t *testing.T) {
	const file = "testdata/reader/reader.go"
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for at, line := range strings.Split(string(source), "\n") {
		if strings.HasSuffix(line, "// found") {
			want = append(want, fmt.Sprint("reader.go:", at+1))
		}
	}
	found, err := run(t.Context(), "./testdata/reader")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, one := range found {
		_, place, _ := strings.Cut(one, "testdata/reader/")
		place, _, _ = strings.Cut(place, ": ")
		got = append(got, place)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-marked +found):\n%s", diff)
	}
}

// TestIsReader: the packages below one of the readers read what hosts write too.
func TestIsReader(t *testing.T) {
	for path, want := range map[string]bool{
		"example.com/operator/pkg/updatestatus/assess": true, "example.com/operator/pkg/updatestatus/assess/hosted": true, "example.com/operator/pkg/assessment": false,
		"example.com/operator/pkg/updatestatus/summary": false,
	} {
		if got := isReader(path); got != want {
			t.Errorf("%s: %t", path, got)
		}
	}
}
