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

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// member is a member of a union: the values of the discriminator that call for it, and its name.
type member struct {
	discriminators []string
	name           string
}

var versionMetadata = []member{
	{[]string{string(updatev1alpha1.VersionInstallation), string(updatev1alpha1.VersionPartial)}, "boolean"},
	{[]string{string(updatev1alpha1.VersionArchitecture)}, "string"},
}

// insightMember returns the member of an insight that a type calls for: it has the name of the type.
func insightMember(kind *insight.Kind) member {
	name := string(kind.Type)
	return member{[]string{name}, strings.ToLower(name[:1]) + name[1:]}
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
			dropCluster(schema)
		case "HostedClusterUpdateStatus":
			finish(schema, insight.Hosted, "nodePools")
			describeHosted(schema)
		case "HostedClusterUpdateStatusSummary":
			summaryWords.replaceIn(schema)
		default:
			dropCluster(schema)
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
		for _, member := range []string{"clusterVersion", "hostedCluster"} {
			edit(one, func(metadata *apiextensionsv1.JSONSchemaProps) {
				makeUnion(metadata, "key", versionMetadata)
			}, member, "versions", "*", "metadata", "[]")
		}
		allow(one, insight.KindsOf(topology))
	}, "status", "controlPlane", "informers", "[]", "insights", "[]")

	edit(schema, func(one *apiextensionsv1.JSONSchemaProps) {
		allow(one, slices.DeleteFunc(insight.KindsOf(topology), func(kind *insight.Kind) bool { return kind.ControlPlaneOnly }))
	}, "status", pools, "[]", "informers", "[]", "insights", "[]")
}

// allow makes an insight a union of the members of some kinds, and drops all others.
func allow(one *apiextensionsv1.JSONSchemaProps, kinds []*insight.Kind) {
	var members []member
	for _, kind := range kinds {
		members = append(members, insightMember(kind))
	}
	for _, kind := range insight.Kinds() {
		if !slices.Contains(kinds, kind) {
			delete(one.Properties, insightMember(kind).name)
		}
	}
	makeUnion(one, "type", members)
}

// dropCluster drops the cluster of references to resources and of commands, which only hosted clusters have.
func dropCluster(schema *apiextensionsv1.JSONSchemaProps) {
	walk(schema, func(one *apiextensionsv1.JSONSchemaProps) {
		_, isReference := one.Properties["resource"]
		_, isCommand := one.Properties["argv"]
		if isReference || isCommand {
			delete(one.Properties, "cluster")
		}
	})
}

// walk calls change with a schema and all schemas below it.
func walk(schema *apiextensionsv1.JSONSchemaProps, change func(*apiextensionsv1.JSONSchemaProps)) {
	change(schema)
	if schema.Items != nil {
		walk(schema.Items.Schema, change)
	}
	for name, property := range schema.Properties {
		walk(&property, change)
		schema.Properties[name] = property
	}
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
			panic("no property " + step + " in the schema: hack/finish-crd and the types differ")
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
