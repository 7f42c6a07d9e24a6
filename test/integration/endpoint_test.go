package integration_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-version-operator/test/harness"
	"github.com/openshift/cluster-version-operator/test/repository"
)

// profilingPaths are served with --profiling.
var profilingPaths = []string{"/debug/flags", "/debug/flags/", "/debug/flags/v", "/debug/pprof/", "/debug/pprof/heap", "/debug/pprof/symbol"}

// unlistedPaths are those that servers of k8s.io/apiserver can have without listing them.
var unlistedPaths = append([]string{
	"/api", "/apis", "/configz", "/debug/api_priority_and_fairness/dump_requests", "/flagz", "/index.html", "/logs", "/openapi/v2",
	"/openapi/v3", "/statusz", "/swagger.json", "/validate",
}, profilingPaths...)

// documentedPaths returns the paths of the table in docs/security.md, and for each whether everyone may get it.
func documentedPaths(t *testing.T) map[string]bool {
	t.Helper()
	root, err := repository.Root()
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(filepath.Join(root, "docs", "security.md"))
	if err != nil {
		t.Fatal(err)
	}
	paths := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| (`/.*?) \\| (.*) \\|$").FindAllStringSubmatch(string(content), -1) {
		for _, path := range regexp.MustCompile("`(.+?)`").FindAllStringSubmatch(row[1], -1) {
			paths[path[1]] = strings.Contains(row[2], "everyone")
		}
	}
	return paths
}

// servedPaths returns the paths that a process serves to a user who may get all of them, and for each whether everyone may get it.
func servedPaths(w *world, process *harness.Process, token string) map[string]bool {
	w.t.Helper()
	status := func(path, token string) (int, string) {
		code, body, err := get(w, process, path, token)
		if err != nil {
			w.t.Fatal(err)
		}
		return code, body
	}
	var index struct{ Paths []string }
	if _, body := status("/", token); json.Unmarshal([]byte(body), &index) != nil {
		w.t.Fatalf("this is no list of paths: %s", body)
	}
	check := regexp.MustCompile("^/(healthz|livez|readyz)/.*")
	paths := map[string]bool{}
	for _, path := range slices.Concat([]string{"/"}, index.Paths, unlistedPaths) {
		if code, _ := status(path, token); code == http.StatusNotFound {
			continue
		}
		code, _ := status(path, "")
		if code != http.StatusOK && code != http.StatusForbidden {
			w.t.Errorf("%s without a token: %d", path, code)
		}
		paths[check.ReplaceAllString(path, "/$1/*")] = code == http.StatusOK
	}
	return paths
}

// TestServedPaths: what the process serves, and to whom, is what docs/security.md says: profiles only with --profiling.
func TestServedPaths(t *testing.T) {
	w := newWorld(t)
	token := createMetricsReaders(w, "*")[mayRead]
	documented := documentedPaths(t)
	process := startBinary(w)
	awaitServer(w, process)
	if diff := cmp.Diff(documented, servedPaths(w, process, token)); diff != "" {
		t.Errorf("paths, and whether everyone may get them (-document +process):\n%s", diff)
	}
	profiled := startBinary(w, "--profiling")
	awaitServer(w, profiled)
	for _, path := range profilingPaths {
		documented[path] = false
	}
	if diff := cmp.Diff(documented, servedPaths(w, profiled, token)); diff != "" {
		t.Errorf("paths with --profiling, and whether everyone may get them (-want +process):\n%s", diff)
	}
}
