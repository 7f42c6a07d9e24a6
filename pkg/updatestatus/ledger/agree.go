package ledger

import "github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"

// SourcesAgree is whether all sources report about the same update. Sources that are not complete, or that report about no update, do
// not count.
func (v View) SourcesAgree() bool {
	target := ""
	for _, source := range insight.Watching() {
		state := v[source].State
		if state == nil || !state.Complete || state.Target == "" {
			continue
		}
		if target != "" && state.Target != target {
			return false
		}
		target = state.Target
	}
	return true
}
