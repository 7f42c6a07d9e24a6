package insight_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

func TestIsKnown(t *testing.T) {
	for _, test := range []struct {
		name string
		at   time.Time
		want bool
	}{
		{name: "now", at: noon, want: true},
		{name: "the start of 1970", at: time.Unix(0, 0), want: true},
		{name: "before 1970", at: time.Unix(0, -1)},
		{name: "a day ahead", at: noon.Add(24 * time.Hour), want: true},
		{name: "more than a day ahead", at: noon.Add(24*time.Hour + 1)},
		{name: "zero", at: time.Time{}},
		{name: "the year 10000 in UTC", at: builders.HostileTimes(noon)[0]},
		{name: "the year -1 in UTC", at: builders.HostileTimes(noon)[1]},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := insight.IsKnown(test.at, noon); got != test.want {
				t.Errorf("known is %t", got)
			}
			if got := insight.KnownTime(test.at, noon); got.Equal(test.at) != (test.want || test.at.IsZero()) {
				t.Errorf("it is %s", got)
			}
		})
	}
}

// fill sets every field, to one element each, so that no time of the API is missed.
func fill(value reflect.Value) {
	switch value.Kind() {
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
		fill(value.Elem())
	case reflect.Slice:
		value.Set(reflect.MakeSlice(value.Type(), 1, 1))
		fill(value.Index(0))
	case reflect.Struct:
		for at := range value.NumField() {
			if value.Type().Field(at).IsExported() {
				fill(value.Field(at))
			}
		}
	default:
	}
}

// TestDropUnknownTimes sets each time of an insight of each type. Those that are known stay.
func TestDropUnknownTimes(t *testing.T) {
	for _, kind := range insight.Kinds() {
		for _, at := range append(builders.HostileTimes(noon), noon) {
			status := &updatev1alpha1.UpdateStatusStatus{}
			fill(reflect.ValueOf(status).Elem())
			for _, informers := range [][]updatev1alpha1.Informer{status.ControlPlane.Informers, status.WorkerPools[0].Informers} {
				one := &informers[0].Insights[0]
				for _, other := range insight.Kinds() {
					if other != kind {
						reflect.ValueOf(one).Elem().FieldByName(string(other.Type)).SetZero()
					}
				}
			}
			times := builders.Times(status)
			for _, time := range times {
				*time = at
			}
			insight.DropUnknownTimes(status, noon, metav1.NewTime(noon))
			left := builders.Times(status)
			for path, time := range left {
				if !time.Equal(noon) && !isEstimate(path, *time) {
					t.Errorf("%s of %s: %s", path, kind.Type, time)
				}
			}
			if at.Equal(noon) && len(left) != len(times) {
				t.Errorf("%d of %d times of %s are left", len(left), len(times), kind.Type)
			}
		}
	}
}

// isEstimate is whether a path is that of an estimate, and the time one that an estimate may have.
func isEstimate(path string, at time.Time) bool {
	isEstimate := strings.HasSuffix(path, ".EstimatedCompletedAt.Time") || strings.HasSuffix(path, ".EstimatedFinish.Time")
	return isEstimate && at.After(noon) && at.Before(noon.Add(insight.MaxEstimate))
}
