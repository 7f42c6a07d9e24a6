package describe

import (
	"encoding/json"
	"slices"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess/informers"
)

// informerSettings are the settings of UpdateInformers, and the object that has them.
type informerSettings struct {
	// object are the words of a command that name it.
	object []string
	spec   updatev1alpha1.UpdateStatusSpec
}

func informerSettingsOf(us *updatev1alpha1.UpdateStatus) informerSettings {
	object := []string{"updatestatus", us.Name}
	if us.Namespace != "" {
		object = []string{"hostedclusterupdatestatus", us.Name, "--namespace=" + us.Namespace}
	}
	return informerSettings{object, us.Spec}
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
	if !isContributed {
		return
	}
	if informers.StateOf(p.settings.spec, of.Namespace, of.Name) != "" {
		p.line("  This informer is trusted. To change that:")
		p.step("    ", step{slices.Concat([]string{"oc", "edit"}, p.settings.object), true})
		return
	}
	p.line("  To trust, or to disable, this informer:")
	for _, state := range []updatev1alpha1.InformerState{updatev1alpha1.InformerTrusted, updatev1alpha1.InformerDisabled} {
		p.step("    ", step{commandWords(p.settings.add(of, state)), true})
	}
}

// add returns the command that adds a setting. The API server defaults the list, so that there is always one to add to.
func (s informerSettings) add(of updatev1alpha1.ResourceRef, state updatev1alpha1.InformerState) updatev1alpha1.Command {
	patch, err := json.Marshal([]any{struct {
		Op    string                         `json:"op"`
		Path  string                         `json:"path"`
		Value updatev1alpha1.InformerSetting `json:"value"`
	}{"add", "/spec/informers/-", updatev1alpha1.InformerSetting{Namespace: of.Namespace, Name: of.Name, State: state}}})
	if err != nil {
		panic(err) //nolint:forbidigo // strings can always be encoded
	}
	return updatev1alpha1.Command{Argv: slices.Concat([]string{"oc", "patch"}, s.object, []string{"--type=json", "--patch=" + string(patch)})}
}
