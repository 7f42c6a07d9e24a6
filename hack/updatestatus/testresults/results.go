package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// event is a line of `go test -json`, as `go doc test2json` describes it.
type event struct {
	Action, Package, Test, Output string
	ImportPath                    string
	Elapsed                       float64
}

// result is how a test has ended, or, without a name of a test, a package.
type result struct {
	pkg, test string
	// seconds are how long it took.
	seconds float64
	output  []string
	// ended is whether it has.
	ended bool
}

// results are the results of all tests.
type results struct {
	passed                   int
	failed, skipped, slowest []*result
}

func (r *results) readFile(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return r.read(file)
}

// read adds the results of a run.
func (r *results) read(events io.Reader) error {
	running := map[[2]string]*result{}
	lines := bufio.NewScanner(events)
	lines.Buffer(nil, 64<<20) // a test may print a whole object in a line
	for lines.Scan() {
		var one event
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return err
		}
		// What the compiler prints has an import path, such as "a/b [a/b.test]".
		pkg, _, _ := strings.Cut(one.Package+one.ImportPath, " ")
		key := [2]string{pkg, one.Test}
		if running[key] == nil {
			running[key] = &result{pkg: pkg, test: one.Test}
		}
		r.add(running[key], one)
		if one.Test == "" && one.Action == "fail" {
			r.failUnended(running, pkg)
		}
	}
	return lines.Err()
}

// failUnended adds the tests in which a package that fails has ended: its process prints why there.
func (r *results) failUnended(running map[[2]string]*result, pkg string) {
	var unended []*result
	for _, one := range running {
		if one.pkg == pkg && one.test != "" && !one.ended {
			unended = append(unended, one)
		}
	}
	// Parts come before the test.
	slices.SortFunc(unended, func(a, b *result) int { return strings.Compare(b.test, a.test) })
	for _, one := range unended {
		r.fail(one)
	}
	r.fail(running[[2]string{pkg, ""}])
}

func (r *results) add(to *result, one event) {
	if one.Action == "output" || one.Action == "build-output" {
		to.output = append(to.output, one.Output)
		return
	}
	to.ended = to.ended || slices.Contains([]string{"pass", "skip", "fail"}, one.Action)
	switch {
	case one.Action == "fail" && to.test != "":
		r.fail(to)
	case to.test == "":
		return
	case one.Action == "pass":
		r.passed++
	case one.Action == "skip":
		r.skipped = append(r.skipped, to)
		return
	default:
		return
	}
	if to.test != "" {
		to.seconds = one.Elapsed
		r.slowest = append(r.slowest, to)
	}
}

// fail adds a failure, unless that is one of its parts, which has failed before.
func (r *results) fail(failed *result) {
	for _, other := range r.failed {
		isPart := failed.test == "" || strings.HasPrefix(other.test, failed.test+"/")
		if other.pkg == failed.pkg && isPart {
			return
		}
	}
	r.failed = append(r.failed, failed)
}

// statement matches where a test says something: file.go:12: …
var statement = regexp.MustCompile(`^\s*\S+\.go:\d+(:\d+)?: `)

// reason returns the first line that says why a test failed or was skipped.
func (r *result) reason() string {
	last := ""
	for _, line := range strings.Split(strings.Join(r.output, ""), "\n") {
		line = strings.TrimSpace(line)
		if statement.MatchString(line) || strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") || strings.HasPrefix(line, "WARNING: DATA RACE") {
			return line
		}
		if line != "" && !strings.HasPrefix(line, "FAIL") && !strings.HasPrefix(line, "--- FAIL") && !strings.HasPrefix(line, "===") {
			last = line
		}
	}
	return last
}

// writeLogs writes the output of each failed test to a file in a folder, and returns their paths.
func (r *results) writeLogs(folder string) (map[*result]string, error) {
	paths := map[*result]string{}
	for _, failed := range r.failed {
		if err := os.MkdirAll(folder, 0o750); err != nil {
			return nil, err
		}
		name := strings.NewReplacer("/", "_", " ", "_").Replace(short(failed.pkg) + "." + failed.test)
		paths[failed] = filepath.Join(folder, strings.TrimRight(name, ".")+".log")
		if err := os.WriteFile(paths[failed], []byte(strings.Join(failed.output, "")), 0o600); err != nil {
			return nil, err
		}
	}
	return paths, nil
}
