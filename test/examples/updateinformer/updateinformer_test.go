package updateinformer_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateac "github.com/openshift/cluster-version-operator/pkg/generated/applyconfigurations/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned/fake"
	"github.com/openshift/cluster-version-operator/test/examples/updateinformer"
)

func TestSummary(t *testing.T) {
	long := strings.Repeat("ä", 256)
	for text, want := range map[string]string{
		"": "", "one": "one", "\ttwo\n  lines\r": "two lines", long: long, long + "x": long[:2*255] + "…",
	} {
		if got := updateinformer.Summary(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestRenew checks that no more insights are applied than an UpdateInformer can have, and nothing if the insights can't be read.
func TestRenew(t *testing.T) {
	now := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	many := make([]*updateinformer.Insight, updatev1alpha1.InformerMaxInsights+1)
	for at := range many {
		many[at] = updateac.InformerInsight().WithName("n" + strings.Repeat("x", at))
	}
	unread := errors.New("forbidden")
	for name, test := range map[string]struct {
		insights []*updateinformer.Insight
		err      error
		applied  int
	}{
		"nothing to report": {},
		"many":              {insights: many, applied: updatev1alpha1.InformerMaxInsights},
		"unread":            {err: unread},
	} {
		t.Run(name, func(t *testing.T) {
			client := fake.NewClientset()
			var patches []string
			client.PrependReactor("patch", "updateinformers", func(action clienttesting.Action) (bool, runtime.Object, error) {
				patch := action.(clienttesting.PatchAction)
				patches = append(patches, strings.TrimSpace(patch.GetSubresource()+" "+string(patch.GetPatch())))
				return true, &updatev1alpha1.UpdateInformer{}, nil
			})
			informer := updateinformer.Informer{
				Namespace: "acme-storage", Name: "array", Client: client,
				Read: func(context.Context, time.Time) ([]*updateinformer.Insight, error) { return test.insights, test.err },
			}
			if err := informer.Renew(t.Context(), now); !errors.Is(err, test.err) {
				t.Fatalf("error %v, want %v", err, test.err)
			}
			if test.err != nil {
				if len(patches) > 0 {
					t.Errorf("applied %s", patches)
				}
				return
			}
			const object = `{"kind":"UpdateInformer","apiVersion":"update.openshift.io/v1alpha1","metadata":{"name":"array","namespace":"acme-storage"}`
			if len(patches) != 2 || patches[0] != object+"}" || !strings.HasPrefix(patches[1], "status "+object+`,"status":{"renewedAt":"2026-03-02T14:00:00Z"`) ||
				strings.Count(patches[1], `{"name":"n`) != test.applied {
				t.Errorf("applied %s", patches)
			}
		})
	}
}
