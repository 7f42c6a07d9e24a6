package gitops

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// TestTable compares the table of the page with what the tools make of each update.
func TestTable(t *testing.T) {
	flux, argo := newFlux(t), newArgoCD(t)
	objects := stored(t)
	names := []string{}
	for _, one := range scenes() {
		names = append(names, one.name)
	}
	want := []string{"| the update | kstatus | Flux, for 4.20.2 | Argo CD |"}
	for _, name := range append(names, unknown) {
		one := objects[name]
		want = append(want, fmt.Sprintf("| %s | %s | %s | %s |", name, kstatus(t, one), flux(t, one), argo(t, one).status))
	}
	if diff := cmp.Diff(want, tableRows(t)); diff != "" {
		t.Errorf("(-tools +page):\n%s", diff)
	}
}

// TestOtherGeneration: a status that is not for the present generation of the object counts for nothing.
func TestOtherGeneration(t *testing.T) {
	one := stored(t)["complete"]
	one.SetGeneration(2)
	if got, flux := kstatus(t, one), newFlux(t)(t, one); got != "InProgress" || flux != "InProgress" {
		t.Errorf("kstatus %s, Flux %s", got, flux)
	}
}

// TestNew: an object that has no status yet, which its CRD gives the generation -1, is waited for.
func TestNew(t *testing.T) {
	one := object(t, &updatev1alpha1.UpdateStatusSummaryStatus{ObservedGeneration: -1})
	if got, flux, argo := kstatus(t, one), newFlux(t)(t, one), newArgoCD(t)(t, one); got != "InProgress" || flux != "InProgress" || argo.status != "Progressing" {
		t.Errorf("kstatus %s, Flux %s, Argo CD %+v", got, flux, argo)
	}
}

// TestOrderOfConditions: whichever condition comes first, the tools make the same of it.
func TestOrderOfConditions(t *testing.T) {
	flux, argo := newFlux(t), newArgoCD(t)
	for name, one := range stored(t) {
		other := one.DeepCopy()
		conditions, _, err := unstructured.NestedSlice(other.Object, "status", "conditions")
		if err != nil {
			t.Fatal(err)
		}
		for at, last := 0, len(conditions)-1; at < last; at, last = at+1, last-1 {
			conditions[at], conditions[last] = conditions[last], conditions[at]
		}
		if err := unstructured.SetNestedSlice(other.Object, conditions, "status", "conditions"); err != nil {
			t.Fatal(err)
		}
		if kstatus(t, one) != kstatus(t, other) || flux(t, one) != flux(t, other) || argo(t, one) != argo(t, other) {
			t.Errorf("%s: the order of the conditions matters", name)
		}
	}
}
