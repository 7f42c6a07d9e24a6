package snapshot

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"k8s.io/apimachinery/pkg/util/sets"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
)

// identity identifies an object.
type identity struct {
	kind            *kinds.Kind
	namespace, name string
}

func (i identity) compare(other identity) int {
	return cmp.Or(
		cmp.Compare(i.kind.Kind, other.kind.Kind),
		cmp.Compare(i.kind.Group, other.kind.Group),
		cmp.Compare(i.namespace, other.namespace),
		cmp.Compare(i.name, other.name),
	)
}

// located is an object and its place in the files.
type located struct {
	kinds.Object
	file string
	line int
	// fields are all of the object, if its kind has some that this version does not know.
	fields map[string]any
}

var errSeveralClusters = errors.New("the files are of several clusters")

// add adds an object. A must-gather of several images has some objects twice: the newest counts, or the first if their
// resource versions can't be compared.
func (c *collector) add(id identity, object located) {
	other, exists := c.objects[id]
	if !exists {
		c.objects[id] = object
		if id.kind == kinds.MachineConfigPools {
			c.poolOrder = append(c.poolOrder, id.name)
		}
		return
	}
	if id.kind == kinds.ClusterVersions && object.GetUID() != "" && other.GetUID() != "" && object.GetUID() != other.GetUID() {
		c.problem(object.file, object.line, fmt.Errorf("%w: %s has another ClusterVersion", errSeveralClusters, other.file))
		return
	}
	order, err := resourceversion.CompareResourceVersion(object.GetResourceVersion(), other.GetResourceVersion())
	switch {
	case err == nil && order > 0:
		c.objects[id] = object
	case err == nil && order < 0, hasSameContent(object, other):
		return
	case isSameVersion(object, other):
		c.problem(object.file, object.line, fmt.Errorf("skipped %s %s: %s also has it, with the same resourceVersion and other content",
			id.kind.Kind, id.name, other.file))
	default:
		c.problem(object.file, object.line, fmt.Errorf("skipped %s %s: %s also has it, and it is not known which is newer",
			id.kind.Kind, id.name, other.file))
	}
}

// isSameVersion returns whether two objects are the same one as it was at the same time.
func isSameVersion(a, b kinds.Object) bool {
	return a.GetUID() != "" && a.GetUID() == b.GetUID() &&
		a.GetResourceVersion() != "" && a.GetResourceVersion() == b.GetResourceVersion()
}

// hasSameContent returns whether two objects of a kind differ in no more than the apiVersion and kind, which the elements of lists lack.
func hasSameContent(a, b located) bool {
	return equality.Semantic.DeepEqual(withoutType(a), withoutType(b))
}

// withoutType returns a copy of an object without its apiVersion and kind, and without fields that this version does not know.
func withoutType(object located) runtime.Object {
	known := object.DeepCopyObject()
	known.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	return known
}

// snapshot returns the objects, or an error if they are of several clusters.
func (c *collector) snapshot() (*Snapshot, error) {
	for _, problem := range c.problems {
		if errors.Is(problem.Err, errSeveralClusters) {
			return nil, fmt.Errorf("%s: %w", problem.File, problem.Err)
		}
	}
	objects, wholes, file := Objects{}, []Whole(nil), ""
	for _, id := range slices.SortedFunc(maps.Keys(c.objects), identity.compare) {
		found := c.objects[id]
		objects[id.kind] = append(objects[id.kind], found.Object)
		if id.kind.UnknownFields {
			wholes = append(wholes, Whole{found.Object, &unstructured.Unstructured{Object: found.fields}})
		}
		if id.kind == kinds.UpdateStatuses {
			file = found.file
		}
	}
	s := New(objects)
	s.Wholes, s.UpdateStatusFile, s.Problems = wholes, file, c.problems
	s.Alerts, s.Gathered, s.LeaseReadAt = c.alerts, c.gathered, c.gatheredFrom
	c.sortPools(s.MachineConfigPools)
	return s, nil
}

// sortPools orders pools as the file that lists all of them. Several files, as those of a must-gather, have no order.
func (c *collector) sortPools(pools []*machineconfigv1.MachineConfigPool) {
	files := sets.New[string]()
	for _, pool := range pools {
		files.Insert(c.objects[identity{kind: kinds.MachineConfigPools, name: pool.Name}].file)
	}
	if len(files) > 1 {
		return
	}
	slices.SortFunc(pools, func(a, b *machineconfigv1.MachineConfigPool) int {
		return cmp.Compare(slices.Index(c.poolOrder, a.Name), slices.Index(c.poolOrder, b.Name))
	})
}
