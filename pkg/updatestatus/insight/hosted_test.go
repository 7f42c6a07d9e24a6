package insight_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// TestHostedAndBack converts the object in which every field is set: nothing is lost.
func TestHostedAndBack(t *testing.T) {
	content, err := os.ReadFile("../../../test/updatestatus/integration/api/testdata/hostedclusterupdatestatus/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var full updatev1alpha1.HostedClusterUpdateStatus
	if err := yaml.UnmarshalStrict(content, &full); err != nil {
		t.Fatal(err)
	}
	status := insight.FromHosted(&full.Status)
	if diff := cmp.Diff(&full.Status, insight.ToHosted(status)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(status.WorkerPools) != 1 || status.ControlPlane.Resource != full.Status.ControlPlane.Resource {
		t.Errorf("%+v", status)
	}
	read := insight.ReadAll(status)
	if len(read.Operators) != 2 || len(read.Pools) != 2 || read.Version.Completion != 91 {
		t.Errorf("%d operators, %d pools, version %+v", len(read.Operators), len(read.Pools), read.Version)
	}
}

// TestHostedUnknown: of a controller that has reported nothing yet, both are empty.
func TestHostedUnknown(t *testing.T) {
	status := insight.FromHosted(&updatev1alpha1.HostedClusterUpdateStatusStatus{})
	for name, got := range map[string]any{"status": status, "hosted": insight.ToHosted(status)} {
		if encoded, err := json.Marshal(got); err != nil || string(encoded) != "{}" {
			t.Errorf("%s: %s, %v", name, encoded, err)
		}
	}
}

// TestWithNodePool: the insight that another pool is given to stays what it was, and keeps what only it has.
func TestWithNodePool(t *testing.T) {
	before := updatev1alpha1.Insight{NodePool: &updatev1alpha1.NodePoolInsight{
		MachineConfigPoolInsight: updatev1alpha1.MachineConfigPoolInsight{Name: "before"}, UpgradeType: updatev1alpha1.UpgradeInPlace,
	}}
	after := insight.WithPool(before, &updatev1alpha1.MachineConfigPoolInsight{Name: "after"})
	got := []string{before.NodePool.Name, insight.PoolOf(&after).Name, string(after.NodePool.UpgradeType)}
	if diff := cmp.Diff([]string{"before", "after", "InPlace"}, got); diff != "" || after.MachineConfigPool != nil {
		t.Error(diff)
	}
}

// TestKindsOf: of each topology, the kinds that an object of it can have, in their order.
func TestKindsOf(t *testing.T) {
	for topology, want := range map[insight.Topology][]updatev1alpha1.InsightType{
		insight.Standalone: {"ClusterVersion", "ClusterOperator", "MachineConfigPool", "Node", "Health"},
		insight.Hosted:     {"HostedCluster", "ControlPlaneComponent", "ClusterOperator", "NodePool", "Node", "Health"},
	} {
		var got []updatev1alpha1.InsightType
		for _, kind := range insight.KindsOf(topology) {
			got = append(got, kind.Type)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", topology, diff)
		}
	}
}
