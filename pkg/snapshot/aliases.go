package snapshot

import (
	"bytes"
	"fmt"
	"regexp"

	yamlv3 "go.yaml.in/yaml/v3"
)

// largestExpansion bounds what the aliases of a document stand for, in bytes. Tools that collect objects write none.
const largestExpansion = 64 << 20

// anchor is what may be an anchor, which is what an alias stands for.
var anchor = regexp.MustCompile(`(^|[\s,:\[{-])&[^\s,\]}]`)

// checkAliases returns an error for YAML of little text that would become a lot: an alias repeats what it stands for, and
// may be part of what another one stands for.
func checkAliases(text []byte) error {
	if bytes.IndexByte(text, '*') < 0 || !anchor.Match(text) {
		return nil
	}
	var document yamlv3.Node
	if err := yamlv3.Unmarshal(text, &document); err != nil {
		return nil //nolint:nilerr // who reads it in earnest tells where it is wrong
	}
	if expansion := (expanded{}).size(&document); expansion > len(text)+largestExpansion {
		return fmt.Errorf("passed over, since its aliases stand for more than %d MiB", largestExpansion>>20)
	}
	return nil
}

// expanded are the sizes of what aliases stand for.
type expanded map[*yamlv3.Node]int

// size returns the size of a node with everything that its aliases stand for, roughly, and not much more than a document
// may have.
func (e expanded) size(node *yamlv3.Node) int {
	if node.Kind == yamlv3.AliasNode {
		return e.sizeOfAnchored(node.Alias)
	}
	size := 1 + len(node.Value)
	for _, child := range node.Content {
		size = min(size+e.size(child), largestFile+largestExpansion)
	}
	return size
}

func (e expanded) sizeOfAnchored(node *yamlv3.Node) int {
	if known, found := e[node]; found {
		return known
	}
	// A node that contains itself has no end.
	e[node] = largestFile + largestExpansion
	e[node] = e.size(node)
	return e[node]
}
