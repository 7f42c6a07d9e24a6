package updatestatus

import (
	"sync/atomic"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
)

// resource is a kind that is watched.
type resource struct {
	*kinds.Kind
	// namespace and name are those of the only objects that are watched, empty if all are.
	namespace, name string
	// metadataOnly is whether only metadata is watched.
	metadataOnly bool
	// isHosted is whether it is watched in a hosted cluster.
	isHosted bool
	// version is the one in which it was read last, of those of the kind.
	version atomic.Int32
}

func watched(kind *kinds.Kind) *resource {
	return &resource{Kind: kind, namespace: kind.Namespace, name: kind.Name, metadataOnly: kind.MetadataOnly}
}

// written returns a resource as that of the object that is written, whose content the primary controller has.
func written(r *resource) *resource {
	r.metadataOnly = true
	return r
}

// served returns the resource in the version in which it was read last.
func (r *resource) served() schema.GroupVersionResource {
	return r.Served().GroupResource().WithVersion(r.Versions()[r.version.Load()])
}

// list lists the resource, in another version if it is not served in the one in which it was read last.
func (r *resource) list(in func(schema.GroupVersionResource) error) (err error) {
	versions, last := r.Versions(), int(r.version.Load())
	for step := range versions {
		at := (last + step) % len(versions)
		if err = in(r.Served().GroupResource().WithVersion(versions[at])); !apierrors.IsNotFound(err) {
			r.version.Store(int32(at))
			return err
		}
	}
	return err
}

// selectName restricts a list or watch to the only object that is watched.
func (r *resource) selectName(options *metav1.ListOptions) {
	if r.name != "" {
		options.FieldSelector = fields.OneTermEqualSelector(metav1.ObjectNameField, r.name).String()
	}
}
