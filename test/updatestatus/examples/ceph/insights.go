package ceph

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateac "github.com/openshift/cluster-version-operator/pkg/generated/applyconfigurations/update/v1alpha1"
)

// Cluster is what is read of a CephCluster. Its fields are those of ClusterStatus, CephStatus and CephHealthMessage in
// rook/rook, pkg/apis/ceph.rook.io/v1/types.go.
type Cluster struct {
	metav1.ObjectMeta `json:"metadata"`

	Status struct {
		Ceph struct {
			Details     map[string]Message `json:"details"`
			LastChecked string             `json:"lastChecked"`
		} `json:"ceph"`
	} `json:"status"`
}

// Message is the message of a health check of Ceph.
type Message struct {
	Severity string `json:"severity"`
	Message  string `json:"message"`
}

// State is what the insights are made of.
type State struct {
	Cluster Cluster
	// Budgets are the PodDisruptionBudgets of the OSDs, and OSDs their pods.
	Budgets []policyv1.PodDisruptionBudget
	OSDs    []corev1.Pod
	Nodes   []corev1.Node
}

const (
	cephError = "HEALTH_ERR"
	// rookError is the severity with which Rook reports that it can't check Ceph.
	rookError = "Urgent"
	// pages has a section for each health check.
	pages = "https://docs.ceph.com/en/latest/rados/operations/health-checks/#"
	// maxNamed is the number of budgets that an insight names, besides the CephCluster.
	maxNamed = updatev1alpha1.InformerMaxResources - 1
)

// rebuilding are the health checks of data that is not as redundant, not where, or not available as it should be. Until they pass, Rook
// lets no node of another failure domain be drained. The message of the first one is in the summary.
var rebuilding = []string{"PG_DEGRADED", "OBJECT_MISPLACED", "PG_AVAILABILITY"}

// losing are the health checks of data that is damaged or lost.
var losing = []string{"OBJECT_UNFOUND", "PG_DAMAGED"}

// counts finds how many objects are rebuilt, of how many.
var counts = regexp.MustCompile(`(\d+)/(\d+) objects (?:degraded|misplaced)`)

// Insights returns the insights about a Ceph cluster, the worst first.
func Insights(in State) []*Insight {
	var insights []*Insight
	details := in.Cluster.Status.Ceph.Details
	for _, code := range slices.Sorted(maps.Keys(details)) {
		isError := details[code].Severity == cephError || details[code].Severity == rookError
		if isError && !slices.Contains(rebuilding, code) {
			insights = append(insights, errorInsight(in.Cluster, code))
		}
	}
	if slices.ContainsFunc(rebuilding, func(code string) bool { return details[code].Message != "" }) {
		insights = append(insights, rebuildingInsight(in))
	}
	return insights
}

func errorInsight(cluster Cluster, code string) *Insight {
	id, check := strings.ToLower(strings.ReplaceAll(code, "_", "-")), cluster.Status.Ceph.Details[code]
	insight := updateac.InformerInsight().WithName("ceph-" + id).WithReason("CephHealthError").
		WithLevel(updatev1alpha1.InformerError).WithResources(clusterRef(cluster))
	switch {
	case check.Severity == rookError:
		return insight.WithImpact(updatev1alpha1.ImpactUnknown).WithSummary(shorten("Rook is unable to check Ceph: "+check.Message, maxSummary))
	case slices.Contains(losing, code):
		insight.WithImpact(updatev1alpha1.ImpactDataLoss)
	default:
		insight.WithImpact(updatev1alpha1.ImpactApplicationAvailability)
	}
	return insight.WithSummary(shorten("Ceph reports an error: "+cmp.Or(check.Message, code), maxSummary)).WithReference(pages + id)
}

func rebuildingInsight(in State) *Insight {
	var messages []string
	for _, code := range rebuilding {
		if message := in.Cluster.Status.Ceph.Details[code].Message; message != "" {
			messages = append(messages, message)
		}
	}
	summary, level := "Ceph rebuilds: "+messages[0], updatev1alpha1.InformerInfo
	if found := counts.FindStringSubmatch(strings.Join(messages, "; ")); found != nil {
		summary = fmt.Sprintf("Ceph rebuilds %s of %s objects", found[1], found[2])
	}
	budgets, nodes := blocking(in)
	if len(nodes) > 0 {
		summary, level = summary+", which blocks the drain of "+strings.Join(nodes, ", "), updatev1alpha1.InformerWarning
	}
	insight := updateac.InformerInsight().WithName("storage-rebuilding").WithReason("StorageRebuilding").
		WithLevel(level).WithImpact(updatev1alpha1.ImpactUpdateSpeed).
		WithSummary(shorten(summary, maxSummary)).
		WithDescription(shorten("Ceph's health checks: "+strings.Join(messages, "; "), maxDescription))
	for _, budget := range budgets[:min(len(budgets), maxNamed)] {
		insight.WithResources(updateac.ResourceRef().WithGroup(policyv1.GroupName).WithResource("poddisruptionbudgets").
			WithNamespace(budget.Namespace).WithName(budget.Name))
	}
	return insight.WithResources(clusterRef(in.Cluster))
}

func clusterRef(cluster Cluster) *updateac.ResourceRefApplyConfiguration {
	return updateac.ResourceRef().WithGroup(clusters.Group).WithResource(clusters.Resource).WithNamespace(cluster.Namespace).WithName(cluster.Name)
}

// blocking returns the budgets that allow no disruption and select an OSD on a cordoned node, and the names of those nodes.
func blocking(in State) (budgets []policyv1.PodDisruptionBudget, nodes []string) {
	cordoned := map[string]bool{}
	for _, node := range in.Nodes {
		cordoned[node.Name] = node.Spec.Unschedulable
	}
	blocked := map[string]bool{}
	for _, budget := range in.Budgets {
		selector, err := metav1.LabelSelectorAsSelector(budget.Spec.Selector)
		if err != nil || budget.Status.DisruptionsAllowed > 0 {
			continue
		}
		isBlocking := false
		for _, pod := range in.OSDs {
			if cordoned[pod.Spec.NodeName] && selector.Matches(labels.Set(pod.Labels)) {
				isBlocking, blocked[pod.Spec.NodeName] = true, true
			}
		}
		if isBlocking {
			budgets = append(budgets, budget)
		}
	}
	return budgets, slices.Sorted(maps.Keys(blocked))
}
