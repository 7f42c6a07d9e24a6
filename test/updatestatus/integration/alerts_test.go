package integration_test

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
	"github.com/openshift/cluster-version-operator/test/updatestatus/thanos"
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
	text := describeText(t, us, describe.Options{Now: startTime, Details: describe.DetailsAll})
	for _, line := range []string{
		"Alert is firing: KubePodNotReady fires.",
		"Alert started firing during the update. The alert description is: It has been so for a while.",
		"Alert known to affect updates has been firing since before the update started.",
		"https://example.com/runbooks/KubePodNotReady.md",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("the text lacks %q:\n%s", line, harness.Cut(t, text))
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

// TestAlertsOutage checks that the insights of alerts survive a restart unchanged, that each kind of failure of the monitoring is reported in
// AlertsComplete and changes nothing else, that insights stay for five minutes, are removed then, and have the same uids when the
// alerts can be read again; and that a controller that is started without monitoring removes them at once.
func TestAlertsOutage(t *testing.T) {
	w := newWorld(t)
	a := startAlerts(w)
	w.options = a.options()
	fire := func() { a.Fire(thanos.FiringAlert("KubeAPIDown", "critical", startTime)) }
	fire()
	w.put(smallCluster()...)
	w.start()
	alertIn := func(us *updatev1alpha1.UpdateStatus) *updatev1alpha1.Insight {
		return healthOf(us, "Alert is firing: KubeAPIDown fires.")
	}
	first := alertIn(w.until("an alert", firing("KubeAPIDown")))
	w.stop()
	seen := len(w.observer.Versions())
	w.clock.Step(time.Minute)
	w.start()
	a.awaitRequests(3)
	if versions := w.observer.Versions(); len(versions) != seen {
		t.Errorf("%d writes of a restart, although the alerts are the same", len(versions)-seen)
	}
	status := func(code int) func() {
		return func() { a.Handle(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }) }
	}
	for _, test := range []struct {
		reason string
		fail   func()
	}{
		{reason: updatev1alpha1.ReasonMonitoringRefused, fail: status(http.StatusForbidden)},
		{reason: updatev1alpha1.ReasonMonitoringFailed, fail: status(http.StatusInternalServerError)},
		{reason: updatev1alpha1.ReasonMonitoringUnreachable, fail: func() {
			if err := a.Rotate(); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		test.fail()
		us := w.until(test.reason, hasAlertsReason(test.reason))
		if !slices.Equal(firingIn(us), []string{"KubeAPIDown"}) || reasonOf(us) != updatev1alpha1.ReasonAsExpected {
			t.Errorf("%s: alerts %v, conditions %v", test.reason, firingIn(us), us.Status.Conditions)
		}
		w.clock.Step(5 * time.Minute)
		us = w.until("five minutes of "+test.reason, firing())
		if !hasAlertsReason(test.reason)(us) {
			t.Errorf("five minutes of %s: conditions %v", test.reason, us.Status.Conditions)
		}
		fire()
		if err := os.WriteFile(w.options.AlertsCAFile, a.Authority(), 0o600); err != nil {
			t.Fatal(err)
		}
		us = w.until("the end of "+test.reason, func(us *updatev1alpha1.UpdateStatus) bool {
			return firing("KubeAPIDown")(us) && hasAlertsReason("")(us)
		})
		if alertIn(us).UID != first.UID {
			t.Errorf("the uid of the alert changed after %s", test.reason)
		}
	}
	w.stop()
	w.options = updatestatus.Options{}
	w.start()
	w.until("no alerts", func(us *updatev1alpha1.UpdateStatus) bool { return firing()(us) && hasAlertsReason("")(us) })
}

// TestLongAlerts checks that the pod of the Deployment reads alerts with its own token and the role of manifests/, also
// after the token and the certificate authority were rotated, and that the role is required.
func TestLongAlerts(t *testing.T) {
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
