package field

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
	"time"

	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"sigs.k8s.io/yaml"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// cluster is the file of a case that says how far its update was. Without To none is in progress.
type cluster struct {
	From, To string
	Started  time.Time
	// Through is the last operator that reached the target, in their order, Except are those before it that did not.
	Through string
	Except  []string
	// Rendered is when the pools got their new configurations, Configured are the nodes that have them.
	Rendered   *time.Time
	Configured []string
	// Masters and Workers are the numbers of nodes.
	Masters, Workers int
	Now              time.Time
}

// Time returns a time of an object, after the start of the update.
func (c *cluster) Time(after time.Duration) string { return c.Started.Add(after).Format(time.RFC3339) }

// Installed returns a time long before the update.
func (c *cluster) Installed() string { return c.Time(-30 * 24 * time.Hour) }

// operator is one of the operators; those that reached the target did so one after the other.
type operator struct {
	Name, Version, Since string
	Namespaces           []string
}

// Operators returns the operators.
func (c *cluster) Operators() ([]operator, error) {
	text, err := os.ReadFile(filepath.Join("testdata", "operators"))
	var operators []operator
	reached := c.Through != ""
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		next := operator{Name: words[0], Version: c.From, Since: c.Installed(), Namespaces: words[1:]}
		if reached && !slices.Contains(c.Except, next.Name) {
			next.Version, next.Since = c.To, c.Time(time.Duration(len(operators)+1)*30*time.Second)
		}
		reached = reached && next.Name != c.Through
		operators = append(operators, next)
	}
	return operators, err
}

// pool is a pool, with its nodes and their configurations. Updated are those that have the newest one.
type pool struct {
	Name, Config string
	Nodes        map[string]string
	Updated      int
}

// Config returns the name of a configuration.
func (c *cluster) Config(pool, version string) string {
	return "rendered-" + pool + "-" + builders.Digest(version)[:32]
}

// Pools returns the pools.
func (c *cluster) Pools() []pool {
	newest := c.From
	if c.Rendered != nil {
		newest = c.To
	}
	var pools []pool
	for name, count := range map[string]int{"master": c.Masters, "worker": c.Workers} {
		result := pool{Name: name, Config: c.Config(name, newest), Nodes: map[string]string{}}
		for at := range count {
			node := fmt.Sprintf("%s-%d", name, at)
			result.Nodes[node] = c.Config(name, c.From)
			if c.Rendered == nil || slices.Contains(c.Configured, node) {
				result.Nodes[node] = result.Config
				result.Updated++
			}
		}
		pools = append(pools, result)
	}
	return pools
}

// base returns the YAML of the cluster before it is changed.
func (c *cluster) base() (string, error) {
	base, err := template.New("base.yaml").Funcs(template.FuncMap{"image": builders.Image}).ParseFiles(filepath.Join("testdata", "base.yaml"))
	if err != nil {
		return "", err
	}
	var text bytes.Buffer
	err = base.Execute(&text, c)
	return text.String(), err
}

// schemaOf returns a type by which objects of a kind are merged. Pools and nodes have conditions like a ClusterOperator's.
func schemaOf(kind string) any {
	if kind == "ClusterVersion" {
		return configv1.ClusterVersion{}
	}
	return configv1.ClusterOperator{}
}

// layOut returns the files of a must-gather with the objects of some YAML. Of several with one name, the later are laid over the first.
func layOut(text string) (map[string]string, error) {
	merged := map[string]map[string]any{}
	for document := range strings.SplitSeq(text, "\n---\n") {
		var object map[string]any
		if err := yaml.Unmarshal([]byte(document), &object); err != nil {
			return nil, fmt.Errorf("decoding %.200q: %w", document, err)
		}
		metadata, kind := object["metadata"].(map[string]any), object["kind"].(string)
		scope := "cluster-scoped-resources"
		if namespace, ok := metadata["namespace"]; ok {
			scope = fmt.Sprintf("namespaces/%v", namespace)
		}
		name := path.Join("image", scope, path.Dir("core/"+object["apiVersion"].(string)), strings.ToLower(kind)+"s", metadata["name"].(string)+".yaml")
		if before, ok := merged[name]; ok {
			var err error
			if object, err = strategicpatch.StrategicMergeMapPatch(before, object, schemaOf(kind)); err != nil {
				return nil, fmt.Errorf("merging %s: %w", name, err)
			}
		}
		merged[name] = object
	}
	files := map[string]string{}
	for name, object := range merged {
		text, err := yaml.Marshal(object)
		if err != nil {
			return nil, err
		}
		files[name] = string(text)
	}
	return files, nil
}
