package snapshot

import (
	stdcmp "cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
)

// TestProblems checks the problems of a file with their lines, and that its other objects are read.
func TestProblems(t *testing.T) {
	const good = "apiVersion: v1\nkind: Node\nmetadata:\n  name: good\nstatus: {conditions: [{type: Ready}]}\n"
	for name, tc := range map[string]struct {
		file, content string
		want          []string
	}{
		"broken document": {
			"a.yaml", "---\n" + good + "---\napiVersion: v1\nkind: Node\nmetadata: {\n",
			[]string{"a.yaml:10: decoding Node: did not find expected node content"},
		},
		"broken element": {
			"a.yaml", "kind: List\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata:\n    name: bad\n    labels: [\n- apiVersion: v1\n  kind: Node\n  metadata:\n    name: good\n  status: {conditions: [{type: Ready}]}\n",
			[]string{"a.yaml:7: decoding Node: did not find expected node content"},
		},
		"wrong type": {
			"a.yaml", good + "---\n\napiVersion: v1\nkind: Node\nmetadata:\n  name: bad\nspec: text\n",
			[]string{"a.yaml:6: decoding Node: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal string into Go struct field Node.spec of type v1.NodeSpec"},
		},
		"broken JSON": {
			"a.json", `{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "good"}}` + "\n{\n\"kind\": oops}",
			[]string{"a.json:3: invalid character 'o' looking for beginning of value"},
		},
		"truncated JSON": {
			"a.json", `{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "good"}}` + "\n{\n\"kind\":",
			[]string{"a.json:3: unexpected EOF"},
		},
		"wrong type in a list in JSON": {
			"a.json", "{\"apiVersion\": \"v1\", \"kind\": \"NodeList\", \"items\": [\n{\"metadata\": {\"name\": \"good\"}},\n{\"metadata\": []}]}",
			[]string{"a.json:3: decoding Node: json: cannot unmarshal array into Go struct field Node.metadata of type v1.ObjectMeta"},
		},
		"no name": {"a.yaml", good + "---\napiVersion: v1\nkind: Node\n", []string{"a.yaml:6: Node has no name"}},
		"truncated list": {
			"a.yaml", "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata:\n    name: good\n  status: {conditions: [{type: Ready}]}\n",
			[]string{"a.yaml:2: a list without a kind: the file may be truncated"},
		},
		"not plain and broken": {
			"a.yaml", good + "---\n{kind: Node,\n metadata: [}}\n",
			[]string{"a.yaml:7: did not find expected node content"},
		},
		"no final newline": {
			"a.yaml", strings.TrimSuffix(good, "\n"), []string{"a.yaml:5: missing final newline: the file may be cut off"},
		},
		"not needed": {"a.yaml", good + "---\nkind: Service\nmetadata: {\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			dir := write(t, map[string]string{tc.file: tc.content})
			s := load(t, dir)
			if diff := cmp.Diff([]string{"node/good"}, names(s)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.want, problems(s, dir)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

// TestStyles checks that an object is the same in block style, which is split by lines, and in flow style and JSON, which are
// parsed as a whole.
func TestStyles(t *testing.T) {
	flow := `{apiVersion: v1, kind: List, items: [
  {apiVersion: v1, kind: Node, metadata: {name: a, annotations: {text: "one\n\ntwo: # 3"}}},
  {apiVersion: v1, kind: Node, metadata: {name: b}}]}`
	block := `apiVersion: v1
items:
# the first
- apiVersion: "v1"
  kind: 'Node' # of the cluster
  metadata:
    annotations:
      text: |-
        one

        two: # 3
    name: a
- kind: Node
  apiVersion: v1
  metadata:
    name: b
kind: List
`
	asJSON := `{"apiVersion":"v1","items":[{"apiVersion":"v1","kind":"Node","metadata":{"name":"a","annotations":{"text":"one\n\ntwo: # 3"}}},` +
		`{"apiVersion":"v1","kind":"Node","metadata":{"name":"b"}}],"kind":"List"}`
	indented := strings.ReplaceAll(strings.ReplaceAll(block, "\n-", "\n  -"), "\n  ", "\n    ")
	forms := map[string]string{"flow style": flow, "JSON": asJSON, "indented": strings.Replace(indented, "\n    -", "\n  -", 2)}
	want, err := Decode("block style", strings.NewReader(block))
	if err != nil || len(want.Nodes) != 2 || want.Nodes[0].Annotations["text"] != "one\n\ntwo: # 3" {
		t.Fatalf("got %v, %v", want, err)
	}
	for name, content := range forms {
		got, err := Decode(name, strings.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Snapshot{}, "Problems")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestDuplicates checks which of several objects with the same name is used.
func TestDuplicates(t *testing.T) {
	nodeOf := func(uid, version, label string) string {
		return fmt.Sprintf("apiVersion: v1\nkind: Node\nmetadata: {name: a, uid: %q, resourceVersion: %q, labels: {from: %s}}\nstatus: {conditions: [{type: Ready}]}\n", uid, version, label)
	}
	node := func(version, label string) string { return nodeOf("", version, label) }
	unknown := []string{"b.yaml:1: skipped Node a: DIR/a.yaml also has it, and it is not known which is newer"}
	contradiction := []string{"b.yaml:1: skipped Node a: DIR/a.yaml also has it, with the same resourceVersion and other content"}
	for name, tc := range map[string]struct {
		first, second string
		want          string
		problems      []string
	}{
		"the second is newer":                {node("9", "first"), node("10", "second"), "second", nil},
		"the first is newer":                 {node("10", "first"), node("9", "second"), "first", nil},
		"they are the same":                  {node("9", "both"), node("9", "both"), "both", nil},
		"unknown which is newer":             {node("", "first"), node("9", "second"), "first", unknown},
		"one version twice":                  {nodeOf("u", "9", "both"), nodeOf("u", "9", "both"), "both", nil},
		"one version with other content":     {nodeOf("u", "9", "first"), nodeOf("u", "9", "second"), "first", contradiction},
		"two versions of one":                {nodeOf("u", "9", "first"), nodeOf("u", "10", "second"), "second", nil},
		"one without a version in two forms": {nodeOf("u", "", "first"), nodeOf("u", "", "second"), "first", unknown},
		"versions that can't be compared":    {nodeOf("u", "9", "first"), nodeOf("u", "x", "second"), "first", unknown},
		"the version of another":             {nodeOf("u", "9", "first"), nodeOf("v", "9", "second"), "first", unknown},
		"the same version without a uid":     {node("9", "first"), node("9", "second"), "first", unknown},
	} {
		t.Run(name, func(t *testing.T) {
			dir := write(t, map[string]string{"a.yaml": tc.first, "b.yaml": tc.second})
			s := load(t, dir)
			if len(s.Nodes) != 1 || s.Nodes[0].Labels["from"] != tc.want {
				t.Errorf("got %v, want the one from %s", s.Nodes, tc.want)
			}
			got := problems(s, dir)
			for i := range got {
				got[i] = strings.ReplaceAll(got[i], dir, "DIR")
			}
			if diff := cmp.Diff(tc.problems, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

// TestForms checks that an object with a file of its own, in a list, in YAML and in JSON is the same one, whatever its kind.
func TestForms(t *testing.T) {
	const metadata = `"metadata":{"name":%q,"namespace":%q,"uid":"u","resourceVersion":"9","managedFields":[{"manager":"m"}]}`
	for wanted := range kinds.All() {
		if wanted.New == nil {
			continue
		}
		groupKind := wanted.GroupKind()
		name := stdcmp.Or(wanted.Name, "a")
		apiVersion := strings.TrimPrefix(groupKind.Group+"/v1", "/")
		element := "{" + fmt.Sprintf(metadata, name, wanted.Namespace) + `,"status":{"observedGeneration":1}`
		if groupKind.Kind == "Node" {
			element = "{" + fmt.Sprintf(metadata, name, wanted.Namespace) + `,"status":{"conditions":[{"type":"Ready"}],"images":[{"sizeBytes":1}]}`
		}
		single := fmt.Sprintf(`%s,"apiVersion":%q,"kind":%q}`, element, apiVersion, groupKind.Kind)
		list := fmt.Sprintf(`{"apiVersion":%q,"kind":"%sList","items":[%s}]}`, apiVersion, groupKind.Kind, element)
		files := map[string]string{"a.json": single, "b.json": list}
		for file, text := range map[string]string{"c.yaml": single, "d.yaml": list} {
			converted, err := yaml.JSONToYAML([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			files[file] = string(converted)
		}
		dir := write(t, files)
		c := newCollector()
		if err := c.readDirectory(dir); err != nil {
			t.Fatal(err)
		}
		if c.decoded != len(files) || len(c.objects) != 1 {
			t.Errorf("%s: %d objects decoded, %d kept", groupKind, c.decoded, len(c.objects))
		}
		for _, problem := range c.problems {
			if strings.Contains(problem.String(), "also has it") {
				t.Errorf("%s: %s", groupKind, problem)
			}
		}
	}
}

// TestWholeStatus checks which objects are taken for cut off: those without what the operators write into each of them.
func TestWholeStatus(t *testing.T) {
	const payload = "metadata: {name: %s, annotations: {exclude.release.openshift.io/internal-openshift-hosted: \"true\"}}\n"
	const pool = "apiVersion: machineconfiguration.openshift.io/v1\nkind: MachineConfigPool\nmetadata: {name: worker}\n"
	const informer = "apiVersion: update.openshift.io/v1alpha1\nkind: UpdateInformer\nmetadata: {name: ceph, namespace: openshift-storage}\n"
	for name, tc := range map[string]struct {
		content string
		want    bool
	}{
		"ClusterVersion without a status":            {"apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}\n", false},
		"ClusterVersion":                             {"apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}\nstatus: {versionHash: a}\n", true},
		"ClusterOperator without a status":           {"apiVersion: config.openshift.io/v1\nkind: ClusterOperator\n" + fmt.Sprintf(payload, "dns"), false},
		"ClusterOperator":                            {"apiVersion: config.openshift.io/v1\nkind: ClusterOperator\n" + fmt.Sprintf(payload, "dns") + "status: {versions: [{name: operator, version: \"4\"}]}\n", true},
		"ClusterOperator of a layered one":           {"apiVersion: config.openshift.io/v1\nkind: ClusterOperator\nmetadata: {name: other}\n", true},
		"MachineConfigPool without a status":         {pool, false},
		"MachineConfigPool":                          {pool + "status: {observedGeneration: 1}\n", true},
		"MachineConfigPool not rendered":             {pool + "spec: {nodeSelector: {}}\n", true},
		"MachineConfigPool with counts only":         {pool + "status: {conditions: [{type: RenderDegraded}], machineCount: 0, updatedMachineCount: 0}\n", true},
		"MachineConfigPool cut off at its counts":    {pool + "spec: {nodeSelector: {}}\nstatus: {machineCount: 3}\n", false},
		"MachineConfigPool cut off after conditions": {pool + "spec: {nodeSelector: {}}\nstatus: {conditions: [{type: Updated}]}\n", false},
		"UpdateInformer without a status":            {informer, true},
		"UpdateInformer without insights":            {informer + "status: {renewedAt: \"2025-03-01T11:00:00Z\"}\n", true},
		"UpdateInformer":                             {informer + "status: {insights: [{name: a}], renewedAt: \"2025-03-01T11:00:00Z\"}\n", true},
		"UpdateInformer cut off after its insights":  {informer + "status: {insights: [{name: a}]}\n", false},
		"Node without a status":                      {"apiVersion: v1\nkind: Node\nmetadata: {name: a}\n", false},
		"Node":                                       {"apiVersion: v1\nkind: Node\nmetadata: {name: a}\nstatus: {conditions: [{type: Ready}]}\n", true},
	} {
		s, err := Decode("a.yaml", strings.NewReader(tc.content))
		if err != nil {
			t.Fatal(err)
		}
		if isWhole := len(s.Problems) == 0; isWhole != tc.want || len(names(s)) != 1 {
			t.Errorf("%s: read %v, problems %v", name, names(s), s.Problems)
		}
	}
}

// TestContradictingClusterVersions checks that each further ClusterVersion of the same version with other content is a problem.
func TestContradictingClusterVersions(t *testing.T) {
	const text = "apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version, uid: u, resourceVersion: \"9\"}\n" +
		"status: {versionHash: a, desired: {version: %s}}\n"
	dir := write(t, map[string]string{
		"a.yaml": fmt.Sprintf(text, "4.20.1"), "b.yaml": fmt.Sprintf(text, "4.20.2"), "c.yaml": fmt.Sprintf(text, "4.20.3"),
	})
	s := load(t, dir)
	if s.ClusterVersion.Status.Desired.Version != "4.20.1" {
		t.Errorf("got %v", s.ClusterVersion)
	}
	const want = "skipped ClusterVersion version: DIR/a.yaml also has it, with the same resourceVersion and other content"
	got := strings.ReplaceAll(strings.Join(problems(s, dir), "\n"), dir, "DIR")
	if diff := cmp.Diff("b.yaml:1: "+want+"\nc.yaml:1: "+want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestSeveralClusters(t *testing.T) {
	dir := write(t, map[string]string{
		"a.yaml": clusterVersion,
		"b.yaml": strings.Replace(clusterVersion, "4acee7ef", "57b7123d", 1),
	})
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "several clusters") {
		t.Errorf("got %v", err)
	}
}
