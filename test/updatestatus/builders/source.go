package builders

import "fmt"

// Source is a file whose code writes what is played, as docs/updatestatus/hosts.md names it: a repository and a path.
type Source string

// Text is a text that a host writes. Only a Source makes one: what no file is known for can't be played.
type Text struct{ text string }

// Says returns a text of the file.
func (Source) Says(format string, args ...any) Text {
	if len(args) == 0 {
		return Text{format}
	}
	return Text{fmt.Sprintf(format, args...)}
}

// String returns the text.
func (t Text) String() string { return t.text }

// The files that write what faults are played with.
const (
	CVOOperatorStatus Source = "openshift/cluster-version-operator: pkg/cvo/internal/operatorstatus.go"
	CVOSyncWorker     Source = "openshift/cluster-version-operator: pkg/cvo/sync_worker.go"
	CVOTask           Source = "openshift/cluster-version-operator: pkg/payload/task.go"
	CVOWorkloads      Source = "openshift/cluster-version-operator: lib/resourcebuilder/apps.go"
	MCOSync           Source = "openshift/machine-config-operator: pkg/operator/sync.go"
	MCOUpdate         Source = "openshift/machine-config-operator: pkg/daemon/update.go"
	NetworkPodStatus  Source = "openshift/cluster-network-operator: pkg/controller/statusmanager/pod_status.go"
	EtcdMembers       Source = "openshift/cluster-etcd-operator: pkg/operator/etcdmemberscontroller/etcdmemberscontroller.go"
	IngressStatus     Source = "openshift/cluster-ingress-operator: pkg/operator/controller/status/controller.go"
	ConsoleHealth     Source = "openshift/console-operator: pkg/console/controllers/healthcheck/controller.go"
	RegistryStatus    Source = "openshift/cluster-image-registry-operator: pkg/operator/conditions.go"
	StaticPodNodes    Source = "openshift/library-go: pkg/operator/staticpod/controller/node/node_controller.go"
	StaticResources   Source = "openshift/library-go: pkg/operator/staticresourcecontroller/static_resource_controller.go"
	StatusConditions  Source = "openshift/library-go: pkg/operator/status/condition.go"
	StaticPodState    Source = "openshift/library-go: pkg/operator/staticpod/controller/staticpodstate/staticpodstate_controller.go"
	Workload          Source = "openshift/library-go: pkg/operator/apiserver/controller/workload/workload.go"
	APIServices       Source = "openshift/library-go: pkg/operator/apiserver/controller/apiservice/apiservice_controller.go"
	Endpoints         Source = "openshift/cluster-authentication-operator: pkg/libs/endpointaccessible/endpoint_accessible_controller.go"

	HostedCluster      Source = "openshift/hypershift: hypershift-operator/controllers/hostedcluster/hostedcluster_controller.go"
	HostedControlPlane Source = "openshift/hypershift: control-plane-operator/controllers/hostedcontrolplane/hostedcontrolplane_controller.go"
	NodePool           Source = "openshift/hypershift: hypershift-operator/controllers/nodepool/conditions.go"
	TokenSecret        Source = "openshift/hypershift: ignition-server/controllers/tokensecret_controller.go"
	ComponentStatus    Source = "openshift/hypershift: support/controlplane-component/status.go"
	HealthCheck        Source = "kubernetes-sigs/cluster-api: internal/controllers/machinehealthcheck/machinehealthcheck_controller.go"
	MachinePhases      Source = "kubernetes-sigs/cluster-api: internal/controllers/machine/machine_controller_phases.go"
	MachineNode        Source = "kubernetes-sigs/cluster-api: internal/controllers/machine/machine_controller_noderef.go"
	KubeVirtMachine    Source = "kubernetes-sigs/cluster-api-provider-kubevirt: pkg/kubevirt/machine.go"
)
