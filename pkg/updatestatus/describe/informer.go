package describe

import (
	"encoding/json"
	"slices"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/informers"
)

// wordsOf returns the words of a command that name the object with the settings of UpdateInformers.
func wordsOf(us *updatev1alpha1.UpdateStatus) []string {
	if us.Namespace != "" {
		return []string{"hostedclusterupdatestatus", us.Name, "--namespace=" + us.Namespace}
	}
	return []string{"updatestatus", us.Name}
}

// contributorOf returns the UpdateInformer that contributed an insight, and whether one did.
func contributorOf(health *updatev1alpha1.HealthInsight) (updatev1alpha1.ResourceRef, bool) {
	if len(health.Scope.Resources) == 0 || health.Scope.Resources[0].Resource != informers.Resource {
		return updatev1alpha1.ResourceRef{}, false
	}
	return health.Scope.Resources[0].ResourceRef, true
}

// writeInformer writes how to trust or disable the UpdateInformer that contributed an insight, nothing for one of the controller.
func (p *page) writeInformer(health *updatev1alpha1.HealthInsight) {
	of, isContributed := contributorOf(health)
	if !isContributed || p.Object == nil {
		return
	}
	if informers.StateOf(p.Object.Spec, of.Namespace, of.Name) != "" {
		p.line("  This informer is trusted. To change that:")
		p.step("    ", step{slices.Concat([]string{"oc", "edit"}, wordsOf(p.Object)), true})
		return
	}
	p.line("  To trust, or to disable, this informer:")
	for _, state := range []updatev1alpha1.InformerState{updatev1alpha1.InformerTrusted, updatev1alpha1.InformerDisabled} {
		p.step("    ", step{commandWords(addSetting(p.Object, of, state)), true})
	}
}

// addSetting returns the command that adds a setting to an object. The API server defaults the list, so that there is always one to add to.
func addSetting(us *updatev1alpha1.UpdateStatus, of updatev1alpha1.ResourceRef, state updatev1alpha1.InformerState) updatev1alpha1.Command {
	patch, err := json.Marshal([]any{struct {
		Op    string                         `json:"op"`
		Path  string                         `json:"path"`
		Value updatev1alpha1.InformerSetting `json:"value"`
	}{"add", "/spec/informers/-", updatev1alpha1.InformerSetting{Namespace: of.Namespace, Name: of.Name, State: state}}})
	if err != nil {
		panic(err) //nolint:forbidigo // strings can always be encoded
	}
	return updatev1alpha1.Command{Argv: slices.Concat([]string{"oc", "patch"}, wordsOf(us), []string{"--type=json", "--patch=" + string(patch)})}
}
