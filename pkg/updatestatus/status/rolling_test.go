package status_test

import (
	"encoding/json"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
)

// rolling is a pool whose nodes are updated, and the status that is made of it.
type rolling struct {
	t       interface{ Fatal(args ...any) }
	now     time.Time
	ledger  *ledger.Ledger
	builder *status.Builder
	built   *updatev1alpha1.UpdateStatusStatus
}

// phasesOfNodes are those that a node goes through.
var phasesOfNodes = []string{
	updatev1alpha1.ReasonPending, updatev1alpha1.ReasonDraining, updatev1alpha1.ReasonUpdating, updatev1alpha1.ReasonRebooting,
	updatev1alpha1.ReasonCompleted,
}

func newRolling(t interface{ Fatal(args ...any) }, nodes, atOnce int) *rolling {
	r := &rolling{t: t, now: noon, ledger: ledger.New(), builder: status.NewBuilder()}
	pool := poolReport("worker", metav1.ConditionTrue)
	pool.Insights[0].Insight.MachineConfigPool.MaxUnavailable = int32(atOnce)
	r.ledger.Apply(controlPlaneReports(versionReport(at(60))))
	r.ledger.Apply(nodesReport(pool))
	for node := range nodes {
		r.node(node, 0)
	}
	r.build()
	return r
}

// node says in which phase a node is.
func (r *rolling) node(node, phase int) {
	r.running(node, phase, "")
}

// running says in which phase a node is that runs a version.
func (r *rolling) running(node, phase int, version string) {
	updating := metav1.ConditionFalse
	if phase > 0 && phase < len(phasesOfNodes)-1 {
		updating = metav1.ConditionTrue
	}
	report := nodeReport(fmt.Sprint("worker-", node), "worker", updating, phasesOfNodes[phase])
	said := report.Insights[0].Insight.Node
	said.Version = version
	said.Pool = "worker"
	if updating == metav1.ConditionTrue {
		said.EstimatedSeconds = insight.Seconds(10 * time.Minute)
	}
	r.ledger.Apply(insight.Message{Source: insight.NodeInformer, Reports: []insight.Report{report}})
}

func (r *rolling) build() {
	r.built = r.builder.Build(r.ledger.View(), r.now)
}

func (r *rolling) pass(minutes float64) *rolling {
	r.now = r.now.Add(time.Duration(minutes*60) * time.Second)
	return r
}

// restart forgets everything but the object as it is stored.
func (r *rolling) restart() {
	var stored updatev1alpha1.UpdateStatusStatus
	if err := json.Unmarshal(r.bytes(), &stored); err != nil {
		r.t.Fatal(err)
	}
	r.built, r.builder = &stored, status.NewBuilder()
	r.builder.Stored(&stored)
}

func (r *rolling) bytes() []byte {
	content, err := json.Marshal(r.built)
	if err != nil {
		r.t.Fatal(err)
	}
	return content
}

func (r *rolling) pool() *updatev1alpha1.MachineConfigPoolInsight {
	return r.insight("mcp-worker").MachineConfigPool
}

func (r *rolling) insight(uid string) updatev1alpha1.Insight {
	for _, one := range r.built.WorkerPools[0].Informers[0].Insights {
		if one.UID == uid {
			return one
		}
	}
	r.t.Fatal("there is no " + uid)
	return updatev1alpha1.Insight{}
}
