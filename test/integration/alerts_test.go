package integration_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/harness"
	"github.com/openshift/cluster-version-operator/test/invariants"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// tokenVolume is the volume of the Deployment with the token and the authorities.
const tokenVolume = "kube-api-access"

// alerts are the monitoring of a world. Who may read them is asked of the API server.
type alerts struct {
	*simulator.Querier

	w          *world
	authorizer *simulator.Authorizer
}

func newAlerts(w *world) *alerts {
	w.t.Helper()
	made := &alerts{w: w, authorizer: simulator.NewAuthorizer(kubernetes.NewForConfigOrDie(plane.Admin()))}
	var err error
	if made.Querier, err = simulator.StartQuerier(made.authorizer.Authorize); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(made.Stop)
	return made
}

// publish gives pods the authority of the server, until the end of the test.
func (a *alerts) publish() {
	a.w.t.Helper()
	if err := harness.PutServiceAuthority(a.w.ctx, plane, a.Authority()); err != nil {
		a.w.t.Fatal(err)
	}
	a.w.t.Cleanup(func() {
		if err := harness.PutServiceAuthority(context.WithoutCancel(a.w.ctx), plane, nil); err != nil {
			a.w.t.Error(err)
		}
	})
}

// options make a controller within the process ask, a thousand times as often as a real one.
func (a *alerts) options() updatestatus.Options {
	a.w.t.Helper()
	file := filepath.Join(a.w.t.TempDir(), "ca.crt")
	if err := os.WriteFile(file, a.Authority(), 0o600); err != nil {
		a.w.t.Fatal(err)
	}
	return updatestatus.Options{AlertsURL: a.URL(), AlertsCAFile: file, AlertsEvery: 30 * time.Millisecond}
}

// awaitRequests waits for a number of requests from now on.
func (a *alerts) awaitRequests(number int) {
	a.w.t.Helper()
	begin, news := a.Requests()
	for count := begin; count < begin+number; count, news = a.Requests() {
		select {
		case <-news:
		case <-a.w.ctx.Done():
			a.w.t.Fatal("alerts are not asked for")
		}
	}
}

func firing(names ...string) func(*updatev1alpha1.UpdateStatus) bool {
	return func(us *updatev1alpha1.UpdateStatus) bool { return slices.Equal(firingIn(us), names) }
}

// firingIn returns the names of the alerts that an UpdateStatus tells of, in alphabetical order.
func firingIn(us *updatev1alpha1.UpdateStatus) []string {
	var names []string
	for _, one := range insightsOf(us) {
		if one.Health != nil && one.Health.Scope.Resources[0].Resource == "alerts" {
			names = append(names, one.Health.Scope.Resources[0].Name)
		}
	}
	slices.Sort(names)
	return names
}

// untold is whether an UpdateStatus says for a reason that alerts are not told; for none, that it doesn't.
func untold(reason string) func(*updatev1alpha1.UpdateStatus) bool {
	return func(us *updatev1alpha1.UpdateStatus) bool {
		said := meta.FindStatusCondition(us.Status.Conditions, updatev1alpha1.ConditionAlertsComplete)
		if said == nil || reason == "" {
			return said == nil && reason == ""
		}
		return said.Status == metav1.ConditionFalse && said.Reason == reason
	}
}

// finished is the small cluster when all of it is updated.
func finished() []simulator.Object {
	objects := []simulator.Object{
		builders.ClusterVersion(builders.Completed(oldVersion, began.Add(-24*time.Hour), began.Add(-23*time.Hour)),
			builders.Completed(newVersion, began.Add(-time.Minute), began.Add(time.Hour)),
			builders.VersionCondition(builders.Condition(configv1.OperatorProgressing, configv1.ConditionFalse, began, "", "")),
			builders.VersionCondition(builders.Condition("Failing", configv1.ConditionFalse, began, "", ""))),
		builders.ClusterOperator("dns", builders.OperatorVersion(newVersion), builders.Healthy(began)),
	}
	done := builders.Configs("rendered-new", "rendered-new")
	return append(objects, builders.Node("worker-1", builders.Role("worker"), done),
		builders.Node("infra-0", builders.Role("worker"), builders.Role("infra"), done))
}

// TestAlerts: alerts that fire during an update are told while they fire, to the administrator who reads the text as well.
// When all of the cluster is updated nothing is told or asked any more.
func TestAlerts(t *testing.T) {
	w := newWorld(t)
	a := newAlerts(w)
	w.options = a.options()
	a.Fire(simulator.FiringAlert("Before", "warning", began.Add(-time.Hour)), simulator.FiringAlert("KubePodNotReady", "warning", began),
		simulator.FiringAlert("PodDisruptionBudgetAtLimit", "warning", began.Add(-time.Hour)))
	w.put(small()...)
	w.start()
	us := w.until("alerts", firing("KubePodNotReady", "PodDisruptionBudgetAtLimit"))
	if !untold("")(us) || reasonOf(us) != updatev1alpha1.ReasonAsExpected {
		t.Errorf("conditions %v", us.Status.Conditions)
	}
	var text bytes.Buffer
	if err := describe.Write(&text, us, describe.Options{Now: began, Details: describe.DetailsAll}); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"Alert is firing: KubePodNotReady fires.",
		"Alert started firing during the update. The alert description is: It has been so for a while.",
		"Alert known to affect updates has been firing since before the update started.",
		"https://example.com/runbooks/KubePodNotReady.md",
	} {
		if !strings.Contains(text.String(), line) {
			t.Errorf("the text says nothing of %q:\n%s", line, &text)
		}
	}

	a.Fire(simulator.FiringAlert("KubeAPIDown", "critical", began))
	w.until("another alert", firing("KubeAPIDown"))
	seen := len(w.observer.Versions())
	a.awaitRequests(5)
	if versions := w.observer.Versions(); len(versions) != seen {
		t.Errorf("%d writes, although the alerts are the same", len(versions)-seen)
	}

	objects := finished()
	w.put(objects[0], objects[1])
	w.until("the control plane", func(us *updatev1alpha1.UpdateStatus) bool { return stageOf(us) == invariants.StageControlPlaneDone })
	a.Fire(simulator.FiringAlert("KubeNodeNotReady", "warning", began))
	w.until("an alert while workers are updated", firing("KubeNodeNotReady"))
	w.put(objects[2:]...)
	w.until("the end", func(us *updatev1alpha1.UpdateStatus) bool { return everythingUpdated(us) && len(firingIn(us)) == 0 })
	requests, _ := a.Requests()
	w.put(builders.ClusterOperator("dns", builders.OperatorVersion(newVersion), builders.Healthy(began.Add(time.Minute))),
		builders.MachineConfigPool("another"))
	w.until("what comes later", func(us *updatev1alpha1.UpdateStatus) bool { return find(us, "mcp-another") != nil })
	w.stop()
	if after, _ := a.Requests(); after != requests {
		t.Errorf("%d requests after the update", after-requests)
	}
}

// TestAlertsOutage: whatever is wrong with the monitoring is said in a condition, and touches nothing else. What was told
// stays for five minutes, is taken back then, and is the same when it is read again.
func TestAlertsOutage(t *testing.T) {
	w := newWorld(t)
	a := newAlerts(w)
	w.options = a.options()
	fire := func() { a.Fire(simulator.FiringAlert("KubeAPIDown", "critical", began)) }
	fire()
	w.put(small()...)
	w.start()
	first := w.until("an alert", firing("KubeAPIDown"))
	status := func(code int) func() {
		return func() { a.Answer(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }) }
	}
	for _, test := range []struct {
		name, reason string
		wrong        func()
	}{
		{"forbidden", updatev1alpha1.ReasonMonitoringRefused, status(http.StatusForbidden)},
		{"an error", updatev1alpha1.ReasonMonitoringFailed, status(http.StatusInternalServerError)},
		{"garbage", updatev1alpha1.ReasonMonitoringFailed, func() { a.Say("\x00<html>") }},
		{"huge", updatev1alpha1.ReasonMonitoringFailed, func() { a.Say(`{"status":"` + strings.Repeat("x", 11<<20) + `"}`) }},
		{"broken off", updatev1alpha1.ReasonMonitoringUnreachable, func() {
			a.Answer(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
		}},
		{"a certificate of somebody else", updatev1alpha1.ReasonMonitoringUnreachable, func() {
			if err := a.Rotate(); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		test.wrong()
		us := w.until(test.name, untold(test.reason))
		if !slices.Equal(firingIn(us), []string{"KubeAPIDown"}) || reasonOf(us) != updatev1alpha1.ReasonAsExpected {
			t.Errorf("%s: alerts %v, conditions %v", test.name, firingIn(us), us.Status.Conditions)
		}
		w.clock.Step(5 * time.Minute)
		us = w.until("five minutes of "+test.name, firing())
		if !untold(test.reason)(us) {
			t.Errorf("five minutes of %s: conditions %v", test.name, us.Status.Conditions)
		}
		fire()
		if err := os.WriteFile(w.options.AlertsCAFile, a.Authority(), 0o600); err != nil {
			t.Fatal(err)
		}
		us = w.until("the end of "+test.name, func(us *updatev1alpha1.UpdateStatus) bool { return firing("KubeAPIDown")(us) && untold("")(us) })
		uid := func(us *updatev1alpha1.UpdateStatus) string {
			return healthOf(us, "Alert is firing: KubeAPIDown fires.").UID
		}
		if uid(first) != uid(us) {
			t.Errorf("the alert is another one after %s", test.name)
		}
	}
}

// TestAlertsAfterARestart: what a controller before told of alerts stays until it is known better, and no longer than five
// minutes in a cluster whose monitoring has gone.
func TestAlertsAfterARestart(t *testing.T) {
	w := newWorld(t)
	a := newAlerts(w)
	w.options = a.options()
	a.Fire(simulator.FiringAlert("KubeAPIDown", "critical", began))
	w.put(small()...)
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
	us := w.until("a monitoring that is gone", untold(updatev1alpha1.ReasonMonitoringUnreachable))
	if after := healthOf(us, "Alert is firing: KubeAPIDown fires."); after == nil || !after.AcquiredAt.Equal(&before.AcquiredAt) {
		t.Errorf("the alert was %v and is %v", before, after)
	}
	w.clock.Step(5 * time.Minute)
	w.until("five minutes", firing())
	w.stop()
	w.options = updatestatus.Options{}
	w.start()
	w.until("nobody is asked any more", untold(""))
}

// TestAlertsAreNotNeeded: in a cluster without monitoring, everything else is told as ever.
func TestAlertsAreNotNeeded(t *testing.T) {
	w := newWorld(t)
	w.options = updatestatus.Options{
		AlertsURL: "https://monitoring.invalid:9091", AlertsCAFile: filepath.Join(t.TempDir(), "none"), AlertsEvery: 30 * time.Millisecond,
	}
	simulation := simulator.NewSimulation(simulator.Update{Seed: 3, Start: began, From: oldVersion, To: newVersion})
	w.create(simulation)
	w.start()
	w.until("the first report", isAvailable)
	w.play(simulation, nil)
	w.until("the end of the update", func(us *updatev1alpha1.UpdateStatus) bool { return everythingUpdated(us) && untold("")(us) })
	w.stop()
	checkVersions(t, w.observer.Versions(), payload)
	said := ""
	for _, us := range w.observer.Versions() {
		if condition := meta.FindStatusCondition(us.Status.Conditions, updatev1alpha1.ConditionAlertsComplete); condition != nil {
			said = condition.Reason
		}
	}
	if said != updatev1alpha1.ReasonMonitoringUnreachable {
		t.Errorf("the condition said %q", said)
	}
}

// TestHostileAlerts: whatever an alert says, the API server takes the object, and the rest of it stays.
func TestHostileAlerts(t *testing.T) {
	w := newWorld(t)
	a := newAlerts(w)
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
	w.put(small()...)
	w.start()
	us := w.until("too many alerts", untold(updatev1alpha1.ReasonTooManyAlerts))
	if told := len(firingIn(us)); told < 100 || find(us, "node-worker-1") == nil {
		t.Errorf("%d alerts, conditions %v", told, us.Status.Conditions)
	}
}

// TestAlertsOfAPod: the pod of the Deployment reads alerts with its own token and the role of manifests/, also when the
// token and the authority are others by now; nobody without the role may.
func TestAlertsOfAPod(t *testing.T) {
	w := newWorld(t)
	a := newAlerts(w)
	a.publish()
	if status := a.authorizer.Authorize(w.ctx, w.stranger()); status != http.StatusForbidden {
		t.Errorf("a stranger gets the status %d", status)
	}
	if status := a.authorizer.Authorize(w.ctx, "none"); status != http.StatusUnauthorized {
		t.Errorf("one with a token that is none gets the status %d", status)
	}
	a.Fire(simulator.FiringAlert("KubeAPIDown", "critical", began))
	w.put(small()...)
	p := w.startPod(harness.PodOptions{Name: "alerts", AlertsURL: a.URL()})
	w.until("an alert", firing("KubeAPIDown"))

	if err := a.Rotate(); err != nil {
		t.Fatal(err)
	}
	a.publish()
	if err := p.Refresh(w.ctx, tokenVolume); err != nil {
		t.Fatal(err)
	}
	a.Fire(simulator.FiringAlert("KubeNodeNotReady", "warning", began))
	w.until("another alert, by the certificate of another authority and with another token", firing("KubeNodeNotReady"))
	tokens := map[string]bool{}
	for _, user := range a.authorizer.Allowed() {
		if user.Username != "system:serviceaccount:"+controlplane.Namespace+":"+controlplane.ServiceAccount.Name {
			t.Errorf("%s may read alerts", user.Username)
		}
		tokens[strings.Join(user.Extra["authentication.kubernetes.io/credential-id"], "")] = true
	}
	if len(tokens) < 2 {
		t.Errorf("the tokens were %v", tokens)
	}
	w.stopPod(p)
}
