package manifests

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"text/template"
)

// values are what the Cluster Version Operator renders manifests with.
type values struct {
	ReleaseImage   string
	ClusterProfile string
	Images         map[string]string
}

// Render renders a manifest for an image, as the Cluster Version Operator and the bootstrap of a cluster do: each file is a
// text/template. The name is that of the file, for errors.
func Render(name string, content []byte, image string) ([]byte, error) {
	parsed, err := template.New(name).Option("missingkey=error").Parse(string(content))
	if err != nil {
		return nil, fmt.Errorf("parsing the template: %w", err)
	}
	var rendered bytes.Buffer
	if err := parsed.Execute(&rendered, values{ReleaseImage: image, ClusterProfile: "self-managed-high-availability"}); err != nil {
		return nil, fmt.Errorf("rendering the template: %w", err)
	}
	return rendered.Bytes(), nil
}

// RenderFile renders the manifest in a file.
func RenderFile(file, image string) ([]byte, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return Render(filepath.Base(file), content, image)
}
