package snapshot

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestProblems covers what is passed over, where it is, and that what is around it is read.
func TestProblems(t *testing.T) {
	const good = "apiVersion: v1\nkind: Node\nmetadata:\n  name: good\n"
	for name, tc := range map[string]struct {
		file, content string
		want          []string
	}{
		"broken document": {
			"a.yaml", "---\n" + good + "---\napiVersion: v1\nkind: Node\nmetadata: {\n",
			[]string{"a.yaml:9: Node can't be read: did not find expected node content"},
		},
		"broken element": {
			"a.yaml", "kind: List\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata:\n    name: bad\n    labels: [\n- apiVersion: v1\n  kind: Node\n  metadata:\n    name: good\n",
			[]string{"a.yaml:7: Node can't be read: did not find expected node content"},
		},
		"wrong type": {
			"a.yaml", good + "---\n\napiVersion: v1\nkind: Node\nmetadata:\n  name: bad\nspec: text\n",
			[]string{"a.yaml:5: Node can't be read: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal string into Go struct field Node.spec of type v1.NodeSpec"},
		},
		"broken JSON": {
			"a.json", `{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "good"}}` + "\n{\n\"kind\": oops}",
			[]string{"a.json:3: invalid character 'o' looking for beginning of value"},
		},
		"JSON cut off": {
			"a.json", `{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "good"}}` + "\n{\n\"kind\":",
			[]string{"a.json:3: unexpected EOF"},
		},
		"wrong type in a list in JSON": {
			"a.json", "{\"apiVersion\": \"v1\", \"kind\": \"NodeList\", \"items\": [\n{\"metadata\": {\"name\": \"good\"}},\n{\"metadata\": []}]}",
			[]string{"a.json:3: Node can't be read: json: cannot unmarshal array into Go struct field Node.metadata of type v1.ObjectMeta"},
		},
		"no name": {"a.yaml", good + "---\napiVersion: v1\nkind: Node\n", []string{"a.yaml:5: Node without a name"}},
		"list cut off": {
			"a.yaml", "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata:\n    name: good\n",
			[]string{"a.yaml:2: a list that does not say its kind: the file may have been cut off"},
		},
		"not plain and broken": {
			"a.yaml", good + "---\n{kind: Node,\n metadata: [}}\n",
			[]string{"a.yaml:6: did not find expected node content"},
		},
		"of no interest": {"a.yaml", good + "---\nkind: Service\nmetadata: {\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			folder := write(t, map[string]string{tc.file: tc.content})
			s := load(t, folder)
			if diff := cmp.Diff([]string{"node/good"}, names(s)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.want, problems(s, folder)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

// TestFormsAgree covers that an object is the same in block style, which is looked at line by line, in flow style and in
// JSON, which are parsed as a whole.
func TestFormsAgree(t *testing.T) {
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
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestDuplicates covers which of several objects with the same name counts.
func TestDuplicates(t *testing.T) {
	node := func(version, label string) string {
		return fmt.Sprintf("apiVersion: v1\nkind: Node\nmetadata: {name: a, resourceVersion: %q, labels: {from: %s}}\n", version, label)
	}
	for name, tc := range map[string]struct {
		first, second string
		want          string
		problems      []string
	}{
		"the second is newer": {node("9", "first"), node("10", "second"), "second", nil},
		"the first is newer":  {node("10", "first"), node("9", "second"), "first", nil},
		"they are the same":   {node("9", "both"), node("9", "both"), "both", nil},
		"it can't be told": {
			node("", "first"), node("9", "second"), "first",
			[]string{"b.yaml:1: Node a passed over: FOLDER/a.yaml has it too, and it can't be told which is newer"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			folder := write(t, map[string]string{"a.yaml": tc.first, "b.yaml": tc.second})
			s := load(t, folder)
			if len(s.Nodes) != 1 || s.Nodes[0].Labels["from"] != tc.want {
				t.Errorf("got %v, want the one from %s", s.Nodes, tc.want)
			}
			found := problems(s, folder)
			for at := range found {
				found[at] = strings.ReplaceAll(found[at], folder, "FOLDER")
			}
			if diff := cmp.Diff(tc.problems, found); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSeveralClusters covers that objects of two clusters are not taken for one.
func TestSeveralClusters(t *testing.T) {
	folder := write(t, map[string]string{
		"a.yaml": clusterVersion,
		"b.yaml": strings.Replace(clusterVersion, "4acee7ef", "57b7123d", 1),
	})
	if _, err := Load(folder); err == nil || !strings.Contains(err.Error(), "several clusters") {
		t.Errorf("got %v", err)
	}
}
