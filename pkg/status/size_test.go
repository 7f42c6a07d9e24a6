package status

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// texts are such as JSON writes longer than they are, and long ones.
var texts = rapid.OneOf(
	rapid.StringN(0, 40, -1),
	rapid.SampledFrom([]string{"", "<&>\"\\", "\u2028\u2029", "\x00\x1f\x7f\n\t", "bad \xff\xfe", "…日本語"}),
	rapid.Custom(func(t *rapid.T) string {
		return strings.Repeat(rapid.SampledFrom([]string{"a", "<", "日", "\n", "\u2028", "\"b"}).Draw(t, "character"), rapid.IntRange(100, 3000).Draw(t, "times"))
	}),
)

// fill sets every field there is: a field that is added to a type is counted, or this test fails.
func fill(t *rapid.T, value reflect.Value) {
	switch value.Interface().(type) {
	case metav1.Time:
		value.Set(reflect.ValueOf(metav1.NewTime(time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "time"), 0))))
		return
	case metav1.Duration:
		value.Set(reflect.ValueOf(metav1.Duration{Duration: time.Duration(rapid.Int64().Draw(t, "duration"))}))
		return
	}
	switch value.Kind() {
	case reflect.String:
		value.SetString(texts.Draw(t, "text"))
	case reflect.Bool:
		value.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Int32, reflect.Int64:
		value.SetInt(int64(rapid.Int32().Draw(t, "number")))
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
		fill(t, value.Elem())
	case reflect.Slice:
		value.Set(reflect.MakeSlice(value.Type(), rapid.IntRange(1, 3).Draw(t, "items"), 3))
		for at := range value.Len() {
			fill(t, value.Index(at))
		}
	case reflect.Struct:
		for at := range value.NumField() {
			fill(t, value.Field(at))
		}
	default:
		t.Fatalf("a %s can't be filled", value.Type())
	}
}

func encoded(t interface{ Fatal(args ...any) }, value any) int {
	content, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return len(content)
}

// TestSizeIsNeverTooSmall: whatever an insight holds, and whichever of its fields are set, it takes no more than is
// counted, and not with its texts cut either.
func TestSizeIsNeverTooSmall(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var one updatev1alpha1.Insight
		// A member of each insight at a time, so that what is missing of one does not hide in what is too much of others.
		members := reflect.TypeFor[updatev1alpha1.Insight]()
		only := rapid.IntRange(0, members.NumField()-1).Draw(t, "member")
		for at := range members.NumField() {
			if members.Field(at).Type.Kind() != reflect.Pointer || at == only {
				fill(t, reflect.ValueOf(&one).Elem().Field(at))
			}
		}
		counted := sizeOf(&one)
		for limit := range textLimits {
			short := shortened(&one, textLimits[limit])
			if taken := encoded(t, short); taken > counted.at(limit) {
				t.Errorf("%d bytes are counted as %d, with texts of %d", taken, counted.at(limit), textLimits[limit])
			}
			for _, text := range textsOf(&short) {
				if limit > 0 && encoded(t, *text) > textLimits[limit] {
					t.Errorf("a text of %d bytes, cut to %d", encoded(t, *text), textLimits[limit])
				}
			}
		}
	})
}

// TestSizeIsNotMuchTooLarge: what is counted too much is left out for nothing.
func TestSizeIsNotMuchTooLarge(t *testing.T) {
	now := metav1.NewTime(time.Unix(1e9, 0))
	conditions := func(kinds ...string) []metav1.Condition {
		var all []metav1.Condition
		for _, kind := range kinds {
			all = append(all, metav1.Condition{Type: kind, Status: "False", Reason: "Pending", LastTransitionTime: now})
		}
		return all
	}
	ref := updatev1alpha1.ResourceRef{Group: "machineconfiguration.openshift.io", Resource: "machineconfigpools", Name: "worker"}
	for _, one := range []updatev1alpha1.Insight{
		{UID: "node-a", AcquiredAt: now, Type: "Node", Node: &updatev1alpha1.NodeInsight{
			Name: "ip-10-0-1-2.ec2.internal", Resource: ref, PoolResource: ref, Version: "4.20.1", Conditions: conditions("Updating", "Available", "Degraded"),
		}},
		{UID: "health-a", AcquiredAt: now, Type: "Health", Health: &updatev1alpha1.HealthInsight{
			Scope:  updatev1alpha1.HealthScope{Type: "WorkerPool", Resources: []updatev1alpha1.ResourceRef{ref}},
			Impact: updatev1alpha1.HealthImpact{Level: "Warning", Type: "Update Speed", Summary: "Node a is not ready", Description: "It is not."},
		}},
	} {
		counted := sizeOf(&one)
		if taken := encoded(t, one); counted.at(0) > taken+taken/20 {
			t.Errorf("%s: %d bytes are counted as %d", one.Type, taken, counted.at(0))
		}
	}
}
