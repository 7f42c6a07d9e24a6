package assess_test

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func ptr[T any](value T) *T {
	return &value
}

func ptrTime(at time.Time) *metav1.Time {
	return ptr(metav1.NewTime(at))
}
