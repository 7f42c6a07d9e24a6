package snapshot

import (
	"bytes"
	"fmt"
	"regexp"

	yamlv3 "go.yaml.in/yaml/v3"
)

// maxExpansion bounds the bytes that the aliases of a document expand to. Tools that collect objects write none.
const maxExpansion = 64 << 20

// anchor matches what can be an anchor, the target of an alias.
var anchor = regexp.MustCompile(`(^|[\s,:\[{-])&[^\s,\]}]`)

// checkAliases returns an error for YAML that would expand too much: an alias repeats its target, which can have further
// aliases.
func checkAliases(text []byte) error {
	if bytes.IndexByte(text, '*') < 0 || !anchor.Match(text) {
		return nil
	}
	var document yamlv3.Node
	if err := yamlv3.Unmarshal(text, &document); err != nil {
		return nil //nolint:nilerr // decoding it reports the error with its line
	}
	if expansion := (expandedSizes{}).size(&document); expansion > len(text)+maxExpansion {
		return fmt.Errorf("skipped: its YAML aliases expand to more than %d MiB", maxExpansion>>20)
	}
	return nil
}

// expandedSizes has the sizes of the targets of aliases.
type expandedSizes map[*yamlv3.Node]int

// size returns the approximate size of a node with its aliases expanded, limited to not much more than a document can have.
func (e expandedSizes) size(node *yamlv3.Node) int {
	if node.Kind == yamlv3.AliasNode {
		return e.sizeOfTarget(node.Alias)
	}
	size := 1 + len(node.Value)
	for _, child := range node.Content {
		size = min(size+e.size(child), maxFileSize+maxExpansion)
	}
	return size
}

func (e expandedSizes) sizeOfTarget(node *yamlv3.Node) int {
	if size, ok := e[node]; ok {
		return size
	}
	// A node that contains itself has no size.
	e[node] = maxFileSize + maxExpansion
	e[node] = e.size(node)
	return e[node]
}
