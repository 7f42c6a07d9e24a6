package hosted_test

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var (
	installed = time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
	start     = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
)

func ptr[T any](value T) *T {
	return &value
}

func ptrTime(at time.Time) *metav1.Time {
	return ptr(metav1.NewTime(at))
}
