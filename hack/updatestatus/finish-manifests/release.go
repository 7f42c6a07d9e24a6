package main

import (
	"errors"
	"slices"
	"strings"
)

// featureSet is the feature set of all manifests.
const featureSet = "DevPreviewNoUpgrade"

// release has the annotations of all manifests. Without include.release.openshift.io/hypershift and …/ibm-cloud-managed,
// hosted clusters don't get them: they have no control plane nodes, and the update is reported elsewhere. Without
// release.openshift.io/feature-set, all clusters would get them.
var release = []string{
	`capability.openshift.io/name: UpdateStatus`,
	`include.release.openshift.io/self-managed-high-availability: "true"`,
	`include.release.openshift.io/single-node-developer: "true"`,
	"release.openshift.io/feature-set: " + featureSet,
}

// owned has the prefixes of annotations that finish removes unless they are in the list.
var owned = []string{
	"capability.openshift.io/",
	"exclude.release.openshift.io/",
	"include.release.openshift.io/",
	"release.openshift.io/",
}

const (
	separator = "---"
	indent    = "  "
)

// finish returns the YAML documents of a manifest with the annotations of the list. It edits lines, to preserve comments, order
// and layout.
func finish(content string) (string, error) {
	lines := strings.Split(strings.TrimRight(content, "\n"), "\n")
	var finished []string
	for len(lines) > 0 {
		end := slices.Index(lines, separator)
		document := lines
		if end >= 0 {
			document = lines[:end]
		}
		done, err := finishDocument(document)
		if err != nil {
			return "", err
		}
		finished = append(finished, done...)
		if end < 0 {
			break
		}
		finished = append(finished, separator)
		lines = lines[end+1:]
	}
	return strings.Join(finished, "\n") + "\n", nil
}

func finishDocument(lines []string) ([]string, error) {
	metadata := slices.Index(lines, "metadata:")
	if metadata < 0 {
		return nil, errors.New("an object without metadata")
	}
	start := metadata + 1
	end := start + blockLength(lines[start:], indent)
	block := annotate(lines[start:end])
	return slices.Concat(lines[:start], block, lines[end:]), nil
}

// annotate returns the lines of metadata with the annotations of the list after the object's own.
func annotate(metadata []string) []string {
	const title = indent + "annotations:"
	at := slices.Index(metadata, title)
	if at < 0 {
		// After name and namespace.
		at = slices.IndexFunc(metadata, func(line string) bool {
			return !strings.HasPrefix(line, indent+"name:") && !strings.HasPrefix(line, indent+"namespace:")
		})
		if at < 0 {
			at = len(metadata)
		}
		metadata = slices.Insert(slices.Clone(metadata), at, title)
	}
	start := at + 1
	end := start + blockLength(metadata[start:], indent+indent)
	own := slices.DeleteFunc(slices.Clone(metadata[start:end]), isOwned)
	for _, annotation := range release {
		own = append(own, indent+indent+annotation)
	}
	return slices.Concat(metadata[:start], own, metadata[end:])
}

func isOwned(line string) bool {
	return slices.ContainsFunc(owned, func(prefix string) bool { return strings.HasPrefix(line, indent+indent+prefix) })
}

// blockLength returns how many lines from the first one belong to the block with this indentation.
func blockLength(lines []string, indentation string) int {
	end := slices.IndexFunc(lines, func(line string) bool { return !strings.HasPrefix(line, indentation) })
	if end < 0 {
		return len(lines)
	}
	return end
}
