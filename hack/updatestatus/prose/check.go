package main

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// api is the end of the path of the package whose texts are the project's own.
const api = "pkg/apis/update/v1alpha1"

// sentences are the fields with sentences, and reports the type in which a message is that of a component.
var (
	sentences = []string{"Summary", "Description", "Message", "WaitingFor", "Assessment"}
	reports   = "ComponentReport"
)

// takesApart are the functions of package strings that read a text.
var takesApart = []string{
	"Contains", "ContainsAny", "Cut", "CutPrefix", "CutSuffix", "Fields", "FieldsSeq", "HasPrefix", "HasSuffix", "Index", "LastIndex", "Replace",
	"ReplaceAll", "Split", "SplitN", "SplitSeq", "Trim", "TrimPrefix", "TrimSuffix", "EqualFold",
}

// checker knows where the compiled packages are.
type checker struct {
	exports map[string]string
}

// check returns where a package reads sentences.
func (c checker) check(p goPackage) ([]string, error) {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("reading a source: %w", err)
		}
		files = append(files, file)
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(c.exports[path]) }
	info := &types.Info{
		Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Types: map[ast.Expr]types.TypeAndValue{},
	}
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", open)}
	if _, err := config.Check(p.ImportPath, fset, files, info); err != nil {
		return nil, fmt.Errorf("checking the types of %s: %w", p.ImportPath, err)
	}
	var found []string
	for _, file := range files {
		for _, declaration := range file.Decls {
			f := function{info: info, sentences: map[types.Object]bool{}}
			ast.Inspect(declaration, func(node ast.Node) bool {
				f.remember(node)
				if call, is := node.(*ast.CallExpr); is && f.reads(call) {
					at := fset.Position(call.Pos())
					found = append(found, fmt.Sprintf("%s/%s:%d: reads a sentence of the project", p.ImportPath, filepath.Base(at.Filename), at.Line))
				}
				return true
			})
		}
	}
	return found, nil
}

// function is a declaration, with the variables that hold sentences.
type function struct {
	info      *types.Info
	sentences map[types.Object]bool
}

// remember notes the variables that a statement makes of a sentence.
func (f function) remember(node ast.Node) {
	assignment, is := node.(*ast.AssignStmt)
	if !is || !slices.ContainsFunc(assignment.Rhs, f.hasSentence) {
		return
	}
	for at, left := range assignment.Lhs {
		if len(assignment.Rhs) == len(assignment.Lhs) && !f.hasSentence(assignment.Rhs[at]) {
			continue
		}
		if name, is := left.(*ast.Ident); is && isText(f.objectOf(name)) {
			f.sentences[f.objectOf(name)] = true
		}
	}
}

func (f function) objectOf(name *ast.Ident) types.Object {
	if object := f.info.Defs[name]; object != nil {
		return object
	}
	return f.info.Uses[name]
}

func isText(object types.Object) bool {
	if object == nil {
		return false
	}
	basic, is := object.Type().Underlying().(*types.Basic)
	return is && basic.Kind() == types.String
}

// reads returns whether a call takes a sentence apart.
func (f function) reads(call *ast.CallExpr) bool {
	selector, is := call.Fun.(*ast.SelectorExpr)
	if !is || !slices.ContainsFunc(call.Args, f.hasSentence) {
		return false
	}
	called := f.info.Uses[selector.Sel]
	if called == nil || called.Pkg() == nil {
		return false
	}
	switch called.Pkg().Path() {
	case "strings":
		return slices.Contains(takesApart, called.Name())
	case "regexp":
		return true
	default:
		return false
	}
}

// hasSentence returns whether an expression contains a sentence, outside of what it calls.
func (f function) hasSentence(expression ast.Expr) bool {
	has := false
	ast.Inspect(expression, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncLit:
			return false
		case *ast.Ident:
			has = has || f.sentences[f.info.Uses[node]]
		case *ast.SelectorExpr:
			has = has || f.isSentence(node)
		}
		return !has
	})
	return has
}

// isSentence returns whether a selector is a field with a sentence.
func (f function) isSentence(selector *ast.SelectorExpr) bool {
	if !slices.Contains(sentences, selector.Sel.Name) {
		return false
	}
	selection := f.info.Selections[selector]
	if selection == nil || selection.Kind() != types.FieldVal {
		return false
	}
	owner := selection.Recv()
	if pointer, is := owner.(*types.Pointer); is {
		owner = pointer.Elem()
	}
	named, is := owner.(*types.Named)
	if !is || named.Obj().Pkg() == nil {
		return false
	}
	path, name := named.Obj().Pkg().Path(), named.Obj().Name()
	return strings.HasSuffix(path, api) && name != reports || path == "k8s.io/apimachinery/pkg/apis/meta/v1" && name == "Condition"
}
