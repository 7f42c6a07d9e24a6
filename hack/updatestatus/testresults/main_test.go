package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestResults checks what is printed of runs with failures of each kind.
func TestResults(t *testing.T) {
	var all results
	for _, run := range []string{
		`{"Action":"output","Package":"github.com/openshift/cluster-version-operator/test/a","Test":"TestMany/one case","Output":"    a_test.go:3: got 1\n"}
{"Action":"output","Package":"github.com/openshift/cluster-version-operator/test/a","Test":"TestMany/one case","Output":"    a_test.go:4: got 2\n"}
{"Action":"fail","Package":"github.com/openshift/cluster-version-operator/test/a","Test":"TestMany/one case","Elapsed":7}
{"Action":"fail","Package":"github.com/openshift/cluster-version-operator/test/a","Test":"TestMany","Elapsed":8}
{"Action":"pass","Package":"github.com/openshift/cluster-version-operator/test/a","Test":"TestGood","Elapsed":0.1}
{"Action":"output","Package":"github.com/openshift/cluster-version-operator/test/a","Test":"TestBrowser","Output":"    a_test.go:5: no browser\n"}
{"Action":"skip","Package":"github.com/openshift/cluster-version-operator/test/a","Test":"TestBrowser"}
{"Action":"fail","Package":"github.com/openshift/cluster-version-operator/test/a"}`,
		`{"ImportPath":"b [b.test]","Action":"build-output","Output":"# b\n"}
{"ImportPath":"b [b.test]","Action":"build-output","Output":"b/b.go:7:2: undefined: x\n"}
{"ImportPath":"b [b.test]","Action":"build-fail"}
{"Action":"fail","Package":"b"}`,
		`{"Action":"output","Package":"c","Test":"TestHangs","Output":"panic: test timed out after 1h0m0s\n"}
{"Action":"fail","Package":"c","Test":"TestHangs"}
{"Action":"pass","Package":"d"}`,
		`{"Action":"output","Package":"e","Output":"-test.shuffle 7\n"}
{"Action":"pass","Package":"e","Test":"TestFirst"}
{"Action":"run","Package":"e","Test":"TestDies"}
{"Action":"output","Package":"e","Test":"TestDies/part","Output":"panic: deadlock\n"}
{"Action":"fail","Package":"e"}`,
	} {
		if err := all.read(strings.NewReader(run)); err != nil {
			t.Fatal(err)
		}
	}
	folder := t.TempDir()
	logs, err := all.writeLogs(folder)
	if err != nil {
		t.Fatal(err)
	}
	var printed strings.Builder
	if err := all.print(&printed, logs); err != nil {
		t.Fatal(err)
	}
	want := `slow      8.0 s  test/a TestMany
slow      7.0 s  test/a TestMany/one case
SKIPPED test/a TestBrowser: a_test.go:5: no browser
FAILED  test/a TestMany/one case: a_test.go:3: got 1 [FOLDER/test_a.TestMany_one_case.log]
FAILED  b: b/b.go:7:2: undefined: x [FOLDER/b.log]
FAILED  c TestHangs: panic: test timed out after 1h0m0s [FOLDER/c.TestHangs.log]
FAILED  e TestDies/part: panic: deadlock [FOLDER/e.TestDies_part.log]
To run the first one again: KUBEBUILDER_ASSETS=$PWD/bin/control-plane go test ./test/a -run '^TestMany$/^one case$'
2 passed, 4 failed, 1 skipped
`
	if got := strings.ReplaceAll(printed.String(), folder, "FOLDER"); got != want {
		t.Errorf("printed:\n%s\nwant:\n%s", got, want)
	}
	log, err := os.ReadFile(filepath.Join(folder, "test_a.TestMany_one_case.log"))
	if err != nil || string(log) != "    a_test.go:3: got 1\n    a_test.go:4: got 2\n" {
		t.Errorf("the log is %q, %v", log, err)
	}
}
