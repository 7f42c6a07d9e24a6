package faults

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/utils/ptr"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
)

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
	all := slices.DeleteFunc(invariants.Insights(&us.Status), func(one *updatev1alpha1.Insight) bool { return !isOfTenant(one) })
	if len(all) == 0 {
		return ""
	}
	condition := meta.FindStatusCondition(us.Status.Conditions, updatev1alpha1.ConditionInformersReporting)
	content, err := json.Marshal([]any{all, ptr.Deref(condition, metav1.Condition{}).Message})
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
