package main

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
)

// table is the page whose table lists the packages of the binaries.
const table = "ARCHITECTURE.md"

type kind string

const (
	pure kind = "pure"
	// shell does I/O and imports no other shell.
	shell kind = "shell"
	// wiring is a shell that puts others together.
	wiring    kind = "wiring"
	generated kind = "–"
)

// layer is a package, with the packages in the folders below it, unless it is wiring: that has a folder with all others below it.
type layer struct {
	path string
	kind kind
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

var row = regexp.MustCompile(`(?m)^\| ((?:cmd|pkg)/[^ |]+) \| ([^ |]+) \|`)

// readLayers returns the packages that the table of a page lists.
func readLayers(page string) ([]layer, error) {
	content, err := os.ReadFile(page)
	if err != nil {
		return nil, fmt.Errorf("reading the list of packages: %w", err)
	}
	var layers []layer
	for _, match := range row.FindAllStringSubmatch(string(content), -1) {
		listed := layer{path: match[1], kind: kind(match[2])}
		switch listed.kind {
		case pure, shell, wiring, generated:
			layers = append(layers, listed)
		default:
			return nil, fmt.Errorf("%s: %s has the unknown kind %q", page, listed.path, listed.kind)
		}
	}
	if len(layers) == 0 {
		return nil, errors.New(page + ": no table of packages")
	}
	return layers, nil
}

// layerOf returns the layer of a package, by its path in the module.
func (h house) layerOf(path string) (layer, bool) {
	for _, l := range h.layers {
		if path == l.path || l.kind != wiring && isBelow(path, l.path) {
			return l, true
		}
	}
	return layer{}, false
}

func isBelow(path, root string) bool {
	return path == root || strings.HasPrefix(path, root+"/")
}
