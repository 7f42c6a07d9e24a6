package standalone

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

// How many objects a prediction names: with the pool as many as a health scope may have.
const (
	namedAheadBudgets = 6
	namedAheadNodes   = 9
)

// aheadChecks are those of what is predicted about a pool.
var aheadChecks = []assess.Check[*drain.Prediction]{
	{Find: poolWillNotDrain, HealthCheck: assess.HealthCheck{
		Name: "pool-will-not-drain", Then: assess.ThenDrain,
		Texts: assess.Texts{assess.NoCase: {
			Sentence: "{some} of {nodes} in pool '{name}' that wait will not drain: {why}",
			Description: "Each of these nodes has a pod that can't be evicted, by the setting of its PodDisruptionBudget and the replicas of its workload, " +
				"even if all of its pods are healthy: the update will wait for it. Run more replicas of the workload, or change the PodDisruptionBudget " +
				"to allow one disruption, at least during the update. The nodes are {named}, because of {budgets}.",
		}},
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.CauseAndEffect, StartsWhenObserved: true,
		Appears: "nodes of a pool that wait for their update have pods that can never be evicted: their PodDisruptionBudget never " +
			"allows a disruption, because of its spec and the replicas of the workload ([more](#predicted-blocked-drains))",
		Response:  "Run more replicas of the workload, or change the PodDisruptionBudget, before the drain starts.",
		NextSteps: assess.ReadOnly("oc describe poddisruptionbudget -n NAMESPACE BUDGET", "oc get pods -A -o wide --field-selector spec.nodeName=NODE"),
	}},
}

// DrainsAheadInput is what drains that are ahead are assessed from.
type DrainsAheadInput struct {
	Predictions []drain.Prediction
	// Update is the update of the cluster, including its workers. Nothing is predicted while none is in progress.
	Update ledger.Update
}

// DrainsAhead returns a report for each pool with nodes that will not drain.
func DrainsAhead(in DrainsAheadInput) []insight.Report {
	if !in.Update.Unfinished {
		return nil
	}
	var reports []insight.Report
	for at := range in.Predictions {
		pool := in.Predictions[at].Pool
		health, _ := assess.CheckHealth(aheadChecks, &in.Predictions[at], assess.Subject{Resource: poolRef(pool), Part: PartOf(pool)}, time.Time{})
		reports = append(reports, insight.Report{Subject: insight.Subject{Kind: "DrainAhead", Name: pool}, Insights: health})
	}
	return reports
}

// poolWillNotDrain is reported before the drains begin, in time to fix it.
func poolWillNotDrain(ahead *drain.Prediction) *assess.Finding {
	var budgets []string
	var blockers, nodes []updatev1alpha1.ResourceRef
	for at, budget := range ahead.Budgets {
		budgets = append(budgets, "PodDisruptionBudget "+budget.Namespace+"/"+budget.Name)
		if at < namedAheadBudgets {
			blockers = append(blockers, insight.Budget(budget.Namespace, budget.Name))
		}
	}
	for _, node := range ahead.Nodes[:min(len(ahead.Nodes), namedAheadNodes)] {
		nodes = append(nodes, assess.NodeRef(node))
	}
	why := budgets[0] + " never allows a disruption"
	if more := len(budgets) - 1; more > 0 {
		why = fmt.Sprintf("%s and %s never allow a disruption", budgets[0], insight.Count(more, "more PodDisruptionBudget"))
	}
	return &assess.Finding{
		Words: assess.Words{
			"some": strconv.Itoa(len(ahead.Nodes)), "nodes": insight.Count(ahead.Waiting, "node"), "why": why,
			"named": strings.Join(ahead.Nodes, ", "), "budgets": strings.Join(budgets, ", "),
		},
		Reference: reference.Budgets,
		Blockers:  blockers,
		Affected:  nodes,
	}
}
