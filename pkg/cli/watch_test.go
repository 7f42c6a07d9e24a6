package cli

import (
	"errors"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/utils/ptr"
)

// TestServerWithoutWatchList checks that the error of an API server without WatchList is not reported, since the informer
// falls back to a list.
func TestServerWithoutWatchList(t *testing.T) {
	client := dynamicfake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(),
		map[schema.GroupVersionResource]string{updateStatuses: "UpdateStatusList"})
	client.PrependWatchReactor("*", func(clienttesting.Action) (bool, watch.Interface, error) {
		return true, nil, apierrors.NewInvalid(schema.GroupKind{Kind: "ListOptions"}, "", nil)
	})
	reports := 0
	listWatch := cluster{statuses: client.Resource(updateStatuses)}.listWatch(func(error) { reports++ })
	if _, err := listWatch.WatchFuncWithContext(t.Context(), metav1.ListOptions{SendInitialEvents: ptr.To(true)}); !apierrors.IsInvalid(err) || reports != 0 {
		t.Errorf("error %v, reported %d times", err, reports)
	}
	if _, err := listWatch.WatchFuncWithContext(t.Context(), metav1.ListOptions{}); !apierrors.IsInvalid(err) || reports != 1 {
		t.Errorf("any other watch: error %v, reported %d times", err, reports)
	}
}

// TestDeletedObjectStaysDeleted checks that a request that succeeds does not clear the warning about a deleted object.
func TestDeletedObjectStaysDeleted(t *testing.T) {
	streams, _, _, _ := genericiooptions.NewTestIOStreams()
	v := &view{Options: newOptions(nil, streams), observed: &observation{time: time.Unix(0, 0)}}
	for _, err := range []error{errDeleted, errors.New("connection refused")} {
		if err := v.setUnhealthy(err); err != nil {
			t.Fatal(err)
		}
	}
	if err := v.setHealthy(); err != nil || !errors.Is(v.watchErr, errDeleted) {
		t.Errorf("error %v, error of the watch %v", err, v.watchErr)
	}
}
