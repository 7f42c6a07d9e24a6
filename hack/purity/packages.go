package main

import "strings"

type kind string

const (
	pure      kind = "pure"
	shell     kind = "shell"
	generated kind = "–"
)

// layer is a package, with the packages in the folders below it.
type layer struct {
	path string
	kind kind
	// shells are the other shells that a shell puts together.
	shells []string
}

// layers are all packages of the binaries, in the order of the data: the one list of them.
var layers = []layer{
	{path: "cmd/cluster-version-operator", kind: shell, shells: []string{"pkg/updatestatus"}},
	{path: "cmd/oc-update-status", kind: shell, shells: []string{"pkg/cli"}},
	{path: "pkg/updatestatus", kind: shell, shells: []string{"pkg/coalesce", "pkg/steady", "pkg/controlplane", "pkg/nodes", "pkg/drainreader", "pkg/alerts", "pkg/controller"}},
	{path: "pkg/coalesce", kind: shell},
	{path: "pkg/steady", kind: shell},
	{path: "pkg/slim", kind: pure},
	{path: "pkg/controlplane", kind: shell},
	{path: "pkg/nodes", kind: shell},
	{path: "pkg/drainreader", kind: shell},
	{path: "pkg/alerts", kind: shell},
	{path: "pkg/assess", kind: pure},
	{path: "pkg/insight", kind: pure},
	{path: "pkg/controller", kind: shell},
	{path: "pkg/ledger", kind: pure},
	{path: "pkg/status", kind: pure},
	{path: "pkg/apis/update/v1alpha1", kind: pure},
	{path: "pkg/generated", kind: generated},
	{path: "pkg/snapshot", kind: shell},
	{path: "pkg/describe", kind: pure},
	{path: "pkg/cli", kind: shell, shells: []string{"pkg/snapshot"}},
}

// clients are what no pure package may reach, through however many imports.
var clients = []string{
	"github.com/openshift/client-go",
	"github.com/openshift/library-go",
	"github.com/prometheus",
	"k8s.io/apiserver",
	"k8s.io/cli-runtime",
	"k8s.io/client-go",
	"k8s.io/component-base",
	"sigs.k8s.io/controller-runtime",
}

// layerOf returns the layer of a package, by its path in the module.
func layerOf(path string) (layer, bool) {
	for _, l := range layers {
		if isBelow(path, l.path) {
			return l, true
		}
	}
	return layer{}, false
}

func isBelow(path, root string) bool {
	return path == root || strings.HasPrefix(path, root+"/")
}
