package update_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

func TestIsUrgent(t *testing.T) {
	base := func() []insight.Message {
		return []insight.Message{
			controlPlaneReports(version("4.20.1", "4.20.2", at(0), nil), operatorReport("etcd")),
			nodesReport(poolReport("worker", "True"), nodeReport("a", "worker", "True", "Draining"), healthReport("a", "Warning", nil)),
		}
	}
	before := build(nil, noon, base()...)
	for _, test := range []struct {
		name     string
		messages []insight.Message
		change   func(*updatev1alpha1.UpdateStatusStatus)
		want     bool
	}{
		{name: "nothing"},
		{name: "another update", messages: []insight.Message{controlPlaneReports(version("4.20.2", "4.20.3", at(5), nil))}, want: true},
		{name: "the control plane is complete", messages: []insight.Message{controlPlaneReports(version("4.20.1", "4.20.2", at(0), at(5)))}, want: true},
		{name: "no ClusterVersion", messages: []insight.Message{{
			Source: insight.ControlPlaneInformer, Reports: []insight.Report{{Subject: version("4.20.1", "4.20.2", at(0), nil).Subject}},
		}}, want: true},
		{name: "another operator", messages: []insight.Message{controlPlaneReports(operatorReport("dns"))}},
		{name: "a pool is complete", messages: []insight.Message{nodesReport(poolReport("worker", "False"))}, want: true},
		{name: "another pool", messages: []insight.Message{nodesReport(poolReport("infra", "True"))}, want: true},
		{name: "a node's phase", messages: []insight.Message{nodesReport(nodeReport("a", "worker", "True", "Rebooting"))}},
		{name: "a health insight is raised", messages: []insight.Message{nodesReport(healthReport("a", "Error", nil))}, want: true},
		{name: "a severe health insight appears", messages: []insight.Message{nodesReport(healthReport("b", "Critical", nil))}, want: true},
		{name: "a harmless health insight appears", messages: []insight.Message{nodesReport(healthReport("b", "Warning", nil))}},
		{name: "a source is unable to read the cluster", messages: []insight.Message{{
			Source: insight.NodeInformer, State: &insight.State{Reason: "CannotListNodes", Message: "may not"},
		}}, want: true},
		{name: "a time", change: func(next *updatev1alpha1.UpdateStatusStatus) { next.Conditions[0].LastTransitionTime = *at(7) }},
		{name: "another reason of Updating", change: func(next *updatev1alpha1.UpdateStatusStatus) { next.ControlPlane.Conditions[0].Reason = "Other" }, want: true},
		{name: "another message of Updating", change: func(next *updatev1alpha1.UpdateStatusStatus) { next.ControlPlane.Conditions[0].Message = "other" }},
		{name: "without Available", change: func(next *updatev1alpha1.UpdateStatusStatus) {
			meta.RemoveStatusCondition(&next.Conditions, updatev1alpha1.ConditionAvailable)
		}, want: true},
	} {
		next := build(before, after(1), append(base(), test.messages...)...).DeepCopy()
		if test.change != nil {
			test.change(next)
		}
		if got := update.IsUrgent(update.Read(before), update.Read(next)); got != test.want {
			t.Errorf("%s: urgent is %t", test.name, got)
		}
		if got := update.IsUrgent(update.Read(next), update.Read(before)); got != test.want {
			t.Errorf("%s, back: urgent is %t", test.name, got)
		}
	}
	if !update.IsUrgent(update.Read(&updatev1alpha1.UpdateStatusStatus{}), update.Read(before)) {
		t.Error("the first status is not urgent")
	}
	severe := build(before, after(1), append(base(), nodesReport(healthReport("a", "Error", nil)))...)
	raised := build(before, after(1), append(base(), nodesReport(healthReport("a", "Critical", nil)))...)
	if update.IsUrgent(update.Read(severe), update.Read(raised)) {
		t.Error("an error that becomes critical is urgent again")
	}
}
