package controlplane

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/runtime"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// extension is what of the extension of machine-config is read (openshift/machine-config-operator, pkg/operator/status.go,
// setOperatorStatusExtension): what its last attempt waited for, half an hour before it is degraded.
type extension struct {
	LastSyncError string `json:"lastSyncError"`
}

// syncError returns what the last attempt of machine-config waited for, empty if it does not say so.
func syncError(operator *configv1.ClusterOperator) string {
	var read extension
	if operator.Name != MachineConfigOperator || json.Unmarshal(operator.Status.Extension.Raw, &read) != nil {
		return ""
	}
	return read.LastSyncError
}

// syncReport returns what the last attempt of machine-config waited for, nil if it does not say so.
func syncReport(operator *configv1.ClusterOperator) *updatev1alpha1.ComponentReport {
	message := syncError(operator)
	if message == "" {
		return nil
	}
	return &updatev1alpha1.ComponentReport{Component: operator.Name, Message: insight.Shorten(message, updatev1alpha1.ReportedMaxLength)}
}

// trimExtension drops from the extension of an operator what is not read.
func trimExtension(operator *configv1.ClusterOperator) runtime.RawExtension {
	reported := syncError(operator)
	if reported == "" {
		return runtime.RawExtension{}
	}
	raw, err := json.Marshal(extension{LastSyncError: reported})
	if err != nil {
		return runtime.RawExtension{} // a text can always be written
	}
	return runtime.RawExtension{Raw: raw}
}
