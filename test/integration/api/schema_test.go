package api_test

import (
	"fmt"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/manifests"
	"github.com/openshift/cluster-version-operator/test/repository"
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

// readSchema reads the schema of a kind from the manifest.
func readSchema(t *testing.T, of kind) *apiextensionsv1.JSONSchemaProps {
	t.Helper()
	root, err := repository.Root()
	if err != nil {
		t.Fatal(err)
	}
	files, err := manifests.Files(root)
	if err != nil {
		t.Fatal(err)
	}
	hosted, err := manifests.HostedFiles(root)
	if err != nil {
		t.Fatal(err)
	}
	all, err := manifests.Read(append(files, hosted...), controlplane.Image)
	if err != nil {
		t.Fatal(err)
	}
	crd, found := manifests.Find[*apiextensionsv1.CustomResourceDefinition](all, of.resource+".update.openshift.io")
	if !found {
		t.Fatalf("there is no CRD of %s", of.resource)
	}
	if len(crd.Spec.Versions) != 1 {
		t.Fatalf("the CRD has %d versions", len(crd.Spec.Versions))
	}
	return crd.Spec.Versions[0].Schema.OpenAPIV3Schema
}

// rulesOf returns all rules of a schema, but that every value has a type: see TestTypes.
func rulesOf(schema *apiextensionsv1.JSONSchemaProps, path string) []rule {
	var rules []rule
	add := func(present bool, keyword string) {
		if present {
			rules = append(rules, rule{path, keyword})
		}
	}
	add(schema.MinLength != nil, "minLength")
	add(schema.MaxLength != nil, "maxLength")
	add(schema.Pattern != "", "pattern")
	add(len(schema.Enum) > 0, "enum")
	// A number of a smaller size is a matter of its type.
	add(schema.Format != "" && schema.Type == "string", "format")
	add(schema.Minimum != nil, "minimum")
	add(schema.Maximum != nil, "maximum")
	add(schema.MultipleOf != nil, "multipleOf")
	add(schema.MinItems != nil, "minItems")
	add(schema.MaxItems != nil, "maxItems")
	add(schema.UniqueItems, "uniqueItems")
	add(schema.MinProperties != nil, "minProperties")
	add(schema.MaxProperties != nil, "maxProperties")
	add(schema.Not != nil, "not")
	add(len(schema.OneOf) > 0, "oneOf")
	add(len(schema.AnyOf) > 0, "anyOf")
	add(len(schema.AllOf) > 0, "allOf")
	add(len(schema.XListMapKeys) > 0, "x-kubernetes-list-map-keys")
	for at := range schema.XValidations {
		add(true, fmt.Sprintf("x-kubernetes-validations[%d]", at))
	}
	for _, name := range schema.Required {
		rules = append(rules, rule{below(path, name), "required"})
	}
	for name, property := range schema.Properties {
		rules = append(rules, rulesOf(&property, below(path, name))...)
	}
	if schema.Items != nil {
		rules = append(rules, rulesOf(schema.Items.Schema, path+"[]")...)
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
	walk(readSchema(t, of), "")
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
	for _, r := range rulesOf(readSchema(t, of), "") {
		if !hit[r] {
			t.Errorf("no case hits the rule %s", r)
		}
		delete(hit, r)
	}
	for r := range hit {
		t.Errorf("there is a case for the rule %s, but no such rule", r)
	}
}
