package api_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// kind is a kind of the API, with its folder in testdata.
type kind struct {
	name, resource, namespace string
	// contains are kinds that it has parts of: their rules are its rules, where it has what they are for.
	contains []string
	// rules are the kinds whose files of rules are its own, none if those of its own folder are.
	rules []string
}

var (
	updateStatus              = kind{name: "updatestatus", resource: "updatestatuses"}
	updateStatusSummary       = kind{name: "updatestatussummary", resource: "updatestatussummaries"}
	updateRecord              = kind{name: "updaterecord", resource: "updaterecords"}
	updateInformer            = kind{name: "updateinformer", resource: "updateinformers", namespace: metav1.NamespaceDefault}
	hostedClusterUpdateStatus = kind{
		name: "hostedclusterupdatestatus", resource: "hostedclusterupdatestatuses", namespace: metav1.NamespaceDefault,
		contains: []string{updateStatus.name},
	}
	hostedClusterUpdateStatusSummary = kind{
		name: "hostedclusterupdatestatussummary", resource: "hostedclusterupdatestatussummaries", namespace: metav1.NamespaceDefault,
		rules: []string{updateStatusSummary.name},
	}
	hostedClusterUpdateRecord = kind{
		name: "hostedclusterupdaterecord", resource: "hostedclusterupdaterecords", namespace: metav1.NamespaceDefault,
		rules: []string{updateRecord.name},
	}
)

// eachKind runs a test for each kind.
func eachKind(t *testing.T, test func(t *testing.T, of kind)) {
	t.Helper()
	for _, of := range []kind{
		updateStatus, updateStatusSummary, updateRecord, updateInformer,
		hostedClusterUpdateStatus, hostedClusterUpdateStatusSummary, hostedClusterUpdateRecord,
	} {
		t.Run(of.name, func(t *testing.T) { test(t, of) })
	}
}

// objectCase is a file of objects.
type objectCase struct {
	name string
	// Object is an object of the kind.
	Object map[string]any `json:"object"`
	// Error is part of the error with which the object is refused; without it, it is accepted.
	Error string `json:"error,omitempty"`
	// Hits are the rules that refuse it.
	Hits []rule `json:"hits,omitempty"`
}

// ruleCase is an item of a file of rules.
type ruleCase struct {
	name string
	// optional is whether the rule is that of a part, which an object may lack.
	optional bool
	// Path is where the rule stands. **. stands for any number of fields, (a|b) for one of several names.
	Path string `json:"path"`
	// Rule is the keyword of the schema.
	Rule string `json:"rule"`
	// Accepted and Refused are values for that place.
	Accepted []any `json:"accepted,omitempty"`
	Refused  []any `json:"refused"`
	// Error is part of the error with which a value is refused.
	Error string `json:"error"`
}

// absent as a value takes the field away.
const absent = "$absent"

func readCases[T any](t *testing.T, kind, folder string, add func(name string, content T)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", kind, folder, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("files in %s: %v %v", folder, files, err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var value T
		if err := yaml.UnmarshalStrict(content, &value); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		add(strings.TrimSuffix(filepath.Base(file), ".yaml"), value)
	}
}

func readObjectCases(t *testing.T, of kind) []objectCase {
	t.Helper()
	var cases []objectCase
	readCases(t, of.name, "objects", func(name string, content objectCase) {
		content.name = name
		cases = append(cases, content)
	})
	return cases
}

func readRuleCases(t *testing.T, of kind) []ruleCase {
	t.Helper()
	var cases []ruleCase
	read := map[string]bool{}
	own := of.rules
	if len(own) == 0 {
		own = []string{of.name}
	}
	for _, kind := range slices.Concat(own, of.contains) {
		readCases(t, kind, "rules", func(name string, content []ruleCase) {
			for _, c := range content {
				c.name, c.optional = name, !slices.Contains(own, kind)
				// A path from the top is about the whole object. Files of the same name are about the same part.
				if !read[name] && (!c.optional || strings.HasPrefix(c.Path, "**.")) {
					cases = append(cases, c)
				}
			}
			read[name] = true
		})
	}
	return cases
}

// readFull reads the object in which every field is set.
func readFull(t *testing.T, of kind) *unstructured.Unstructured {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", of.name, "full.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if content, err = yaml.YAMLToJSON(content); err != nil {
		t.Fatal(err)
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(content); err != nil {
		t.Fatal(err)
	}
	return object
}

// rules returns the rules that a case is for.
func (c ruleCase) rules(full *unstructured.Unstructured) []rule {
	var rules []rule
	for _, found := range c.places(full) {
		rules = append(rules, rule{found.path, c.Rule})
	}
	return rules
}

// place is a value within an object.
type place struct {
	// path is where the schema has it, steps where the object has it: names of fields and indices of items.
	path  string
	steps []any
}

// String returns the place as the API server names it in its errors.
func (p place) String() string {
	var text strings.Builder
	for _, step := range p.steps {
		if name, isName := step.(string); isName {
			text.WriteString("." + name)
		} else {
			fmt.Fprintf(&text, "[%d]", step)
		}
	}
	return strings.TrimPrefix(text.String(), ".")
}

// part returns the part of the object that has the place: spec or status.
func (p place) part() string {
	return p.steps[0].(string)
}

// within returns the place as some errors name it, which are about the status as a whole.
func (p place) within() string {
	return strings.TrimPrefix(p.String(), "status.")
}

// places returns, for each place of the schema that a case is for, the first value in an object that stands there.
func (c ruleCase) places(object *unstructured.Unstructured) []place {
	pattern := regexp.QuoteMeta(c.Path)
	for _, special := range []string{"(", ")", "|"} {
		pattern = strings.ReplaceAll(pattern, `\`+special, special)
	}
	pattern = strings.ReplaceAll(pattern, `\*\*\.`, `(.*\.)?`)
	matches := regexp.MustCompile("^" + pattern + "$")
	return slices.DeleteFunc(allPlaces(object), func(found place) bool { return !matches.MatchString(found.path) })
}

// allPlaces returns spec, status and all values below them, each place of the schema once.
func allPlaces(object *unstructured.Unstructured) []place {
	known := map[string]bool{}
	var found []place
	var walk func(value any, at place)
	walk = func(value any, at place) {
		if !known[at.path] {
			known[at.path] = true
			found = append(found, at)
		}
		switch value := value.(type) {
		case map[string]any:
			for name, member := range value {
				walk(member, place{below(at.path, name), append(slices.Clone(at.steps), name)})
			}
		case []any:
			for index, item := range value {
				walk(item, place{at.path + "[]", append(slices.Clone(at.steps), index)})
			}
		}
	}
	for _, part := range []string{"spec", "status"} {
		if object.Object[part] == nil {
			continue // an object without settings
		}
		walk(object.Object[part], place{part, []any{part}})
	}
	return found
}

// with returns an object with another value at a place.
func (p place) with(object *unstructured.Unstructured, value any) *unstructured.Unstructured {
	changed := object.DeepCopy()
	last := p.steps[len(p.steps)-1]
	switch parent := p.parent(changed).(type) {
	case map[string]any:
		if value == absent {
			delete(parent, last.(string))
		} else {
			parent[last.(string)] = value
		}
	case []any:
		parent[last.(int)] = value
	}
	return changed
}

// parent returns what holds the value at a place: a struct or a list.
func (p place) parent(object *unstructured.Unstructured) any {
	var parent any = object.Object
	for _, step := range p.steps[:len(p.steps)-1] {
		parent = member(parent, step)
	}
	return parent
}

func member(value, step any) any {
	if name, isName := step.(string); isName {
		return value.(map[string]any)[name]
	}
	return value.([]any)[step.(int)]
}

// expand makes out of a value in a file what it stands for: {$text: T, times: N} is a text repeated, and
// {$items: N, of: V} a list of the same value with $n replaced by a number.
func expand(value any) any {
	switch value := value.(type) {
	case map[string]any:
		if text, is := value["$text"].(string); is {
			return strings.Repeat(text, int(value["times"].(float64)))
		}
		if count, is := value["$items"].(float64); is {
			items := make([]any, int(count))
			for at := range items {
				items[at] = expand(numbered(value["of"], strconv.Itoa(at)))
			}
			return items
		}
		return mapped(value, expand)
	case []any:
		return mappedList(value, expand)
	case float64:
		return int64(value)
	default:
		return value
	}
}

// shown returns a value as it stands in its file, shortened.
func shown(value any) string {
	content, err := yaml.Marshal(value)
	if err != nil {
		return err.Error()
	}
	const enough = 200
	return string(content[:min(len(content), enough)])
}

func numbered(value any, number string) any {
	switch value := value.(type) {
	case string:
		return strings.ReplaceAll(value, "$n", number)
	case map[string]any:
		return mapped(value, func(member any) any { return numbered(member, number) })
	case []any:
		return mappedList(value, func(item any) any { return numbered(item, number) })
	default:
		return value
	}
}

func mapped(value map[string]any, f func(any) any) map[string]any {
	result := make(map[string]any, len(value))
	for key, member := range value {
		result[key] = f(member)
	}
	return result
}

func mappedList(value []any, f func(any) any) []any {
	result := make([]any, len(value))
	for at, item := range value {
		result[at] = f(item)
	}
	return result
}
