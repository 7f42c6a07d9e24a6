package checks_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/checks"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/test/updatestatus/healthcases"
)

// TestHealthRows fails if something of a health check is missing in its row.
func TestHealthRows(t *testing.T) {
	names := map[string]bool{}
	for _, check := range checks.All() {
		if names[check.Name] {
			t.Errorf("%s: there are two rows", check.Name)
		}
		names[check.Name] = true
		for _, missing := range missingOf(check) {
			t.Errorf("%s: its row has no %s", check.Name, missing)
		}
		for _, steps := range [][]updatev1alpha1.Command{check.NextSteps, check.HostedNextSteps} {
			if len(steps) > updatev1alpha1.MaxCommands {
				t.Errorf("%s has more than three next steps", check.Name)
			}
			for _, step := range steps {
				if !slices.Contains([]string{"oc", "ssh"}, step.Argv[0]) || len(step.Argv) > updatev1alpha1.CommandMaxArguments {
					t.Errorf("%s: %v is no command of oc or ssh, or too long", check.Name, step.Argv)
				}
			}
		}
		if warning := check.Thresholds.Warning; warning > 0 && !strings.Contains(check.Appears, "more than "+healthcases.Minutes(warning)) {
			t.Errorf("%s appears after more than %s, and its row says %q", check.Name, healthcases.Minutes(warning), check.Appears)
		}
	}
}

// missingOf returns what a row must have and has not.
func missingOf(check assess.HealthCheck) []string {
	var missing []string
	for name, value := range map[string]any{
		"Name": check.Name, "Impact": check.Impact, "Causality": check.Causality, "Appears": check.Appears, "Response": check.Response, "Then": check.Then,
		"NextSteps": check.NextSteps, "Texts": check.Texts,
	} {
		if reflect.ValueOf(value).IsZero() {
			missing = append(missing, name)
		}
	}
	for which, text := range check.Texts {
		of := fmt.Sprintf("of case %q", which)
		if text.Description == "" {
			missing = append(missing, "Description "+of)
		}
		if isSentence := text.Sentence != ""; isSentence == (text.One != "" && text.Many != "" && check.Subject != assess.Noun{}) {
			missing = append(missing, "Sentence, or One, Many and Subject, "+of)
		}
	}
	return missing
}

// TestCausality compares the rows with the edges of pkg/updatestatus/causes.
func TestCausality(t *testing.T) {
	isCause, isEffect := map[string]string{}, map[string]string{}
	for _, edge := range slices.Concat(causes.Edges(), causes.HostedEdges()) {
		for _, check := range edge.Causes.Checks {
			isCause[check] = edge.Name
		}
		for _, check := range edge.Effects.Checks {
			isEffect[check] = edge.Name
		}
	}
	says := map[assess.Causality][2]bool{
		assess.NeitherCauseNorEffect: {false, false}, assess.Cause: {true, false}, assess.Effect: {false, true}, assess.CauseAndEffect: {true, true},
	}
	for _, check := range checks.All() {
		cause, effect := isCause[check.Name], isEffect[check.Name]
		if of := says[check.Causality]; of[0] != (cause != "") || of[1] != (effect != "") {
			t.Errorf("%s: its row says that it is a cause (%t) or an effect (%t); the edges of pkg/updatestatus/causes: a cause (%q), an effect (%q)",
				check.Name, of[0], of[1], cause, effect)
		}
		delete(isCause, check.Name)
		delete(isEffect, check.Name)
	}
	for _, unknown := range []map[string]string{isCause, isEffect} {
		for check, edge := range unknown {
			t.Errorf("edge %s: there is no health check %s", edge, check)
		}
	}
}
