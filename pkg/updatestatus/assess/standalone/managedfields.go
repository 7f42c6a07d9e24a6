package standalone

import (
	"encoding/json"
	"time"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// ownedFields are the fields of a ClusterVersion's spec that a manager has set (Kubernetes, metav1.ManagedFieldsEntry).
type ownedFields struct {
	Spec struct {
		DesiredUpdate json.RawMessage `json:"f:desiredUpdate"`
	} `json:"f:spec"`
}

// requestedBefore returns a time before which the update that a ClusterVersion asks for was requested, zero if that is not known: the last
// change of anything by those who have set it. Controllers observe the request itself and drop these fields; files have them.
func requestedBefore(version *configv1.ClusterVersion, now time.Time) time.Time {
	var latest time.Time
	for _, entry := range version.ManagedFields {
		if entry.Subresource != "" || entry.Time == nil || entry.FieldsV1 == nil || !insight.IsKnown(entry.Time.Time, now) {
			continue
		}
		var owned ownedFields
		// Fields of another form are none of this version.
		if err := json.Unmarshal(entry.FieldsV1.Raw, &owned); err == nil && owned.Spec.DesiredUpdate != nil && entry.Time.After(latest) {
			latest = entry.Time.Time
		}
	}
	return latest
}
