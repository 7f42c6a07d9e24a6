package integration_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/harness"
	"github.com/openshift/cluster-version-operator/test/invariants"
	"github.com/openshift/cluster-version-operator/test/simulator"
	"github.com/openshift/cluster-version-operator/test/thanos"
)

// updatedCluster returns smallCluster after its update.
func updatedCluster() []simulator.Object {
	objects := []simulator.Object{
		builders.ClusterVersion(builders.Completed(oldVersion, startTime.Add(-24*time.Hour), startTime.Add(-23*time.Hour)),
			builders.Completed(newVersion, startTime.Add(-time.Minute), startTime.Add(time.Hour)),
			builders.VersionCondition(builders.Condition(configv1.OperatorProgressing, configv1.ConditionFalse, startTime, "", "")),
			builders.VersionCondition(builders.Condition("Failing", configv1.ConditionFalse, startTime, "", ""))),
		builders.ClusterOperator("dns", builders.OperatorVersion(newVersion), builders.Healthy(startTime)),
	}
	done := builders.Configs("rendered-new", "rendered-new")
	return append(objects, builders.Node("worker-1", builders.Role("worker"), done),
		builders.Node("infra-0", builders.Role("worker"), builders.Role("infra"), done))
}

// TestAlerts checks that alerts are reported while they fire during an update, also in the client's text, and that neither
// insights nor requests remain once all of the cluster is updated.
func TestAlerts(t *testing.T) {
	w := newWorld(t)
	a := startAlerts(w)
	w.options = a.options()
	a.Fire(thanos.FiringAlert("Before", "warning", startTime.Add(-time.Hour)), thanos.FiringAlert("KubePodNotReady", "warning", startTime),
		thanos.FiringAlert("PodDisruptionBudgetAtLimit", "warning", startTime.Add(-time.Hour)))
	w.put(smallCluster()...)
	w.start()
	us := w.until("alerts", firing("KubePodNotReady", "PodDisruptionBudgetAtLimit"))
	if !hasAlertsReason("")(us) || reasonOf(us) != updatev1alpha1.ReasonAsExpected {
		t.Errorf("conditions %v", us.Status.Conditions)
	}
	var text bytes.Buffer
	if err := describe.Write(&text, us, describe.Options{Now: startTime, Details: describe.DetailsAll}); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"Alert is firing: KubePodNotReady fires.",
		"Alert started firing during the update. The alert description is: It has been so for a while.",
		"Alert known to affect updates has been firing since before the update started.",
		"https://example.com/runbooks/KubePodNotReady.md",
	} {
		if !strings.Contains(text.String(), line) {
			t.Errorf("the text lacks %q:\n%s", line, &text)
		}
	}

	a.Fire(thanos.FiringAlert("KubeAPIDown", "critical", startTime))
	w.until("another alert", firing("KubeAPIDown"))
	seen := len(w.observer.Versions())
	a.awaitRequests(5)
	if versions := w.observer.Versions(); len(versions) != seen {
		t.Errorf("%d writes, although the alerts are the same", len(versions)-seen)
	}

	objects := updatedCluster()
	w.put(objects[0], objects[1])
	w.until("the control plane", func(us *updatev1alpha1.UpdateStatus) bool { return stageOf(us) == invariants.StageControlPlaneDone })
	a.Fire(thanos.FiringAlert("KubeNodeNotReady", "warning", startTime))
	w.until("an alert while workers are updated", firing("KubeNodeNotReady"))
	w.put(objects[2:]...)
	w.until("the end", func(us *updatev1alpha1.UpdateStatus) bool { return everythingUpdated(us) && len(firingIn(us)) == 0 })
	requests, _ := a.Requests()
	w.put(builders.ClusterOperator("dns", builders.OperatorVersion(newVersion), builders.Healthy(startTime.Add(time.Minute))),
		builders.MachineConfigPool("another"))
	w.until("what comes later", func(us *updatev1alpha1.UpdateStatus) bool { return find(us, "mcp-another") != nil })
	w.stop()
	if after, _ := a.Requests(); after != requests {
		t.Errorf("%d requests after the update", after-requests)
	}
}

// TestAlertsOutage checks that each failure of the monitoring is reported in AlertsComplete and changes nothing else: the
// insights stay for five minutes, are removed then, and have the same uids when the alerts can be read again.
func TestAlertsOutage(t *testing.T) {
	w := newWorld(t)
	a := startAlerts(w)
	w.options = a.options()
	fire := func() { a.Fire(thanos.FiringAlert("KubeAPIDown", "critical", startTime)) }
	fire()
	w.put(smallCluster()...)
	w.start()
	first := w.until("an alert", firing("KubeAPIDown"))
	status := func(code int) func() {
		return func() { a.Handle(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }) }
	}
	for _, test := range []struct {
		name, reason string
		fail         func()
	}{
		{name: "forbidden", reason: updatev1alpha1.ReasonMonitoringRefused, fail: status(http.StatusForbidden)},
		{name: "an error", reason: updatev1alpha1.ReasonMonitoringFailed, fail: status(http.StatusInternalServerError)},
		{name: "garbage", reason: updatev1alpha1.ReasonMonitoringFailed, fail: func() { a.Respond("\x00<html>") }},
		{
			name: "a huge response", reason: updatev1alpha1.ReasonMonitoringFailed,
			fail: func() { a.Respond(`{"status":"` + strings.Repeat("x", 11<<20) + `"}`) },
		},
		{
			name: "a broken connection", reason: updatev1alpha1.ReasonMonitoringUnreachable,
			fail: func() { a.Handle(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }) },
		},
		{
			name: "another certificate", reason: updatev1alpha1.ReasonMonitoringUnreachable,
			fail: func() {
				if err := a.Rotate(); err != nil {
					t.Fatal(err)
				}
			},
		},
	} {
		test.fail()
		us := w.until(test.name, hasAlertsReason(test.reason))
		if !slices.Equal(firingIn(us), []string{"KubeAPIDown"}) || reasonOf(us) != updatev1alpha1.ReasonAsExpected {
			t.Errorf("%s: alerts %v, conditions %v", test.name, firingIn(us), us.Status.Conditions)
		}
		w.clock.Step(5 * time.Minute)
		us = w.until("five minutes of "+test.name, firing())
		if !hasAlertsReason(test.reason)(us) {
			t.Errorf("five minutes of %s: conditions %v", test.name, us.Status.Conditions)
		}
		fire()
		if err := os.WriteFile(w.options.AlertsCAFile, a.Authority(), 0o600); err != nil {
			t.Fatal(err)
		}
		us = w.until("the end of "+test.name, func(us *updatev1alpha1.UpdateStatus) bool {
			return firing("KubeAPIDown")(us) && hasAlertsReason("")(us)
		})
		uid := func(us *updatev1alpha1.UpdateStatus) string {
			return healthOf(us, "Alert is firing: KubeAPIDown fires.").UID
		}
		if uid(first) != uid(us) {
			t.Errorf("the uid of the alert changed after %s", test.name)
		}
	}
}

// TestAlertsAfterRestart checks that the insights of alerts survive a restart unchanged, and are removed after five minutes
// when the monitoring is unreachable, or at once when the controller is started without it.
func TestAlertsAfterRestart(t *testing.T) {
	w := newWorld(t)
	a := startAlerts(w)
	w.options = a.options()
	a.Fire(thanos.FiringAlert("KubeAPIDown", "critical", startTime))
	w.put(smallCluster()...)
	w.start()
	before := healthOf(w.until("an alert", firing("KubeAPIDown")), "Alert is firing: KubeAPIDown fires.")
	w.stop()
	seen := len(w.observer.Versions())
	w.clock.Step(time.Minute)
	w.start()
	a.awaitRequests(3)
	w.stop()
	if versions := w.observer.Versions(); len(versions) != seen {
		t.Errorf("%d writes of a restart, although the alerts are the same", len(versions)-seen)
	}

	a.Stop()
	w.start()
	us := w.until("unreachable monitoring", hasAlertsReason(updatev1alpha1.ReasonMonitoringUnreachable))
	if after := healthOf(us, "Alert is firing: KubeAPIDown fires."); after == nil || !after.AcquiredAt.Equal(&before.AcquiredAt) {
		t.Errorf("the alert was %v and is %v", before, after)
	}
	w.clock.Step(5 * time.Minute)
	w.until("five minutes", firing())
	w.stop()
	w.options = updatestatus.Options{}
	w.start()
	w.until("no AlertsComplete condition", hasAlertsReason(""))
}

// TestWithoutMonitoring checks that an update in a cluster without monitoring is reported as in any other.
func TestWithoutMonitoring(t *testing.T) {
	w := newWorld(t)
	w.options = updatestatus.Options{
		AlertsURL: "https://monitoring.invalid:9091", AlertsCAFile: filepath.Join(t.TempDir(), "none"), AlertsEvery: 30 * time.Millisecond,
	}
	simulation := simulator.NewSimulation(simulator.Update{Seed: 3, Start: startTime, From: oldVersion, To: newVersion})
	w.create(simulation)
	w.start()
	w.until("the first report", isAvailable)
	w.play(simulation, nil)
	w.until("the end of the update", func(us *updatev1alpha1.UpdateStatus) bool { return everythingUpdated(us) && hasAlertsReason("")(us) })
	w.stop()
	checkVersions(t, w.observer.Versions(), payload)
	reason := ""
	for _, us := range w.observer.Versions() {
		if condition := meta.FindStatusCondition(us.Status.Conditions, updatev1alpha1.ConditionAlertsComplete); condition != nil {
			reason = condition.Reason
		}
	}
	if reason != updatev1alpha1.ReasonMonitoringUnreachable {
		t.Errorf("AlertsComplete has the reason %q", reason)
	}
}

// TestHostileAlerts checks that the API server accepts the object whatever alerts contain, and that other insights stay.
func TestHostileAlerts(t *testing.T) {
	w := newWorld(t)
	a := startAlerts(w)
	w.options = a.options()
	alert := func(labels, annotations, activeAt string) string {
		return fmt.Sprintf(`{"labels":{"severity":"critical",%s},"annotations":{%s},"state":"firing","activeAt":%q}`, labels, annotations, activeAt)
	}
	long := strings.Repeat(`\u0000ä\u001b[2J\n`, 5000)
	hostile := []string{
		alert(`"alertname":"`+long+`","namespace":"`+long+`"`, `"summary":"`+long+`","description":"`+long+`","runbook_url":"javascript:`+long+`"`, "2026-03-02T09:00:00Z"),
		alert(`"alertname":"Late"`, ``, "9999-12-31T23:59:59.999-23:59"),
		alert(`"alertname":"PodDisruptionBudgetLimit"`, ``, "0000-01-01T00:00:00+23:59"),
		alert(`"alertname":" ","namespace":"%s%d"`, `"summary":"%!s(MISSING)"`, "2026-03-02T09:00:00Z"),
		`{}`,
	}
	for number := range 2000 {
		hostile = append(hostile, alert(fmt.Sprintf(`"alertname":"Many","pod":"%d"`, number), `"description":"`+strings.Repeat("d", 500)+`"`, "2026-03-02T09:00:00Z"))
	}
	a.Fire(hostile...)
	w.put(smallCluster()...)
	w.start()
	us := w.until("too many alerts", hasAlertsReason(updatev1alpha1.ReasonTooManyAlerts))
	if count := len(firingIn(us)); count < 100 || find(us, "node-worker-1") == nil {
		t.Errorf("%d alerts, conditions %v", count, us.Status.Conditions)
	}
}

// TestPodReadsAlerts checks that the pod of the Deployment reads alerts with its own token and the role of manifests/, also
// after the token and the certificate authority were rotated, and that the role is required.
func TestPodReadsAlerts(t *testing.T) {
	w := newWorld(t)
	a := startAlerts(w)
	a.publish()
	if status := a.authorizer.Authorize(w.ctx, w.unprivilegedToken()); status != http.StatusForbidden {
		t.Errorf("an account without the role gets the status %d", status)
	}
	if status := a.authorizer.Authorize(w.ctx, "none"); status != http.StatusUnauthorized {
		t.Errorf("an invalid token gets the status %d", status)
	}
	a.Fire(thanos.FiringAlert("KubeAPIDown", "critical", startTime))
	w.put(smallCluster()...)
	p := w.startPod(harness.PodOptions{Name: "alerts", AlertsURL: a.URL()})
	w.until("an alert", firing("KubeAPIDown"))

	if err := a.Rotate(); err != nil {
		t.Fatal(err)
	}
	a.publish()
	if err := p.Refresh(w.ctx, harness.TokenVolume); err != nil {
		t.Fatal(err)
	}
	a.Fire(thanos.FiringAlert("KubeNodeNotReady", "warning", startTime))
	w.until("an alert after the rotation", firing("KubeNodeNotReady"))
	tokens := map[string]bool{}
	for _, user := range a.authorizer.Allowed() {
		if user.Username != "system:serviceaccount:"+controlplane.Namespace+":"+controlplane.ServiceAccount.Name {
			t.Errorf("%s has read alerts", user.Username)
		}
		tokens[strings.Join(user.Extra["authentication.kubernetes.io/credential-id"], "")] = true
	}
	if len(tokens) < 2 {
		t.Errorf("the tokens were %v", tokens)
	}
	w.stopPod(p)
}
