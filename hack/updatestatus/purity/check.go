package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
)

// maxTestDependencies is how many packages outside of the standard library the tests of a pure package may need besides those that it
// needs itself: enough for comparing, drawing and building objects, and not for a client or an API server. `go test` compiles them before
// the first test runs.
const maxTestDependencies = 60

// goPackage is a package as `go list -json` describes it.
type goPackage struct {
	ImportPath string
	// ForTest is the package whose tests this is compiled for, empty for what is in a binary and for the main package of the tests.
	ForTest string
	Dir     string
	GoFiles []string
	Imports []string
	Deps    []string
}

// house is a module and the packages that it should have.
type house struct {
	module string
	layers []layer
}

// checkAll returns what the packages do that their kinds must not, and which listed packages do not exist.
func (h house) checkAll(packages []goPackage) []string {
	var violations []string
	dependencies := map[string]int{}
	for _, p := range packages {
		dependencies[p.ImportPath] = countOthers(p.Deps)
	}
	for _, p := range packages {
		tested, isTest := strings.CutSuffix(p.ImportPath, ".test")
		if isTest {
			violations = append(violations, h.checkTest(tested, countOthers(p.Deps)-dependencies[tested])...)
			continue
		}
		violations = append(violations, h.check(p)...)
	}
	for _, l := range h.layers {
		if !slices.ContainsFunc(packages, func(p goPackage) bool { return isBelow(p.ImportPath, h.module+"/"+l.path) }) {
			violations = append(violations, l.path+": in the table of "+table+", but does not exist")
		}
	}
	return violations
}

// countOthers counts the packages that are not of the standard library, whose paths begin without a domain.
func countOthers(paths []string) int {
	number := 0
	for _, path := range paths {
		if domain, _, _ := strings.Cut(path, "/"); strings.Contains(domain, ".") {
			number++
		}
	}
	return number
}

// check returns what a package does that its kind must not.
func (h house) check(p goPackage) []string {
	path := strings.TrimPrefix(p.ImportPath, h.module+"/")
	own, known := h.layerOf(path)
	if !known {
		return []string{path + ": not in the table of " + table}
	}
	var violations []string
	for _, imported := range p.Imports {
		if !isBelow(imported, h.module) {
			continue
		}
		if why := h.refuses(own, strings.TrimPrefix(imported, h.module+"/")); why != "" {
			violations = append(violations, fmt.Sprintf("%s: imports %s, %s", path, imported, why))
		}
	}
	violations = append(violations, h.checkRooms(path, p.Imports)...)
	if own.kind == pure {
		violations = append(violations, reachedClients(path, p.Deps)...)
		violations = append(violations, goroutines(path, p)...)
	}
	if slices.Contains(p.Imports, h.module+"/"+reading) {
		violations = append(violations, walks(path, p)...)
	}
	return violations
}

// rooms are packages of one kind of cluster each, which must not know each other.
var rooms = []string{"pkg/updatestatus/assess/hosted", "pkg/updatestatus/assess/standalone"}

// checkRooms returns whether a room imports another one.
func (h house) checkRooms(path string, imports []string) []string {
	var violations []string
	for _, imported := range imports {
		other := strings.TrimPrefix(imported, h.module+"/")
		if other != path && slices.Contains(rooms, path) && slices.Contains(rooms, other) {
			violations = append(violations, fmt.Sprintf("%s: imports %s, which has the rules of another kind of cluster", path, imported))
		}
	}
	return violations
}

// reading is the package that reads a status, for all packages that import it.
const reading = "pkg/updatestatus/update"

// checkTest returns whether the tests of a package need too many packages besides those that it needs itself.
func (h house) checkTest(importPath string, added int) []string {
	path := strings.TrimPrefix(importPath, h.module+"/")
	if own, _ := h.layerOf(path); own.kind != pure || added <= maxTestDependencies {
		return nil
	}
	return []string{fmt.Sprintf("%s: pure, but its tests add %d packages to those that it needs, more than %d: what needs clients is tested in test/",
		path, added, maxTestDependencies)}
}

// refuses returns why a layer must not import a package of the module, empty if it may.
func (h house) refuses(l layer, path string) string {
	imported, known := h.layerOf(path)
	switch {
	case !known:
		return "which is no part of the binaries"
	case imported.path == l.path, imported.kind == pure:
		return ""
	case l.kind != shell && l.kind != wiring:
		return "which is not pure"
	case imported.kind != generated && l.kind != wiring:
		return "which is another shell"
	default:
		return ""
	}
}

func reachedClients(path string, deps []string) []string {
	var violations []string
	for _, client := range clients {
		reached := slices.IndexFunc(deps, func(dep string) bool { return isBelow(dep, client) })
		if reached >= 0 {
			violations = append(violations, fmt.Sprintf("%s: pure, but reaches %s", path, deps[reached]))
		}
	}
	return violations
}

// goroutines finds the go statements and the channels in a package's sources.
func goroutines(path string, p goPackage) []string {
	return inspect(path, p, func(node ast.Node) string {
		switch node.(type) {
		case *ast.GoStmt, *ast.ChanType:
			return "pure, but starts a goroutine or has a channel"
		}
		return ""
	})
}

// walks finds where a package walks the insights of a status by itself.
func walks(path string, p goPackage) []string {
	return inspect(path, p, func(node ast.Node) string {
		if selector, ok := node.(*ast.SelectorExpr); ok && (selector.Sel.Name == "Insights" || selector.Sel.Name == "Informers") {
			return "imports " + reading + ", but walks the insights of a status itself"
		}
		return ""
	})
}

// inspect returns what is wrong with the nodes of a package's sources, each with its line.
func inspect(path string, p goPackage, wrong func(ast.Node) string) []string {
	var violations []string
	files := token.NewFileSet()
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			violations = append(violations, err.Error())
			continue
		}
		ast.Inspect(file, func(node ast.Node) bool {
			if why := wrong(node); why != "" {
				violations = append(violations, fmt.Sprintf("%s/%s:%d: %s", path, name, files.Position(node.Pos()).Line, why))
			}
			return true
		})
	}
	return violations
}
