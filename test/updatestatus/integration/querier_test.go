package integration_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/thanos"
)

// alerts is the Thanos querier of a world. It asks the API server whether a client may read alerts.
type alerts struct {
	*thanos.Querier

	w          *world
	authorizer *thanos.Authorizer
}

func startAlerts(w *world) *alerts {
	w.t.Helper()
	created := &alerts{w: w, authorizer: thanos.NewAuthorizer(w.kube)}
	var err error
	if created.Querier, err = thanos.StartQuerier(created.authorizer.Authorize); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(created.Stop)
	return created
}

// publish adds the certificate authority of the querier to the volumes of pods, until the end of the test.
func (a *alerts) publish() {
	a.w.t.Helper()
	if err := harness.PutServiceAuthority(a.w.ctx, a.w.plane, a.Authority()); err != nil {
		a.w.t.Fatal(err)
	}
	a.w.t.Cleanup(func() {
		if err := harness.PutServiceAuthority(context.WithoutCancel(a.w.ctx), a.w.plane, nil); err != nil {
			a.w.t.Error(err)
		}
	})
}

// options returns the options of a controller that polls the querier a thousand times as often as a real one.
func (a *alerts) options() updatestatus.Options {
	a.w.t.Helper()
	file := filepath.Join(a.w.t.TempDir(), "ca.crt")
	if err := os.WriteFile(file, a.Authority(), 0o600); err != nil {
		a.w.t.Fatal(err)
	}
	return updatestatus.Options{AlertsURL: a.URL(), AlertsCAFile: file, AlertsEvery: 30 * time.Millisecond}
}

// awaitRequests waits for a number of further requests.
func (a *alerts) awaitRequests(number int) {
	a.w.t.Helper()
	before, _ := a.Requests()
	a.w.await("requests for alerts", func() bool {
		count, _ := a.Requests()
		return count >= before+number
	})
}

func firing(names ...string) func(*updatev1alpha1.UpdateStatus) bool {
	return func(us *updatev1alpha1.UpdateStatus) bool { return slices.Equal(firingIn(us), names) }
}

// firingIn returns the names of the alerts in an UpdateStatus, in alphabetical order.
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

// hasAlertsReason returns whether AlertsComplete is False with a reason; for an empty reason, whether there is no such
// condition.
func hasAlertsReason(reason string) func(*updatev1alpha1.UpdateStatus) bool {
	return func(us *updatev1alpha1.UpdateStatus) bool {
		condition := meta.FindStatusCondition(us.Status.Conditions, updatev1alpha1.ConditionAlertsComplete)
		if condition == nil || reason == "" {
			return reason == "" && (condition == nil || condition.Status == metav1.ConditionTrue)
		}
		return condition.Status == metav1.ConditionFalse && condition.Reason == reason
	}
}
