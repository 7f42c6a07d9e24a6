package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// member is a member of a union: the values of the discriminator that call for it, and its name.
type member struct {
	discriminators []string
	name           string
}

var (
	controlPlaneInsights = append([]member{
		{[]string{string(updatev1alpha1.InsightClusterVersion)}, "clusterVersion"},
		{[]string{string(updatev1alpha1.InsightClusterOperator)}, "clusterOperator"},
	}, workerPoolInsights...)
	workerPoolInsights = []member{
		{[]string{string(updatev1alpha1.InsightMachineConfigPool)}, "machineConfigPool"},
		{[]string{string(updatev1alpha1.InsightNode)}, "node"},
		{[]string{string(updatev1alpha1.InsightHealth)}, "health"},
	}
	versionMetadata = []member{
		{[]string{string(updatev1alpha1.VersionInstallation), string(updatev1alpha1.VersionPartial)}, "boolean"},
		{[]string{string(updatev1alpha1.VersionArchitecture)}, "string"},
	}
)

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
		finish(crd.Spec.Versions[at].Schema.OpenAPIV3Schema)
	}
	content, err = marshal(crd)
	if err != nil {
		return err
	}
	_, err = out.Write(content)
	return err
}

func finish(schema *apiextensionsv1.JSONSchemaProps) {
	edit(schema, func(insight *apiextensionsv1.JSONSchemaProps) {
		edit(insight, func(version *apiextensionsv1.JSONSchemaProps) {
			edit(version, func(metadata *apiextensionsv1.JSONSchemaProps) {
				makeUnion(metadata, "key", versionMetadata)
			}, "metadata", "[]")
		}, "clusterVersion", "versions", "*")
		makeUnion(insight, "type", controlPlaneInsights)
	}, "status", "controlPlane", "informers", "[]", "insights", "[]")

	edit(schema, func(insight *apiextensionsv1.JSONSchemaProps) {
		delete(insight.Properties, "clusterVersion")
		delete(insight.Properties, "clusterOperator")
		makeUnion(insight, "type", workerPoolInsights)
	}, "status", "workerPools", "[]", "informers", "[]", "insights", "[]")
}

// edit calls change with the schema at a path below a schema: names of properties, [] for the items of a list, * for
// every property.
func edit(schema *apiextensionsv1.JSONSchemaProps, change func(*apiextensionsv1.JSONSchemaProps), path ...string) {
	if len(path) == 0 {
		change(schema)
		return
	}
	switch step, rest := path[0], path[1:]; step {
	case "[]":
		edit(schema.Items.Schema, change, rest...)
	case "*":
		for name := range schema.Properties {
			edit(schema, change, append([]string{name}, rest...)...)
		}
	default:
		property, found := schema.Properties[step]
		if !found {
			panic("no property " + step + " in the schema: hack/finish-crd and the types have parted")
		}
		edit(&property, change, rest...)
		schema.Properties[step] = property
	}
}

// makeUnion lets a schema accept exactly one of the members (oneOf), and only the one that the discriminator names
// (anyOf).
func makeUnion(schema *apiextensionsv1.JSONSchemaProps, discriminator string, members []member) {
	var values []apiextensionsv1.JSON
	schema.OneOf, schema.AnyOf = nil, nil
	for _, m := range members {
		var named []apiextensionsv1.JSON
		for _, value := range m.discriminators {
			named = append(named, apiextensionsv1.JSON{Raw: []byte(`"` + value + `"`)})
		}
		values = append(values, named...)
		required := []string{m.name}
		schema.OneOf = append(schema.OneOf, apiextensionsv1.JSONSchemaProps{Required: required})
		schema.AnyOf = append(schema.AnyOf, apiextensionsv1.JSONSchemaProps{
			Required:   required,
			Properties: map[string]apiextensionsv1.JSONSchemaProps{discriminator: {Enum: named}},
		})
	}
	property := schema.Properties[discriminator]
	property.Enum = values
	schema.Properties[discriminator] = property
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
