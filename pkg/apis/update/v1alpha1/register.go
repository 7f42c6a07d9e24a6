package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupName is the API group of UpdateStatus.
const GroupName = "update.openshift.io"

var (
	// SchemeGroupVersion is the group and version of this package.
	SchemeGroupVersion = schema.GroupVersion{Group: GroupName, Version: "v1alpha1"}

	schemeBuilder = runtime.NewSchemeBuilder(addKnownTypes)

	// AddToScheme adds the types of this package to a scheme.
	AddToScheme = schemeBuilder.AddToScheme
)

// Resource returns the group-qualified form of a resource of this group. The generated listers use it.
func Resource(resource string) schema.GroupResource {
	return SchemeGroupVersion.WithResource(resource).GroupResource()
}

func addKnownTypes(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(SchemeGroupVersion,
		&UpdateStatus{}, &UpdateStatusList{},
		&UpdateStatusSummary{}, &UpdateStatusSummaryList{},
		&UpdateRecord{}, &UpdateRecordList{},
		&UpdateInformer{}, &UpdateInformerList{},
		&HostedClusterUpdateStatus{}, &HostedClusterUpdateStatusList{},
		&HostedClusterUpdateStatusSummary{}, &HostedClusterUpdateStatusSummaryList{},
		&HostedClusterUpdateRecord{}, &HostedClusterUpdateRecordList{},
	)
	metav1.AddToGroupVersion(scheme, SchemeGroupVersion)
	return nil
}
