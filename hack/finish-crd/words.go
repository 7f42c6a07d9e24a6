package main

import (
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// words are pairs of what the descriptions of types that all clusters share say, and what they have to say instead.
type words []string

// hostedWords are those of a hosted cluster, summaryWords of its summary.
var (
	hostedWords = words{
		"ClusterVersion", "HostedCluster",
		"MachineConfigPool", "NodePool",
		"the payload's cluster operators", "the components and cluster operators",
		"the earlier time that the Machine Config Operator reports", "the start that the Machine of a node that is replaced reports, or else its deletion",
		"that of the pool, one by default and in the control plane; a percentage is rounded down to at least one",
		"those that may be unavailable and those that are added, together",
	}
	summaryWords = words{
		"ClusterVersion", "HostedCluster",
		"MachineConfigPool", "NodePool",
		"worker pool", "node pool",
		"the cluster operators of the payload", "the components and cluster operators",
		"the UpdateStatus", "the HostedClusterUpdateStatus",
		"It does so every minute: what was not confirmed for three minutes", "It does so every minute while the cluster is being updated, " +
			"and every five minutes otherwise: what was not confirmed for three times as long",
	}
)

// componentWords are those of a component of the control plane, which has the type of a cluster operator.
var componentWords = words{
	"the operator's own Progressing condition", "its RolloutComplete condition",
	"the ClusterOperator", "the ControlPlaneComponent",
	"the operator", "the component",
}

// oneLine joins the lines of a paragraph, across which words may stand.
var oneLine = strings.NewReplacer("\n\n", "\n\n", "\n", " ")

// describeHosted adapts the descriptions of a schema to a hosted cluster.
func describeHosted(schema *apiextensionsv1.JSONSchemaProps) {
	hostedWords.replaceIn(schema)
	edit(schema, func(component *apiextensionsv1.JSONSchemaProps) {
		own := component.Description
		componentWords.replaceIn(component)
		component.Description = own
	}, "status", "controlPlane", "informers", "[]", "insights", "[]", "controlPlaneComponent")
}

// replaceIn replaces the words in all descriptions of a schema. Each must be there.
func (w words) replaceIn(schema *apiextensionsv1.JSONSchemaProps) {
	replacer, all := strings.NewReplacer(w...), strings.Builder{}
	walk(schema, func(one *apiextensionsv1.JSONSchemaProps) {
		text := oneLine.Replace(one.Description)
		all.WriteString(text + "\n")
		one.Description = replacer.Replace(text)
	})
	for at := 0; at < len(w); at += 2 {
		if !strings.Contains(all.String(), w[at]) {
			panic("no description says " + w[at] + ": hack/finish-crd and the types differ")
		}
	}
}
