package api_test

import (
	"fmt"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/repository"
	"github.com/openshift/cluster-version-operator/test/updatestatus/schema"
)

// rule is a rule of the schema: where it stands and what it is called there.
type rule struct {
	// Path are names of fields, separated by dots, each with [] behind it for the items of a list.
	Path string `json:"path"`
	// Rule is the keyword of the schema.
	Rule string `json:"rule"`
}

func (r rule) String() string {
	return r.Rule + " of " + r.Path
}

// readSchema reads the CRD of a kind.
func readSchema(t *testing.T, of kind) *schema.Schema {
	t.Helper()
	read, err := schema.Read(repository.RootOf(t), of.resource)
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// rulesOf returns all rules of a schema, but that every value has a type: see TestTypes.
func rulesOf(of *apiextensionsv1.JSONSchemaProps, path string) []rule {
	var rules []rule
	add := func(present bool, keyword string) {
		if present {
			rules = append(rules, rule{path, keyword})
		}
	}
	add(of.MinLength != nil && *of.MinLength > 0, "minLength")
	add(of.MaxLength != nil, "maxLength")
	add(of.Pattern != "", "pattern")
	add(len(of.Enum) > 0, "enum")
	// A number of a smaller size is a matter of its type.
	add(of.Format != "" && of.Type == "string", "format")
	add(of.Minimum != nil, "minimum")
	add(of.Maximum != nil, "maximum")
	add(of.MultipleOf != nil, "multipleOf")
	add(of.MinItems != nil && *of.MinItems > 0, "minItems")
	add(of.MaxItems != nil, "maxItems")
	add(of.UniqueItems, "uniqueItems")
	add(of.MinProperties != nil && *of.MinProperties > 0, "minProperties")
	add(of.MaxProperties != nil, "maxProperties")
	add(of.Not != nil, "not")
	add(len(of.OneOf) > 0, "oneOf")
	add(len(of.AnyOf) > 0, "anyOf")
	add(len(of.AllOf) > 0, "allOf")
	add(len(of.XListMapKeys) > 0, "x-kubernetes-list-map-keys")
	for at := range of.XValidations {
		add(true, fmt.Sprintf("x-kubernetes-validations[%d]", at))
	}
	for _, name := range of.Required {
		rules = append(rules, rule{below(path, name), "required"})
	}
	for name, property := range of.Properties {
		rules = append(rules, rulesOf(&property, below(path, name))...)
	}
	if of.Items != nil {
		rules = append(rules, rulesOf(of.Items.Schema, path+"[]")...)
	}
	return rules
}

func below(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// TestFieldDescriptions fails when kubectl explain has nothing to say about a field.
func TestFieldDescriptions(t *testing.T) { eachKind(t, testFieldDescriptions) }

func testFieldDescriptions(t *testing.T, of kind) {
	var walk func(schema *apiextensionsv1.JSONSchemaProps, path string)
	walk = func(schema *apiextensionsv1.JSONSchemaProps, path string) {
		for name, property := range schema.Properties {
			if property.Description == "" && below(path, name) != "metadata" {
				t.Errorf("%s has no description", below(path, name))
			}
			walk(&property, below(path, name))
		}
		if schema.Items != nil {
			walk(schema.Items.Schema, path+"[]")
		}
	}
	walk(readSchema(t, of).Properties, "")
}

// TestRuleCoverage fails when a rule of the schema is not hit by a case, or a case is for a rule that is not there.
func TestRuleCoverage(t *testing.T) { eachKind(t, testRuleCoverage) }

func testRuleCoverage(t *testing.T, of kind) {
	hit := map[rule]bool{}
	for _, c := range readObjectCases(t, of) {
		for _, r := range c.Hits {
			hit[r] = true
		}
	}
	full := readFull(t, of)
	for _, c := range readRuleCases(t, of) {
		for _, r := range c.rules(full) {
			hit[r] = true
		}
	}
	for _, r := range rulesOf(readSchema(t, of).Properties, "") {
		if !hit[r] {
			t.Errorf("no case hits the rule %s", r)
		}
		delete(hit, r)
	}
	for r := range hit {
		t.Errorf("there is a case for the rule %s, but no such rule", r)
	}
}
