package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// memberOf returns the member of an insight that a type calls for: it has the name of the type.
func memberOf(kind *insight.Kind) string {
	name := string(kind.Type)
	return strings.ToLower(name[:1]) + name[1:]
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "finish-crd:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	content, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.UnmarshalStrict(content, crd); err != nil {
		return err
	}
	for at := range crd.Spec.Versions {
		schema := crd.Spec.Versions[at].Schema.OpenAPIV3Schema
		switch crd.Spec.Names.Kind {
		case "UpdateStatus":
			finish(schema, insight.Standalone, "workerPools")
		case "HostedClusterUpdateStatus":
			finish(schema, insight.Hosted, "nodePools")
		}
	}
	content, err = marshal(crd)
	if err != nil {
		return err
	}
	_, err = out.Write(content)
	return err
}

// finish gives each part of a status the insights that it can have in the clusters of a topology. pools is the name of its pools.
func finish(schema *apiextensionsv1.JSONSchemaProps, topology insight.Topology, pools string) {
	edit(schema, func(one *apiextensionsv1.JSONSchemaProps) {
		makeUnion(one, insight.KindsOf(topology))
	}, "status", "controlPlane", "informers", "[]", "insights", "[]")

	edit(schema, func(one *apiextensionsv1.JSONSchemaProps) {
		makeUnion(one, slices.DeleteFunc(insight.KindsOf(topology), func(kind *insight.Kind) bool { return kind.ControlPlaneOnly }))
	}, "status", pools, "[]", "informers", "[]", "insights", "[]")
}

// edit calls change with the schema at a path below a schema: names of properties, and [] for the items of a list.
func edit(schema *apiextensionsv1.JSONSchemaProps, change func(*apiextensionsv1.JSONSchemaProps), path ...string) {
	if len(path) == 0 {
		change(schema)
		return
	}
	if path[0] == "[]" {
		edit(schema.Items.Schema, change, path[1:]...)
		return
	}
	property, found := schema.Properties[path[0]]
	if !found {
		panic("no property " + path[0] + " in the schema: hack/updatestatus/finish-crd and the types differ")
	}
	edit(&property, change, path[1:]...)
	schema.Properties[path[0]] = property
}

// makeUnion makes an insight a union of the members of some kinds: it accepts exactly one of them (oneOf), and only the one that the type
// names (anyOf). It has no other members.
func makeUnion(one *apiextensionsv1.JSONSchemaProps, kinds []*insight.Kind) {
	property := one.Properties["type"]
	property.Enum, one.OneOf, one.AnyOf = nil, nil, nil
	for _, kind := range insight.Kinds() {
		if !slices.Contains(kinds, kind) {
			delete(one.Properties, memberOf(kind))
		}
	}
	for _, kind := range kinds {
		for _, field := range kind.Omits {
			edit(one, func(member *apiextensionsv1.JSONSchemaProps) { omit(member, field) }, memberOf(kind))
		}
		required, value := []string{memberOf(kind)}, apiextensionsv1.JSON{Raw: []byte(`"` + kind.Type + `"`)}
		property.Enum = append(property.Enum, value)
		one.OneOf = append(one.OneOf, apiextensionsv1.JSONSchemaProps{Required: required})
		one.AnyOf = append(one.AnyOf, apiextensionsv1.JSONSchemaProps{
			Required: required, Properties: map[string]apiextensionsv1.JSONSchemaProps{"type": {Enum: []apiextensionsv1.JSON{value}}},
		})
	}
	one.Properties["type"] = property
}

// omit leaves out an optional property.
func omit(member *apiextensionsv1.JSONSchemaProps, field string) {
	if _, found := member.Properties[field]; !found || slices.Contains(member.Required, field) {
		panic("no optional property " + field + " in the schema: the table of the kinds of insights and the types differ")
	}
	delete(member.Properties, field)
}

// marshal leaves out the status, which a manifest must not carry.
func marshal(crd *apiextensionsv1.CustomResourceDefinition) ([]byte, error) {
	content, err := json.Marshal(crd)
	if err != nil {
		return nil, err
	}
	object := map[string]any{}
	if err := json.Unmarshal(content, &object); err != nil {
		return nil, err
	}
	delete(object, "status")
	delete(object["metadata"].(map[string]any), "creationTimestamp")
	return yaml.Marshal(object)
}
