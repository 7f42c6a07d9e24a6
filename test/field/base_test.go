package field

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/openshift/cluster-version-operator/test/builders"
)

// cluster is the file of a case that says how far its update was. Without To none is in progress.
type cluster struct {
	From, To string
	// Started is the start of the update.
	Started time.Time
	// Through is the last operator that reached the target, in their order, Except are those before it that did not.
	Through string
	Except  []string
	// Rendered is when the pools got their new configurations, Configured are the nodes that have them.
	Rendered   *time.Time
	Configured []string
	// Masters and Workers are the numbers of nodes, three each if they are missing.
	Masters, Workers *int

	now time.Time
}

type operator struct {
	Name, Version, Since string
	Namespaces           []string
}

type pool struct {
	Name, Config, Current string
	Updated               int
	Configs, Nodes        []struct{ Name, Version, Config string }
}

// Release returns the release that the Cluster Version Operator applies.
func (c *cluster) Release() string {
	if c.To == "" {
		return c.From
	}
	return c.To
}

// Now, Start, Installed and Updating return times as the template needs them.
func (c *cluster) Now() string       { return c.now.Format(time.RFC3339) }
func (c *cluster) Start() string     { return c.Started.Format(time.RFC3339) }
func (c *cluster) Installed() string { return c.Started.AddDate(0, -1, 0).Format(time.RFC3339) }
func (c *cluster) Updating() string {
	if c.Rendered == nil {
		return c.Start()
	}
	return c.Rendered.Format(time.RFC3339)
}

// Operators returns the operators. Those that reached the target did so one minute after the other.
func (c *cluster) Operators() ([]operator, error) {
	text, err := os.ReadFile(filepath.Join("testdata", "operators"))
	if err != nil {
		return nil, err
	}
	var operators []operator
	reached := c.Through != ""
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		one := operator{Name: words[0], Version: c.From, Since: c.Installed(), Namespaces: words[1:]}
		if reached && !slices.Contains(c.Except, one.Name) {
			one.Version = c.To
			one.Since = c.Started.Add(time.Duration(len(operators)+1) * time.Minute).Format(time.RFC3339)
		}
		reached = reached && one.Name != c.Through
		operators = append(operators, one)
	}
	return operators, nil
}

// Pools returns the pools master and worker with their nodes.
func (c *cluster) Pools() []pool {
	return []pool{c.pool("master", c.Masters), c.pool("worker", c.Workers)}
}

func (c *cluster) pool(name string, count *int) pool {
	rendered := func(version string) string { return "rendered-" + name + "-" + builders.Digest(version)[:32] }
	result := pool{Name: name, Config: rendered(c.From), Current: rendered(c.From)}
	type item = struct{ Name, Version, Config string }
	result.Configs = []item{{Name: rendered(c.From), Version: c.From}}
	if c.Rendered != nil {
		result.Config = rendered(c.To)
		result.Configs = append(result.Configs, item{Name: result.Config, Version: c.To})
	}
	nodes := 3
	if count != nil {
		nodes = *count
	}
	for at := range nodes {
		node := item{Name: fmt.Sprintf("%s-%d", name, at), Config: rendered(c.From)}
		if slices.Contains(c.Configured, node.Name) {
			node.Config = rendered(c.To)
		}
		if node.Config == result.Config {
			result.Updated++
		}
		result.Nodes = append(result.Nodes, node)
	}
	if result.Updated == nodes {
		result.Current = result.Config
	}
	return result
}

// objects returns the objects of the base cluster.
func (c *cluster) objects() ([]object, error) {
	base, err := template.New("base.yaml").Funcs(template.FuncMap{"image": builders.Image}).ParseFiles(filepath.Join("testdata", "base.yaml"))
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if err := base.Execute(&text, c); err != nil {
		return nil, err
	}
	return documents(text.Bytes())
}
