package documents_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/openshift/cluster-version-operator/test/updatestatus/faults"
)

// TestReliability: each scenario is in the table with its kind, and each test that the page names exists.
func TestReliability(t *testing.T) {
	content, err := os.ReadFile(filepath.Join(root(t), "docs", "updatestatus", "reliability.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(content)
	for _, scenario := range faults.Scenarios() {
		row := `(?m)^\| ` + regexp.QuoteMeta(string(scenario.Kind)) + ` \| .* \| (.*, )?` + regexp.QuoteMeta(scenario.Name) + `(, .*)? \|$`
		if !regexp.MustCompile(row).MatchString(page) {
			t.Errorf("docs/updatestatus/reliability.md has no row of the scenario %q with its kind, %q", scenario.Name, scenario.Kind)
		}
	}
	tests := testsIn(t)
	named := regexp.MustCompile("`((Test|Fuzz)[A-Za-z]+)`").FindAllStringSubmatch(page, -1)
	for _, name := range named {
		if !tests[name[1]] {
			t.Errorf("docs/updatestatus/reliability.md names %s, which is no test", name[1])
		}
	}
	if len(named) < 10 {
		t.Errorf("docs/updatestatus/reliability.md names %d tests", len(named))
	}
}

// testsIn returns the names of all tests.
func testsIn(t *testing.T) map[string]bool {
	t.Helper()
	declared := regexp.MustCompile(`(?m)^func ((Test|Fuzz)[A-Za-z]+)\(`)
	found := map[string]bool{}
	for _, folder := range []string{"pkg", "test"} {
		err := filepath.WalkDir(filepath.Join(root(t), folder), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			content, err := os.ReadFile(path)
			for _, match := range declared.FindAllStringSubmatch(string(content), -1) {
				found[match[1]] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}
