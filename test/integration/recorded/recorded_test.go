package recorded_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	clocktesting "k8s.io/utils/clock/testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/describe"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/snapshot"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/harness"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// patience is how long the controller may take with a cluster. It takes less than a second.
const patience = time.Minute

var plane *controlplane.ControlPlane

func TestMain(m *testing.M) {
	os.Exit(controlplane.RunTests(m, &plane, controlplane.Options{}))
}

func TestLiveIsTheSameAsFromFiles(t *testing.T) {
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
			t.Cleanup(func() {
				if err := plane.Reset(context.WithoutCancel(t.Context())); err != nil {
					t.Error(err)
				}
			})
			files, err := snapshot.Load(filepath.Join(folder, name))
			if err != nil {
				t.Fatal(err)
			}
			now := files.NewestTransition()
			want := stored(t, files.Assess(now))
			got := withoutObserved(watch(t, filepath.Join(folder, name), now, files.Alerts), want, now)
			if diff := gocmp.Diff(want.Status, got.Status); diff != "" {
				t.Errorf("UpdateStatus (-from files +live):\n%s", diff)
			}
			for _, details := range []describe.Details{describe.DetailsNone, describe.DetailsAll} {
				if diff := gocmp.Diff(text(t, want, now, details), text(t, got, now, details)); diff != "" {
					t.Errorf("text (-from files +live):\n%s", diff)
				}
			}
		})
	}
}

// watch loads a cluster into the API server, lets the controller watch it at a moment, while some alerts are active, and
// returns what it writes.
func watch(t *testing.T, path string, now time.Time, alerts []assess.Alert) *updatev1alpha1.UpdateStatus {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(t.Context(), patience, context.DeadlineExceeded)
	defer cancel()
	recorded, err := simulator.ReadRecorded(path)
	if err != nil {
		t.Fatal(err)
	}
	writer, err := simulator.NewWriter(plane.Admin())
	if err != nil {
		t.Fatal(err)
	}
	if err := writer.Load(ctx, recorded); err != nil {
		t.Fatal(err)
	}
	observer, err := harness.Observe(ctx, plane.Admin(), nil)
	if err != nil {
		t.Fatal(err)
	}
	running, err := harness.StartInProcess(ctx, plane, clocktesting.NewFakeClock(now), withAlerts(t, alerts))
	if err != nil {
		t.Fatal(err)
	}
	// The first status is written when every source has reported everything, but that of alerts, which is asked for later.
	us, err := observer.Until(ctx, func(us *updatev1alpha1.UpdateStatus) bool {
		return len(us.Status.Conditions) > 0 && (len(alerts) == 0 || tellsAlerts(us))
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := running.Stop(); err != nil {
		t.Error(err)
	}
	return us
}

// withAlerts returns how to run the controller in a cluster in which some alerts are active.
func withAlerts(t *testing.T, alerts []assess.Alert) updatestatus.Options {
	t.Helper()
	if len(alerts) == 0 {
		return updatestatus.Options{}
	}
	querier, err := simulator.StartQuerier(simulator.NewAuthorizer(kubernetes.NewForConfigOrDie(plane.Admin())).Authorize)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(querier.Stop)
	active, err := json.Marshal(alerts)
	if err != nil {
		t.Fatal(err)
	}
	querier.Say(`{"status":"success","data":{"alerts":` + string(active) + `}}`)
	authority := filepath.Join(t.TempDir(), "ca.crt")
	if err := os.WriteFile(authority, querier.Authority(), 0o600); err != nil {
		t.Fatal(err)
	}
	return updatestatus.Options{AlertsURL: querier.URL(), AlertsCAFile: authority}
}

func tellsAlerts(us *updatev1alpha1.UpdateStatus) bool {
	return us.Status.ControlPlane != nil && slices.ContainsFunc(us.Status.ControlPlane.Informers,
		func(informer updatev1alpha1.Informer) bool { return informer.Name == string(insight.AlertInformer) })
}

// withoutObserved replaces the times at which the controller observed something first, when it was started, by those in the
// files: the starts of drains, and of health insights, which are unknown in the files.
func withoutObserved(us, files *updatev1alpha1.UpdateStatus, started time.Time) *updatev1alpha1.UpdateStatus {
	us = us.DeepCopy()
	inFiles := map[string]*updatev1alpha1.Insight{}
	forEachInsight(files, func(one *updatev1alpha1.Insight) { inFiles[one.UID] = one })
	forEachInsight(us, func(one *updatev1alpha1.Insight) {
		before := inFiles[one.UID]
		if before == nil {
			return
		}
		if one.Health != nil && before.Health.StartedAt == nil {
			one.Health.StartedAt = nil
		}
		if one.Node != nil && one.Node.DrainStartedAt.Equal(&metav1.Time{Time: started}) {
			one.Node.DrainStartedAt = before.Node.DrainStartedAt
		}
	})
	return us
}

func forEachInsight(us *updatev1alpha1.UpdateStatus, visit func(*updatev1alpha1.Insight)) {
	var informers []updatev1alpha1.Informer
	if us.Status.ControlPlane != nil {
		informers = append(informers, us.Status.ControlPlane.Informers...)
	}
	for _, pool := range us.Status.WorkerPools {
		informers = append(informers, pool.Informers...)
	}
	for _, informer := range informers {
		for at := range informer.Insights {
			visit(&informer.Insights[at])
		}
	}
}

func text(t *testing.T, us *updatev1alpha1.UpdateStatus, now time.Time, details describe.Details) string {
	t.Helper()
	var written bytes.Buffer
	if err := describe.Write(&written, us, describe.Options{Now: now, Details: details}); err != nil {
		t.Fatal(err)
	}
	return written.String()
}

// stored returns an object as it comes back from where it is stored, with times to the second.
func stored(t *testing.T, us *updatev1alpha1.UpdateStatus) *updatev1alpha1.UpdateStatus {
	t.Helper()
	content, err := json.Marshal(us)
	if err != nil {
		t.Fatal(err)
	}
	read := &updatev1alpha1.UpdateStatus{}
	if err := json.Unmarshal(content, read); err != nil {
		t.Fatal(err)
	}
	return read
}
