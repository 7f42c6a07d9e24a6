package builders

import (
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"
	"sigs.k8s.io/randfill"
)

// Fill gives each field of an object a random value, so that a test of what is dropped from an object misses none.
func Fill(t *rapid.T, object any) {
	randfill.NewWithSeed(rapid.Int64().Draw(t, "seed")).NilChance(0).NumElements(1, 2).MaxDepth(20).Funcs(
		func(quantity *resource.Quantity, from randfill.Continue) {
			*quantity = *resource.NewQuantity(from.Int63n(1000), resource.DecimalSI)
		},
		func(moment *metav1.Time, from randfill.Continue) {
			*moment = metav1.NewTime(Noon.Add(-time.Duration(from.Int63n(int64(24 * time.Hour)))).Truncate(time.Second))
		},
		func(managed *metav1.FieldsV1, _ randfill.Continue) { managed.Raw = []byte(`{"f:status":{}}`) },
		func(extension *runtime.RawExtension, _ randfill.Continue) { extension.Raw = []byte(`{}`) },
		func(value *intstr.IntOrString, from randfill.Continue) { *value = intstr.FromInt32(from.Int31n(10)) },
	).Fill(object)
}
