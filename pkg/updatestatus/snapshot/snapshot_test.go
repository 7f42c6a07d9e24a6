package snapshot

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Objects of a cluster in different forms.
const (
	clusterVersion = `apiVersion: config.openshift.io/v1
kind: ClusterVersion
metadata:
  name: version
  uid: 4acee7ef
  resourceVersion: "20"
status:
  conditions:
  - type: Progressing
    status: "False"
    lastTransitionTime: "2025-03-01T11:00:00Z"
  history:
  - version: 4.20.0
    state: Completed
    startedTime: "2025-03-01T10:00:00Z"
    completionTime: "2025-03-01T10:30:00Z"
  versionHash: a
`
	operators = `apiVersion: v1
items:
- apiVersion: config.openshift.io/v1
  kind: ClusterOperator
  metadata:
    name: etcd
  status:
    conditions:
    - type: Progressing
      status: "False"
      lastTransitionTime: "2025-03-01T11:30:00Z"
    versions: [{name: operator, version: 4.20.0}]
- apiVersion: config.openshift.io/v1
  kind: ClusterOperator
  metadata:
    name: dns
  status:
    versions: [{name: operator, version: 4.20.0}]
kind: List
metadata:
  resourceVersion: ""
`
	nodesWithoutKind = `{"apiVersion": "v1", "items": [
  {"metadata": {"name": "b"}},
  {"metadata": {"name": "a"}}
], "kind": "NodeList"}
`
	pools = `---
apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfigPool
metadata: {name: worker}
status: {observedGeneration: 1}
---
# another one
{"apiVersion": "machineconfiguration.openshift.io/v1", "kind": "MachineConfigPool", "metadata": {"name": "master"}}
`
	machineConfig = `apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata:
  name: rendered-worker-1
  managedFields: [{manager: someone}]
  annotations:
    machineconfiguration.openshift.io/release-image-version: 4.20.0
spec:
  config: &broken [
`
	deployments = `apiVersion: apps/v1
kind: DeploymentList
items:
- metadata: {name: machine-config-operator, namespace: openshift-machine-config-operator}
- metadata: {name: machine-config-operator, namespace: elsewhere}
- metadata: {name: other, namespace: openshift-machine-config-operator}
`
	pod = `apiVersion: v1
kind: Pod
metadata:
  name: etcd-a
  ownerReferences:
  - {apiVersion: v1, kind: Node, name: a}
`
)

// write writes files to a new directory and returns its path.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// names returns the kinds and names of the objects of a snapshot, sorted.
func names(s *Snapshot) []string {
	var names []string
	add := func(name string) { names = append(names, name) }
	if s.UpdateStatus != nil {
		add("updatestatus/" + s.UpdateStatus.Name)
	}
	if s.ClusterVersion != nil {
		add("clusterversion/" + s.ClusterVersion.Name)
	}
	for _, informer := range s.UpdateInformers {
		add("updateinformer/" + informer.Namespace + "/" + informer.Name)
	}
	for _, operator := range s.ClusterOperators {
		add("clusteroperator/" + operator.Name)
	}
	if s.MachineConfigOperator != nil {
		add("deployment/" + s.MachineConfigOperator.Namespace + "/" + s.MachineConfigOperator.Name)
	}
	for _, pool := range s.MachineConfigPools {
		add("pool/" + pool.Name)
	}
	for _, config := range s.MachineConfigs {
		add("machineconfig/" + config.Name)
	}
	for _, node := range s.Nodes {
		add("node/" + node.Name)
	}
	slices.Sort(names)
	return names
}

func problems(s *Snapshot, dir string) []string {
	var texts []string
	for _, problem := range s.Problems {
		text := problem.String()
		if relative, err := filepath.Rel(dir, text); err == nil {
			text = relative
		}
		texts = append(texts, text)
	}
	return texts
}

func load(t *testing.T, from string) *Snapshot {
	t.Helper()
	s, err := Load(from)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPoolOrder: pools are in the order of the file that has all of them, those of several files by name.
func TestPoolOrder(t *testing.T) {
	const pool = "apiVersion: machineconfiguration.openshift.io/v1\nkind: MachineConfigPool\nmetadata: {name: %s}\nstatus: {observedGeneration: 1}\n"
	for name, test := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"one file":      {map[string]string{"pools.yml": pools, "nodes.json": nodesWithoutKind}, []string{"worker", "master"}},
		"several files": {map[string]string{"pools.yml": pools, "z.yaml": fmt.Sprintf(pool, "infra")}, []string{"infra", "master", "worker"}},
	} {
		var got []string
		for _, one := range load(t, write(t, test.files)).MachineConfigPools {
			got = append(got, one.Name)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// TestLoadDirectory checks that files of all forms are read, but only needed objects.
func TestLoadDirectory(t *testing.T) {
	dir := write(t, map[string]string{
		"image/cluster-scoped-resources/config.openshift.io/clusterversions/version.yaml": clusterVersion,
		"image/cluster-scoped-resources/config.openshift.io/clusteroperators.yaml":        operators,
		"nodes.json":       nodesWithoutKind,
		"pools.yml":        pools,
		"mc.yaml":          machineConfig,
		"deployments.yaml": deployments,
		"pod.yaml":         pod,
		"values.yaml":      "items:\n- {{ broken template }}\n",
		"broken.json":      "{",
		"notes.txt":        clusterVersion,
		"empty.yaml":       "",
	})
	s := load(t, dir)
	want := []string{
		"clusteroperator/dns", "clusteroperator/etcd", "clusterversion/version",
		"deployment/openshift-machine-config-operator/machine-config-operator",
		"machineconfig/rendered-worker-1", "node/a", "node/b", "pool/master", "pool/worker",
	}
	if diff := cmp.Diff(want, names(s)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(s.Problems) > 0 {
		t.Errorf("problems: %v", s.Problems)
	}
	if s.ClusterOperators[0].Name != "dns" || s.Nodes[0].Name != "a" {
		t.Error("the objects are not sorted by name")
	}
	config := s.MachineConfigs[0]
	if config.Annotations["machineconfiguration.openshift.io/release-image-version"] != "4.20.0" || config.ManagedFields != nil {
		t.Errorf("the MachineConfig's metadata: %v", config.ObjectMeta)
	}
	if got, want := s.NewestTransition(time.Now()), time.Date(2025, time.March, 1, 11, 30, 0, 0, time.UTC); !got.Equal(want) {
		t.Errorf("newest transition: %s, want %s", got, want)
	}
	if got := s.LastReport(time.Now()); !got.IsZero() {
		t.Errorf("last report: %s, want none", got)
	}
}

// TestHostileTimes: the time of the files is not one that cannot be true.
func TestHostileTimes(t *testing.T) {
	const object = "apiVersion: %s\nkind: %s\nmetadata: {name: %s}\nstatus: {conditions: [{type: A, lastTransitionTime: %s}, {type: B, lastTransitionTime: %s}]}\n"
	const known = "2025-03-01T11:00:00Z"
	for _, hostile := range []string{"9999-12-31T23:59:59-14:00", "0000-01-01T00:00:00+14:00", "2025-03-03T12:00:01Z"} {
		s := load(t, write(t, map[string]string{
			"version.yaml":  fmt.Sprintf(object, "config.openshift.io/v1", "ClusterVersion", "version", known, hostile),
			"operator.yaml": fmt.Sprintf(object, "config.openshift.io/v1", "ClusterOperator", "etcd", hostile, known),
			"status.yaml":   fmt.Sprintf(object, "update.openshift.io/v1alpha1", "UpdateStatus", "cluster", hostile, known),
			"node.yaml":     fmt.Sprintf(object, "v1", "Node", "a", known, hostile),
			"pool.yaml":     fmt.Sprintf(object, "machineconfiguration.openshift.io/v1", "MachineConfigPool", "a", hostile, known),
		}))
		now := time.Date(2025, time.March, 2, 12, 0, 0, 0, time.UTC)
		for name, got := range map[string]time.Time{"newest transition": s.NewestTransition(now), "last report": s.LastReport(now)} {
			if got.UTC().Format(time.RFC3339) != known {
				t.Errorf("%s: %s is %s: %v", hostile, name, got, s.Problems)
			}
		}
	}
}

func TestLastReport(t *testing.T) {
	const node = "apiVersion: v1\nkind: Node\nmetadata: {name: a}\nstatus: {conditions: [{type: Ready, lastHeartbeatTime: %s, lastTransitionTime: %s}]}\n"
	const pool = "apiVersion: machineconfiguration.openshift.io/v1\nkind: MachineConfigPool\nmetadata: {name: a}\nstatus: {conditions: [{type: Updating, lastTransitionTime: %s}]}\n"
	const early, late = "2025-03-01T11:00:00Z", "2025-03-01T12:00:00Z"
	for name, text := range map[string]string{
		"a heartbeat":            fmt.Sprintf(node, late, early),
		"a transition":           fmt.Sprintf(node, early, late),
		"a transition of a pool": fmt.Sprintf(node, early, early) + "---\n" + fmt.Sprintf(pool, late),
	} {
		s := load(t, write(t, map[string]string{"objects.yaml": text}))
		if got := s.LastReport(time.Now()).UTC().Format(time.RFC3339); got != late {
			t.Errorf("%s: the last report is %s: %v", name, got, s.Problems)
		}
	}
}

// TestLoadFile checks that a single file can have any name, and start with a byte order mark.
func TestLoadFile(t *testing.T) {
	const mark, object = "\ufeff", `{"apiVersion": "config.openshift.io/v1", "kind": "ClusterOperator", "metadata": {"name": "%s"}}`
	list := `{"apiVersion": "v1", "kind": "List", "items": [` + fmt.Sprintf(object, "etcd") + ", " + fmt.Sprintf(object, "dns") + "]}"
	for name, content := range map[string]string{
		"YAML with a mark":         mark + operators,
		"JSON":                     list,
		"JSON with a mark":         mark + list,
		"JSON objects with a mark": mark + fmt.Sprintf(object, "etcd") + "\n" + fmt.Sprintf(object, "dns"),
	} {
		dir := write(t, map[string]string{"operators": content})
		s := load(t, filepath.Join(dir, "operators"))
		if diff := cmp.Diff([]string{"clusteroperator/dns", "clusteroperator/etcd"}, names(s)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if len(s.Problems) > 0 {
			t.Errorf("%s: problems %v", name, s.Problems)
		}
	}
}

func TestDecode(t *testing.T) {
	const updateStatus = "\ufeffapiVersion: update.openshift.io/v1beta7\nkind: UpdateStatus\nmetadata: {name: cluster}\nstatus:\n" +
		"  controlPlane: {informers: [{name: a, insights: [{uid: a, acquiredAt: \"2025-03-01T11:00:00Z\"}]}]}\n" +
		"  workerPools: [{name: b, informers: [{name: a, insights: [{uid: b, acquiredAt: \"2025-03-01T12:00:00Z\"}]}]}]\n"
	const later = "  conditions: [{type: Available, status: \"False\", lastTransitionTime: \"2025-03-01T13:00:00Z\"}]\n"
	for hour, text := range map[int]string{12: updateStatus, 13: updateStatus + later} {
		s, err := Decode("input", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if s.UpdateStatus == nil {
			t.Fatalf("no UpdateStatus: %v", s.Problems)
		}
		if s.Whole(s.UpdateStatus).GetAPIVersion() != "update.openshift.io/v1beta7" {
			t.Errorf("the whole object is %v", s.Whole(s.UpdateStatus))
		}
		if got, want := s.NewestTransition(time.Now()), time.Date(2025, time.March, 1, hour, 0, 0, 0, time.UTC); !got.Equal(want) {
			t.Errorf("newest transition: %s, want %s", got, want)
		}
	}
}

// TestAssess checks the UpdateStatus of a snapshot and of an empty one.
func TestAssess(t *testing.T) {
	now := time.Date(2025, time.March, 1, 12, 0, 0, 0, time.UTC)
	us := load(t, write(t, map[string]string{"cv.yaml": clusterVersion, "co.yaml": operators})).Assess(now)
	if us.Name != "cluster" || us.Kind != "UpdateStatus" || us.APIVersion != "update.openshift.io/v1alpha1" {
		t.Errorf("got %s %s %s", us.APIVersion, us.Kind, us.Name)
	}
	if us.Status.ControlPlane == nil || len(us.Status.ControlPlane.Informers) == 0 {
		t.Errorf("the control plane was not assessed: %v", us.Status)
	}
	if empty := (&Snapshot{}).Assess(now); empty.Status.ControlPlane == nil {
		t.Error("no control plane in a cluster without objects")
	}
}

// FuzzDecode checks that any content can be decoded.
func FuzzDecode(f *testing.F) {
	for _, content := range []string{clusterVersion, operators, nodesWithoutKind, pools, machineConfig, deployments, pod, drainingCluster, podOfNode, budget, machineConfigNode, updateInformers} {
		f.Add(content)
		f.Add(encode(content, binary.LittleEndian, 2, true))
	}
	f.Fuzz(func(t *testing.T, content string) {
		s, err := Decode("input", strings.NewReader(content))
		if err != nil && !strings.Contains(err.Error(), "several clusters") {
			t.Fatal(err)
		}
		if s == nil {
			return
		}
		lines := strings.Count(content, "\n") + 1
		for _, problem := range s.Problems {
			if problem.Line < 0 || problem.Line > lines {
				t.Errorf("a problem in line %d of %d: %v", problem.Line, lines, problem)
			}
		}
	})
}
