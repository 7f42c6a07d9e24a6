package manifests_test

import (
	"os"
	"path/filepath"
	"testing"
	"text/template"
	"text/template/parse"

	appsv1 "k8s.io/api/apps/v1"
)

const image = "quay.io/openshift-release-dev/ocp-release@sha256:abc"

// TestTemplates: the bootstrap of every cluster renders every file, whatever the feature set, and knows nothing but the image
// of the release. Templates of Prometheus are escaped.
func TestTemplates(t *testing.T) {
	for _, file := range files(t) {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := checkTemplate(string(content)); err != "" {
			t.Errorf("%s: %s", filepath.Base(file), err)
		}
	}
}

// checkTemplate returns what a manifest has beside text, {{.ReleaseImage}} and escaped braces; nothing if all is well.
func checkTemplate(content string) string {
	parsed, err := template.New("").Parse(content)
	if err != nil {
		return err.Error()
	}
	for _, node := range parsed.Root.Nodes {
		switch text := node.String(); {
		case node.Type() == parse.NodeText, text == "{{.ReleaseImage}}", text == `{{"{{"}}`, text == `{{"}}"}}`:
		default:
			return text
		}
	}
	return ""
}

// TestImage: the controller is in the image of the release, and no other image is.
func TestImage(t *testing.T) {
	containers := find[*appsv1.Deployment](t, name).Spec.Template.Spec.Containers
	if len(containers) != 1 || containers[0].Image != image {
		t.Errorf("the containers are %v", containers)
	}
}
