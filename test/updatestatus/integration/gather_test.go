package integration_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// secret is what a MachineConfig configures, which must not be collected.
const secret = "what it configures"

// createGathered creates objects that hack/updatestatus/gather.sh collects besides those of an update.
func (w *world) createGathered() {
	w.t.Helper()
	// oc apply stores the whole object in an annotation.
	applied := builders.MachineConfig("99-worker-mine", "")
	applied.Annotations = map[string]string{corev1.LastAppliedConfigAnnotation: secret}
	w.put(applied, &updatev1alpha1.UpdateInformer{
		TypeMeta:   metav1.TypeMeta{APIVersion: updatev1alpha1.SchemeGroupVersion.String(), Kind: "UpdateInformer"},
		ObjectMeta: metav1.ObjectMeta{Namespace: metav1.NamespaceDefault, Name: "ceph"},
		Status:     updatev1alpha1.UpdateInformerStatus{RenewedAt: ptr.To(metav1.Now())},
	})
}

// checkGather checks that the files of hack/updatestatus/gather.sh have the layout of must-gather, and give the text of the controller's object, with that
// object and, assessed again, without it. No node may be done: files do not have how long one took. One object is missing.
func (w *world) checkGather(simulation *simulator.Simulation) {
	w.t.Helper()
	at := slices.IndexFunc(simulation.Objects(), func(object simulator.Object) bool {
		return object.GetObjectKind().GroupVersionKind().Kind == "Deployment"
	})
	missing := simulation.Objects()[at]
	w.remove(missing)
	made := w.untilRecord("the record", func(*updatev1alpha1.UpdateRecord) bool { return true })
	w.untilSummary("the summary", func(*updatev1alpha1.UpdateStatusSummary) []string { return nil })
	w.checkGathered(made)
	w.put(missing)
}

func (w *world) checkGathered(made *updatev1alpha1.UpdateRecord) {
	w.t.Helper()
	t := w.t
	folder := t.TempDir()
	command, stderr := userCommand(t, w.plane, "hack/updatestatus/gather.sh", folder)
	if err := command.Run(); err != nil {
		t.Fatalf("%v:\n%s", err, stderr)
	}
	for _, path := range []string{
		"timestamp",
		"cluster-scoped-resources/update.openshift.io/updatestatuses/cluster.yaml",
		"cluster-scoped-resources/update.openshift.io/updatestatussummaries/cluster.yaml",
		"cluster-scoped-resources/update.openshift.io/updaterecords/" + made.Name + ".yaml",
		"namespaces/" + metav1.NamespaceDefault + "/update.openshift.io/updateinformers/ceph.yaml",
		"cluster-scoped-resources/config.openshift.io/clusterversions/version.yaml",
		"cluster-scoped-resources/machineconfiguration.openshift.io/machineconfigpools/worker.yaml",
		"cluster-scoped-resources/core/nodes/" + simulator.NodeName("worker", 1) + ".yaml",
		"namespaces/" + controlplane.Namespace + "/apps/deployments.yaml",
		"namespaces/" + controlplane.Namespace + "/core/events.yaml",
	} {
		if content, err := os.ReadFile(filepath.Join(folder, path)); err != nil || len(content) < 50 {
			t.Errorf("%s: %v\n%s", path, err, content)
		}
	}
	if err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if strings.Contains(string(content), secret) {
			t.Errorf("%s has the content of a MachineConfig", path)
		}
		return err
	}); err != nil {
		t.Error(err)
	}
	if moments, err := os.ReadFile(filepath.Join(folder, "timestamp")); err != nil || strings.Count(string(moments), "\n") != 2 {
		t.Errorf("timestamp: %v\n%s", err, moments)
	}
	const missing = `collecting the Lease version: leases.coordination.k8s.io "version" not found` + "\n" +
		`collecting the Deployment machine-config-operator: deployments.apps "machine-config-operator" not found` + "\n"
	if failed, err := os.ReadFile(filepath.Join(folder, "errors.log")); err != nil || string(failed) != missing {
		t.Errorf("errors.log: %v\n%s", err, failed)
	}

	object := shownOf(t, folder, w.now())
	if err := os.RemoveAll(filepath.Join(folder, "cluster-scoped-resources", updatev1alpha1.GroupName)); err != nil {
		t.Fatal(err)
	}
	// The controller keeps an estimate that moves by less than half a minute, which may be another minute.
	remaining := regexp.MustCompile(`Est\. Time Remaining: \w+`)
	withoutRemaining := func(text string) string { return remaining.ReplaceAllString(text, "Est. Time Remaining") }
	if diff := cmp.Diff(withoutRemaining(object), withoutRemaining(shownOf(t, folder, w.now()))); diff != "" {
		t.Errorf("text (-of the object +of the files):\n%s", harness.Cut(t, diff))
	}
	if len(object) < 500 {
		t.Errorf("the text is short:\n%s", object)
	}
}

// expectGathered checks that the files of hack/updatestatus/gather.sh have objects of each kind of a management cluster, and that the client shows them.
func (p *hostedPlay) expectGathered() {
	p.t.Helper()
	folder := p.t.TempDir()
	command, stderr := userCommand(p.t, p.management, "hack/updatestatus/gather.sh", folder)
	if err := command.Run(); err != nil {
		p.t.Fatalf("%v:\n%s", err, stderr)
	}
	for kind := range kinds.All() {
		if kind.Verbs[kinds.HostedClusterNamespace] == "" && kind.Verbs[kinds.ControlPlaneNamespace] == "" || kind == kinds.UpdateInformers {
			continue
		}
		if files, err := filepath.Glob(filepath.Join(folder, "namespaces", "*", kind.Group, kind.Resource(), "*.yaml")); err != nil || len(files) == 0 {
			p.t.Errorf("there are no %s: %v", kind, err)
		}
	}
	name := hostedCluster.Namespace + "/" + hostedCluster.Name
	if shown := shownOf(p.t, folder, time.Now().Format(time.RFC3339), "--hosted-cluster", name); !strings.Contains(shown, "surge-0.example.com") {
		p.t.Errorf("the files show:\n%s", shown)
	}
}

// shownOf returns what the client shows of a folder.
func shownOf(t *testing.T, folder, now string, flags ...string) string {
	t.Helper()
	client, err := harness.Binary("oc-update-status")
	if err != nil {
		t.Fatal(err)
	}
	output, err := exec.CommandContext(t.Context(), client, append(flags, "--classic", "--must-gather", folder, "--now", now)...).Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return string(output)
}
