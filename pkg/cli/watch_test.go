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

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// TestServerWithoutWatchList: that an API server does not know a list in a watch is no trouble, since a list follows.
func TestServerWithoutWatchList(t *testing.T) {
	resource := updatev1alpha1.SchemeGroupVersion.WithResource(updateStatuses)
	client := dynamicfake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(),
		map[schema.GroupVersionResource]string{resource: "UpdateStatusList"})
	client.PrependWatchReactor("*", func(clienttesting.Action) (bool, watch.Interface, error) {
		return true, nil, apierrors.NewInvalid(schema.GroupKind{Kind: "ListOptions"}, "", nil)
	})
	told := 0
	watched := cluster{updateStatuses: client.Resource(resource)}.listWatch(func(error) { told++ })
	if _, err := watched.WatchFuncWithContext(t.Context(), metav1.ListOptions{SendInitialEvents: ptr.To(true)}); !apierrors.IsInvalid(err) || told != 0 {
		t.Errorf("error %v, told %d times", err, told)
	}
	if _, err := watched.WatchFuncWithContext(t.Context(), metav1.ListOptions{}); !apierrors.IsInvalid(err) || told != 1 {
		t.Errorf("any other watch: error %v, told %d times", err, told)
	}
}

// TestWhatIsGoneStaysGone: an API server that answers again has not brought the object back.
func TestWhatIsGoneStaysGone(t *testing.T) {
	streams, _, _, _ := genericiooptions.NewTestIOStreams()
	shown := &view{Options: newOptions(streams), shown: &found{moment: time.Unix(0, 0)}}
	for _, err := range []error{errGone, errors.New("connection refused")} {
		if err := shown.fail(err); err != nil {
			t.Fatal(err)
		}
	}
	if err := shown.recover(); err != nil || !errors.Is(shown.trouble, errGone) {
		t.Errorf("error %v, trouble %v", err, shown.trouble)
	}
}
