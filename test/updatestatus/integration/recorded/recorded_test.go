package recorded_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/klog/v2"
	clocktesting "k8s.io/utils/clock/testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/snapshot"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
	"github.com/openshift/cluster-version-operator/test/updatestatus/playback"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
	"github.com/openshift/cluster-version-operator/test/updatestatus/thanos"
)

var pool = controlplane.NewPool(controlplane.Options{})

func TestMain(m *testing.M) { os.Exit(pool.Main(m)) }

func TestLiveMatchesFiles(t *testing.T) {
	folder := cmp.Or(os.Getenv("EXAMPLES"), filepath.Join("..", "..", "conformance", "testdata"))
	names, err := snapshot.Clusters(folder)
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		t.Fatalf("no recorded cluster in %s", folder)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			pool.Emptied(t)
			files, err := snapshot.Load(filepath.Join(folder, name))
			if err != nil {
				t.Fatal(err)
			}
			now := files.NewestTransition(time.Now())
			want, err := invariants.Stored(files.Assess(now))
			if err != nil {
				t.Fatal(err)
			}
			got := withoutObserved(watch(t, filepath.Join(folder, name), now, files.Alerts), want, now)
			got.Status.ObservedGeneration = 0
			// Files are never truncated; alerts and UpdateInformers are polled, and can come after the first status.
			for _, us := range []*updatev1alpha1.UpdateStatus{want, got} {
				withoutPods(us)
				for _, one := range []string{updatev1alpha1.ConditionInsightsComplete, updatev1alpha1.ConditionAlertsComplete, updatev1alpha1.ConditionInformersReporting} {
					meta.RemoveStatusCondition(&us.Status.Conditions, one)
				}
			}
			if diff := gocmp.Diff(want.Status, got.Status); diff != "" {
				t.Errorf("UpdateStatus (-from files +live):\n%s", harness.Cut(t, diff))
			}
			for _, details := range []describe.Details{describe.DetailsNone, describe.DetailsAll} {
				if diff := gocmp.Diff(text(t, want, now, details), text(t, got, now, details)); diff != "" {
					t.Errorf("text (-from files +live):\n%s", harness.Cut(t, diff))
				}
			}
		})
	}
}

// watch loads a cluster and its active alerts, runs the controller with a fixed clock, and returns what it writes.
func watch(t *testing.T, path string, now time.Time, alerts []assess.Alert) *updatev1alpha1.UpdateStatus {
	t.Helper()
	ctx := klog.NewContext(t.Context(), harness.LogInProcess(t))
	recorded, err := simulator.ReadRecorded(path)
	if err != nil {
		t.Fatal(err)
	}
	writer, err := playback.NewWriter(pool.Shared(t).Admin())
	if err != nil {
		t.Fatal(err)
	}
	if err := writer.Load(ctx, recorded); err != nil {
		t.Fatal(err)
	}
	observer, err := harness.Observe(ctx, pool.Shared(t).Admin(), nil)
	if err != nil {
		t.Fatal(err)
	}
	running, err := harness.StartInProcess(ctx, pool.Shared(t), clocktesting.NewFakeClock(now), withAlerts(t, alerts))
	if err != nil {
		t.Fatal(err)
	}
	// The first status is written when all sources are complete, but for the alerts, which are polled later.
	us, err := observer.Until(ctx, func(us *updatev1alpha1.UpdateStatus) bool {
		return len(us.Status.Conditions) > 0 && (len(alerts) == 0 || hasAlerts(us))
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := running.Stop(); err != nil {
		t.Error(err)
	}
	return us
}

// withAlerts returns the options of a controller in a cluster with active alerts.
func withAlerts(t *testing.T, alerts []assess.Alert) updatestatus.Options {
	t.Helper()
	if len(alerts) == 0 {
		return updatestatus.Options{}
	}
	querier, err := thanos.StartQuerier(thanos.NewAuthorizer(kubernetes.NewForConfigOrDie(pool.Shared(t).Admin())).Authorize)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(querier.Stop)
	active, err := json.Marshal(alerts)
	if err != nil {
		t.Fatal(err)
	}
	querier.Respond(`{"status":"success","data":{"alerts":` + string(active) + `}}`)
	authority := filepath.Join(t.TempDir(), "ca.crt")
	if err := os.WriteFile(authority, querier.Authority(), 0o600); err != nil {
		t.Fatal(err)
	}
	return updatestatus.Options{AlertsURL: querier.URL(), AlertsCAFile: authority}
}

func hasAlerts(us *updatev1alpha1.UpdateStatus) bool {
	return us.Status.ControlPlane != nil && slices.ContainsFunc(us.Status.ControlPlane.Informers,
		func(informer updatev1alpha1.Informer) bool { return informer.Name == string(insight.AlertInformer) })
}

// withoutObserved replaces times that the controller has observed at its start, of drains and of health insights, with those of
// the files, where they may be unknown, and what follows from the start of a drain: phases, and when the pool will be done.
func withoutObserved(us, files *updatev1alpha1.UpdateStatus, started time.Time) *updatev1alpha1.UpdateStatus {
	us = us.DeepCopy()
	inFiles, draining := map[string]*updatev1alpha1.Insight{}, map[string]bool{}
	for _, one := range invariants.Insights(&files.Status) {
		inFiles[one.UID] = one
	}
	for _, one := range invariants.Insights(&us.Status) {
		before := inFiles[one.UID]
		if before == nil {
			continue
		}
		if one.Health != nil && before.Health.StartedAt == nil {
			one.Health.StartedAt = nil
		}
		if version := one.ClusterVersion; version != nil {
			version.ProgressedAt = nil
			for at := range version.WaitingOn {
				version.WaitingOn[at].Since = nil
			}
		}
		if one.Node != nil && one.Node.DrainStartedAt.Equal(&metav1.Time{Time: started}) {
			one.Node.DrainStartedAt, one.Node.Phases = before.Node.DrainStartedAt, before.Node.Phases
			draining[one.Node.Pool] = true
		}
	}
	for _, one := range invariants.Insights(&us.Status) {
		if before := inFiles[one.UID]; before != nil && one.MachineConfigPool != nil && draining[one.MachineConfigPool.Name] {
			one.MachineConfigPool.EstimatedCompletedAt = before.MachineConfigPool.EstimatedCompletedAt
		}
	}
	return us
}

// withoutPods removes the command that lists the pods of an operator: files don't have them, the controller has read them.
func withoutPods(us *updatev1alpha1.UpdateStatus) {
	for _, one := range invariants.Insights(&us.Status) {
		if one.Health != nil {
			one.Health.Remediation.Commands = slices.DeleteFunc(one.Health.Remediation.Commands, func(command updatev1alpha1.Command) bool {
				return strings.HasPrefix(strings.Join(command.Argv, " "), "oc get pods -n openshift-machine-config-operator -o wide")
			})
		}
	}
}

func text(t *testing.T, us *updatev1alpha1.UpdateStatus, now time.Time, details describe.Details) string {
	t.Helper()
	var written bytes.Buffer
	if err := describe.Write(&written, update.ReadAt(&us.Status, now), describe.Options{Now: now, Details: details}); err != nil {
		t.Fatal(err)
	}
	return written.String()
}
