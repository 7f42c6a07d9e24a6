package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// nodesFile has nodes with insights and nodes that are listed by name. Its last change is at 2026-03-02T10:00:00Z.
var nodesFile = filepath.Join("..", "describe", "testdata", "nodes", "listed.yaml")

// TestNodesFlags checks the formats of the list, its filters, and what they refuse.
func TestNodesFlags(t *testing.T) {
	const asOf = "warning: the status is as of 2026-03-02T10:00:00Z, the last change in the files\n"
	for name, test := range map[string]struct {
		args              []string
		out, errOut, fail string
	}{
		"text": {
			args: []string{"--pool=infra"}, errOut: asOf,
			out: "NAME   POOL    ASSESSMENT   PHASE    VERSION   EST   MESSAGE\ni-0    infra   Excluded     Paused   4.20.1    -     \n",
		},
		"wide": {
			args: []string{"--pool=infra", "-o", "wide"}, errOut: asOf,
			out: "NAME   POOL    ASSESSMENT   PHASE    VERSION   DESIRED   SINCE   EST   REASON   MESSAGE\ni-0    infra   Excluded     Paused   4.20.1    4.20.2    -       -     -        \n",
		},
		"names":            {args: []string{"--not-updated", "-o", "name"}, out: "node/w-2\nnode/w-1\nnode/i-0\nnode/w-3\nnode/w-4\n"},
		"two pools":        {args: []string{"--pool=infra,master", "-o", "name"}, out: "node/i-0\nnode/m-0\n"},
		"two phases":       {args: []string{"--phase=Draining", "--phase=Paused", "-o", "name"}, out: "node/w-1\nnode/i-0\n"},
		"JSONPath":         {args: []string{"-o", "jsonpath={.kind}{range .items[*]} {.name}{end}"}, out: "NodeUpdateList w-2 w-1 i-0 w-3 w-4 m-0 w-0"},
		"template":         {args: []string{"-o", "go-template={{range .items}}{{.name}} {{end}}"}, out: "w-2 w-1 i-0 w-3 w-4 m-0 w-0 "},
		"columns":          {args: []string{"--phase=Draining", "-o", "custom-columns=NODE:.name,SINCE:.since"}, out: "NODE   SINCE\nw-1    2026-03-02T09:55:00Z\n"},
		"no node":          {args: []string{"--phase=Rebooting"}, errOut: "warning: none of 7 nodes is listed\n" + asOf},
		"no name":          {args: []string{"--phase=Rebooting", "-o", "name"}, errOut: "warning: none of 7 nodes is listed\n"},
		"an unknown phase": {args: []string{"--phase=draining"}, fail: `invalid --phase "draining": must be one of Draining, Updating, Rebooting, Paused, Pending, Updated, Unknown; did you mean Draining?`},
		"an unknown pool":  {args: []string{"--pool=workr"}, fail: "there is no pool workr: must be one of master, worker, infra; did you mean --pool=worker?"},
		"Markdown":         {args: []string{"-o", "markdown"}, fail: `invalid --output "markdown"`},
		"an argument":      {args: []string{"w-1"}, fail: `unexpected argument "w-1": select nodes with --pool, --phase or --not-updated`},
		"a near flag":      {args: []string{"--pools=infra"}, fail: "unknown flag: --pools; did you mean --pool?"},
	} {
		t.Run(name, func(t *testing.T) {
			got := run(t, "", append([]string{"nodes", "-f", nodesFile}, test.args...)...)
			if diff := cmp.Diff([]string{test.out, test.errOut}, []string{got.out, got.errOut}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if fails := got.err != nil; fails != (test.fail != "") || fails && !strings.HasPrefix(got.err.Error(), test.fail) {
				t.Errorf("error %v", got.err)
			}
		})
	}
	if got := run(t, "", "node"); got.err == nil || !strings.HasSuffix(got.err.Error(), "; did you mean status nodes?") {
		t.Errorf("the argument node: %v", got.err)
	}
}

// TestNodesJSON checks that the documents are those of the type.
func TestNodesJSON(t *testing.T) {
	us := mustRead(t, nodesFile)
	now := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	u := update.ReadAt(&us.Status, now)
	want := describe.Nodes(u, describe.Options{Now: now, Head: describe.Head(u, now)}, describe.NodeFilter{}).Document()
	var got describe.NodeUpdateList
	if err := json.Unmarshal([]byte(run(t, "", "nodes", "-f", nodesFile, "-o", "json").out), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(*want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := run(t, "", "nodes", "-f", nodesFile, "--phase=Rebooting", "-o", "json"); !strings.Contains(got.out, `"items": []`) {
		t.Errorf("without a node:\n%s", got.out)
	}
}

// TestNodesOfSources checks that each source has the same nodes: an object in a cluster, also where the command is embedded in oc, and a
// hosted cluster, and a cluster without an object.
func TestNodesOfSources(t *testing.T) {
	const names = "node/w-2\nnode/w-1\nnode/i-0\nnode/w-3\nnode/w-4\nnode/m-0\nnode/w-0\n"
	api := serve(t, map[string]response{updateStatusPath: objectResponse(t, content(t, nodesFile))})
	if got := run(t, "", "nodes", "-o", "name", "--server", api.url); got.out != names || got.err != nil {
		t.Errorf("a cluster: %v\n%s", got.err, got.out)
	}
	var out bytes.Buffer
	oc := newOC(genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: io.Discard})
	oc.SetArgs([]string{"--server", api.url, "adm", "upgrade", "status", "nodes", "-o", "name"})
	if err := oc.ExecuteContext(t.Context()); err != nil || out.String() != names {
		t.Errorf("in oc: %v\n%s", err, out.String())
	}
	for source, flag := range map[string]string{"cluster": "--server=" + serveHosted(t).url, "files": "--must-gather=" + hostedFolder(t)} {
		got := run(t, "", "nodes", "--hosted-cluster=clusters/demo", flag, "--now=2026-03-02T08:11:00Z", "-o", "name")
		if got.out != "node/a\n" || got.err != nil || got.errOut != "" {
			t.Errorf("a hosted cluster, from %s: %v, %s\n%s", source, got.err, got.errOut, got.out)
		}
	}
	recorded, _ := filepath.Glob(filepath.Join("..", "..", "..", "test", "updatestatus", "conformance", "testdata", "made-up-*"))
	folder := t.TempDir()
	for _, file := range recorded {
		if err := os.WriteFile(filepath.Join(folder, filepath.Base(file)), []byte(content(t, file)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := run(t, "", "nodes", "--must-gather", folder); !strings.Contains(got.out, "NAME ") || strings.Count(got.out, "\n") < 3 {
		t.Errorf("assessed files: %v\n%s", got.err, got.out)
	}
}

// TestNodesExitStatus checks that nodes have the exit status of the status, and which notices both begin with.
func TestNodesExitStatus(t *testing.T) {
	file := content(t, nodesFile)
	replaced := func(old, text string) string {
		if !strings.Contains(file, old) {
			t.Fatalf("the file lacks %s", old)
		}
		return strings.Replace(file, old, text, 1)
	}
	for name, test := range map[string]struct {
		object, fail, notice string
	}{
		"all is known": {object: file},
		"nodes are left out": {
			object: replaced("{type: Total, count: 5}", "{type: Total, count: 6}"), fail: "incomplete: the status lacks 1 of the 8 nodes",
			notice: "Incomplete: the status lacks 1 of the 8 nodes.",
		},
		"not available": {
			object: replaced(`{type: Available, status: "True", reason: AsExpected, message: ""`, `{type: Available, status: "False", reason: CannotListNodes, message: refused`),
			fail:   "the Update Status Controller has been unable", notice: "This may be outdated: refused.",
		},
		"nothing is reported": {object: "kind: UpdateStatus\napiVersion: update.openshift.io/v1alpha1\nmetadata: {name: cluster}\n", fail: "the Update Status Controller has not reported anything yet"},
		"truncated":           {object: strings.TrimSuffix(file, "  - name: infra"+strings.SplitN(file, "  - name: infra", 2)[1]) + "  - resource: {resource: machineconfigpools, name: infra}\n", fail: "the UpdateStatus/cluster is truncated"},
	} {
		t.Run(name, func(t *testing.T) {
			api := serve(t, map[string]response{updateStatusPath: objectResponse(t, test.object)})
			for _, source := range [][]string{{"-f", "-"}, {"--server", api.url}} {
				status, nodes := run(t, test.object, source...), run(t, test.object, append(source, "nodes")...)
				if errorText(status.err) != errorText(nodes.err) || !strings.HasPrefix(errorText(nodes.err), test.fail) || (nodes.err == nil) != (test.fail == "") {
					t.Errorf("%v: status %v, nodes %v", source, status.err, nodes.err)
				}
				if !strings.HasPrefix(nodes.out, test.notice) {
					t.Errorf("%v: the notice is missing:\n%s", source, nodes.out)
				}
				names := run(t, test.object, append(source, "nodes", "-o", "name")...)
				if test.notice != "" && (!strings.Contains(names.errOut, "warning: "+test.notice+"\n") || strings.Contains(names.out, test.notice)) {
					t.Errorf("%v, names: the notice is not on the standard error:\n%s", source, names.errOut)
				}
			}
		})
	}
	forbidden := serve(t, map[string]response{updateStatusPath: errorResponse(t, http.StatusForbidden, "Forbidden")})
	if got := run(t, "", "nodes", "--server", forbidden.url); got.err == nil || !strings.HasPrefix(got.err.Error(), "not allowed to read the status of the update") {
		t.Errorf("forbidden: %v", got.err)
	}
	if got := run(t, "kind: UpdateStatus\napiVersion: update.openshift.io/v1alpha1\nmetadata: {name: cluster}\n", "nodes", "-f", "-", "--pool=worker"); got.err == nil ||
		!strings.HasPrefix(got.err.Error(), "there is no pool worker: no pools are reported\nthe Update Status Controller has not reported anything yet") {
		t.Errorf("no pool: %v", got.err)
	}
}

// expectListedNodes expects that nodes, and which summary is shown, are the same where their pool lists them by name. It returns how many
// are listed.
func expectListedNodes(t *testing.T, built *updatev1alpha1.UpdateStatusStatus, now time.Time) int {
	t.Helper()
	large := insight.WithInsights(built, func(_ insight.Part, _ string, insights []updatev1alpha1.Insight) []updatev1alpha1.Insight {
		return insight.ListNodes(insights)
	})
	want, got := nodesOf(t, statusFrom(built), now), nodesOf(t, statusFrom(large), now)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s (-insights +listed):\n%s", now, diff)
	}
	written := &observation{summary: &updatev1alpha1.UpdateStatusSummary{Status: *describe.Head(update.ReadAt(built, now), now)}}
	if made := describe.Head(update.ReadAt(large, now), now); !written.isSummaryOf(made) {
		t.Fatalf("%s: the summary %+v is not taken for that of the large object, %+v", now, written.summary.Status, made)
	}
	listed := 0
	for _, pool := range insight.ReadAll(large).Pools {
		listed += len(pool.NodeGroups)
	}
	return listed
}

// nodesOf returns the table and the document of all nodes.
func nodesOf(t *testing.T, us *updatev1alpha1.UpdateStatus, now time.Time) []string {
	t.Helper()
	var table bytes.Buffer
	u := update.ReadAt(&us.Status, now)
	list := describe.Nodes(u, describe.Options{Now: now, Head: describe.Head(u, now)}, describe.NodeFilter{})
	if err := list.Write(&table, true); err != nil {
		t.Fatal(err)
	}
	document, err := json.Marshal(list.Document())
	if err != nil {
		t.Fatal(err)
	}
	return []string{table.String(), string(document)}
}
