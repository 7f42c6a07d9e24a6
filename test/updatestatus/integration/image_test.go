package integration_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
)

// TestSBOM describes the binary of make build: every module that `go version -m` lists is named, and the provenance is of that binary.
func TestSBOM(t *testing.T) {
	t.Parallel()
	binary, err := harness.Binary("cluster-version-operator")
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "cluster-version-operator")
	if err := os.WriteFile(copied, content, 0o600); err != nil {
		t.Fatal(err)
	}
	output := func(name string, arguments ...string) string {
		command := exec.CommandContext(t.Context(), name, arguments...)
		command.Dir = repositoryRoot(t)
		output, err := command.Output()
		if err != nil {
			t.Fatalf("%s %v: %v", name, arguments, err)
		}
		return string(output)
	}
	output("go", "run", "./hack/updatestatus/sbom", "--version", "v4.22.0", "--commit", "0123456789abcdef", "--builder", "golang:1.26", copied)

	want := map[string]string{"stdlib": regexp.MustCompile(`: go(\S+)`).FindStringSubmatch(output("go", "version", copied))[1]}
	for _, line := range regexp.MustCompile(`(?m)^\s+dep\s+(\S+)\s+(\S+)`).FindAllStringSubmatch(output("go", "version", "-m", copied), -1) {
		want[line[1]] = line[2]
	}
	var bom struct {
		BOMFormat  string
		Components []struct{ Name, Version, PURL string }
	}
	readJSON(t, copied+".cdx.json", &bom)
	got := map[string]string{}
	for _, component := range bom.Components {
		got[component.Name] = component.Version
		if component.PURL != "pkg:golang/"+component.Name+"@"+component.Version {
			t.Errorf("%s has the package URL %s", component.Name, component.PURL)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || bom.BOMFormat != "CycloneDX" || len(got) < 50 {
		t.Errorf("%s with %d modules (-binary +file):\n%s", bom.BOMFormat, len(got), diff)
	}

	var statement struct {
		Subject   []struct{ Digest map[string]string }
		Predicate struct {
			BuildDefinition struct {
				ExternalParameters   struct{ Settings map[string]string }
				ResolvedDependencies []struct{ Digest map[string]string }
			}
			RunDetails struct{ Builder struct{ ID string } }
		}
	}
	readJSON(t, copied+".provenance.json", &statement)
	built := statement.Predicate
	if sum, _, _ := strings.Cut(output("sha256sum", copied), " "); statement.Subject[0].Digest["sha256"] != sum {
		t.Errorf("it is about %v, not %s", statement.Subject, sum)
	}
	if commit := built.BuildDefinition.ResolvedDependencies[0].Digest["gitCommit"]; commit != "0123456789abcdef" || built.RunDetails.Builder.ID != "golang:1.26" {
		t.Errorf("it was built of %s in %s", commit, built.RunDetails.Builder.ID)
	}
	if settings := built.BuildDefinition.ExternalParameters.Settings; settings["-tags"] != "grpcnotrace" || settings["-trimpath"] != "true" {
		t.Errorf("it was built with %v", settings)
	}
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(content, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// TestImage makes an image with a stand-in for podman: the variables for the builder, FIPS among them, are arguments, each of which the
// Dockerfile declares, and the image has the descriptions of the binary.
func TestImage(t *testing.T) {
	t.Parallel()
	tools := t.TempDir()
	if err := os.WriteFile(filepath.Join(tools, "podman"), []byte("#!/bin/sh\nprintf '%s\\n' \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	variables := []string{"BASE=ubi", "BUILDER=golang", "CGO_ENABLED=1", "COMMIT=abc", "GOEXPERIMENT=strictfipsruntime", "GOFIPS140=certified", "VERSION=v1"}
	command := exec.CommandContext(t.Context(), "make", append([]string{"image", "IMAGE=" + image}, variables...)...)
	command.Dir = repositoryRoot(t)
	command.Env = append(slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "MAKE") || strings.HasPrefix(variable, "MFLAGS")
	}), "PATH="+tools+":"+os.Getenv("PATH"))
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	dockerfile, err := os.ReadFile(filepath.Join(repositoryRoot(t), "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	var passed []string
	for _, argument := range regexp.MustCompile(`(?m)^--build-arg\n(.*)$`).FindAllStringSubmatch(string(output), -1) {
		passed = append(passed, argument[1])
		name, _, _ := strings.Cut(argument[1], "=")
		if !regexp.MustCompile(`(?m)^ARG `+name+`(=|$)`).Match(dockerfile) || !strings.Contains(string(dockerfile), "${"+name) {
			t.Errorf("the Dockerfile does not use %s", name)
		}
	}
	slices.Sort(passed)
	if diff := cmp.Diff(variables, passed); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
	for _, want := range []string{"make sbom ", "bin/*.json /usr/share/cluster-version-operator/"} {
		if !strings.Contains(string(dockerfile), want) {
			t.Errorf("the Dockerfile lacks %q", want)
		}
	}
}
