package faults

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/wait"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/test/invariants"
)

const (
	// tenantMinute is after how long the controller reads again what is not trusted.
	tenantMinute = time.Minute + time.Second
	// tenantAhead is by how much the clock of the controller is ahead, so that the update started as long ago: what was renewed just before
	// it becomes outdated three minutes later.
	tenantAhead = 4 * time.Minute
	// tenantMinutes is how many of them pass during the attack.
	tenantMinutes = 2
	// tenantShown is how many informers of the tenant are shown at most.
	tenantShown = 20
)

// prepareAttack creates what the tenant attacks, and its informers.
func prepareAttack(ctx context.Context, w *World) error {
	if err := w.trustStorage(ctx); err != nil {
		return err
	}
	var err error
	if w.tenant, err = newTenant(ctx, w); err != nil {
		return err
	}
	return w.tenant.flood(ctx)
}

// attack lets the tenant delete and create its informers during the whole update, while minutes of the controller pass. Then everything
// else must be as without the tenant. Afterwards it leaves.
func attack(ctx context.Context, w *World) error {
	lasting := context.WithoutCancel(ctx)
	churning, stop := context.WithCancel(lasting)
	defer stop()
	attacking := new(errgroup.Group)
	attacking.Go(func() error { return w.tenant.churn(churning) })
	started := time.Now()
	err := w.passMinutes(lasting)
	<-ctx.Done()
	if err == nil {
		_, err = w.waitUntilRight(lasting, w.scenario.recoveryLimit())
	}
	minutes := tenantMinutes + int(time.Since(started)/time.Minute)
	stop()
	if err := errors.Join(err, attacking.Wait(), w.checkAttack(minutes)); err != nil {
		return fmt.Errorf("during the attack: %w", err)
	}
	if err := w.tenant.leave(lasting); err != nil {
		return err
	}
	w.tenant = nil
	return w.passMinute(lasting)
}

// passMinutes lets minutes of the controller pass after it has reported the tenant first. In each, the tenant changes what is shown of it:
// the oldest informers, which are created again first.
func (w *World) passMinutes(ctx context.Context) error {
	before := ""
	for minute := range tenantMinutes + 1 {
		if minute > 0 {
			created := w.tenant.created.Load()
			isCreated := func() bool { return w.tenant.created.Load() >= created+2*tenantShown }
			if err := w.waitFor(ctx, "the tenant to create informers", isCreated); err != nil {
				return err
			}
			if err := w.passMinute(ctx); err != nil {
				return err
			}
		}
		isChanged := func() bool { return contributionOfTenant(w.newest()) != before }
		if err := w.waitFor(ctx, "the informers of the tenant", isChanged); err != nil {
			return err
		}
		before = contributionOfTenant(w.newest())
	}
	return nil
}

// passMinute lets a minute pass for the controller, whose timers are those of the real clock: it assesses when the storage changes. What was
// changed before, it reads after that minute: its watch brings changes in their order, so that it has them with those of the storage.
func (w *World) passMinute(ctx context.Context) error {
	if err := errors.Join(w.rebuildStorage(ctx), w.waitForStorage(ctx)); err != nil {
		return err
	}
	w.ahead.Add(int64(tenantMinute))
	return w.rebuildStorage(ctx)
}

// waitFor waits until something has happened. What the object is to have waits for its pace.
func (w *World) waitFor(ctx context.Context, what string, isDone func() bool) error {
	err := wait.PollUntilContextTimeout(ctx, pollInterval, LargeRecoveryLimit, true, func(context.Context) (bool, error) {
		return isDone(), nil
	})
	if err != nil {
		return fmt.Errorf("waiting for %s: %w", what, err)
	}
	return nil
}

// waitForStorage waits until the object has the last report of the storage.
func (w *World) waitForStorage(ctx context.Context) error {
	reported := storageNamespace + "/" + storageName + ": " + w.trusted.Status.Insights[0].Summary
	return w.waitFor(ctx, "the informer of the storage", func() bool {
		return slices.ContainsFunc(invariants.Insights(&w.newest().Status), func(one *updatev1alpha1.Insight) bool {
			return one.Health != nil && one.Health.Impact.Summary == reported
		})
	})
}

// newest returns the version of the object that the observer received last.
func (w *World) newest() *updatev1alpha1.UpdateStatus {
	versions := w.observer.Versions()
	return versions[len(versions)-1]
}

// checkAttack returns what is wrong with any version of the object so far: with what is reported of the tenant, and how often that
// changed in some minutes of the controller.
func (w *World) checkAttack(minutes int) error {
	changes, before := 0, ""
	var problems []error
	for _, us := range w.observer.Versions() {
		if now := contributionOfTenant(us); now != before {
			changes, before = changes+1, now
		}
		problems = append(problems, problemsOfTenant(us)...)
	}
	// It is reported at first, and after each minute.
	if most := minutes + 1; changes > most {
		problems = append(problems, fmt.Errorf("the tenant changed the object %d times in %d minutes", changes, minutes))
	}
	return errors.Join(problems...)
}

// problemsOfTenant returns what is wrong with what a version of the object has of the tenant, and with what it is said to cause.
func problemsOfTenant(us *updatev1alpha1.UpdateStatus) (problems []error) {
	complain := func(isWrong bool, one *updatev1alpha1.Insight, what string) {
		if isWrong {
			problems = append(problems, fmt.Errorf("version %s: %s: %+v", us.ResourceVersion, what, one.Health))
		}
	}
	shown, uids := sets.New[string](), sets.New[string]()
	all := invariants.Insights(&us.Status)
	for _, one := range all {
		if !isOfTenant(one) {
			continue
		}
		impact, informer := one.Health.Impact, one.Health.Scope.Resources[0].Name
		shown.Insert(informer)
		uids.Insert(one.UID)
		complain(insight.LevelRank(impact.Level) > insight.LevelRank(updatev1alpha1.LevelWarning), one, "more than a Warning")
		complain(!strings.HasPrefix(impact.Summary, tenantName+"/"+informer+":"), one, "a summary without the name of the informer")
		complain(strings.ContainsFunc(impact.Summary, isInvisible) || strings.ContainsFunc(strings.ReplaceAll(impact.Description, "\n", ""), isInvisible), one, "control characters")
		complain(strings.Contains(one.Health.Remediation.Reference, "example.com"), one, "a link of the tenant")
	}
	for _, one := range all {
		complain(one.Health != nil && slices.ContainsFunc(one.Health.CausedBy, func(cause updatev1alpha1.HealthCause) bool { return uids.Has(cause.UID) }),
			one, "caused by the tenant")
	}
	if shown.Len() > tenantShown {
		problems = append(problems, fmt.Errorf("version %s: %d informers of the tenant", us.ResourceVersion, shown.Len()))
	}
	return problems
}

func isInvisible(r rune) bool {
	return r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf)
}

// isOfTenant returns whether an insight is one of the tenant's.
func isOfTenant(one *updatev1alpha1.Insight) bool {
	return one.Health != nil && one.Health.Scope.Resources[0].Resource == updateInformers.Resource && one.Health.Scope.Resources[0].Namespace == tenantName
}

// contributionOfTenant returns what a version of the object has of the tenant, empty if it has nothing.
func contributionOfTenant(us *updatev1alpha1.UpdateStatus) string {
	var all []any
	for _, one := range invariants.Insights(&us.Status) {
		if isOfTenant(one) {
			all = append(all, one)
		}
	}
	if len(all) == 0 {
		return ""
	}
	if condition := meta.FindStatusCondition(us.Status.Conditions, updatev1alpha1.ConditionInformersReporting); condition != nil {
		all = append(all, condition.Message)
	}
	content, err := json.Marshal(all)
	if err != nil {
		return err.Error()
	}
	return string(content)
}

// withoutTenant removes what the tenant adds to a status: its insights, the condition about them, and their number in messages.
func withoutTenant(status *updatev1alpha1.UpdateStatusStatus) {
	remove := func(of []updatev1alpha1.Informer) []updatev1alpha1.Informer {
		for at := range of {
			of[at].Insights = slices.DeleteFunc(of[at].Insights, func(one updatev1alpha1.Insight) bool { return isOfTenant(&one) })
		}
		return slices.DeleteFunc(of, func(one updatev1alpha1.Informer) bool {
			return one.Name == string(insight.UpdateInformers) && len(one.Insights) == 0
		})
	}
	withoutMessages := func(conditions []metav1.Condition) {
		for at := range conditions {
			conditions[at].Message = ""
		}
	}
	meta.RemoveStatusCondition(&status.Conditions, updatev1alpha1.ConditionInformersReporting)
	withoutMessages(status.Conditions)
	if status.ControlPlane != nil {
		status.ControlPlane.Informers = remove(status.ControlPlane.Informers)
		withoutMessages(status.ControlPlane.Conditions)
	}
	for at := range status.WorkerPools {
		status.WorkerPools[at].Informers = remove(status.WorkerPools[at].Informers)
		withoutMessages(status.WorkerPools[at].Conditions)
	}
}
