package updatestatus

import (
	"fmt"
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
)

// TestCodecs: a list of each kind is decoded into objects of its type, in each of its versions.
func TestCodecs(t *testing.T) {
	for kind := range kinds.All() {
		if kind.New == nil || kind.MetadataOnly {
			continue
		}
		for _, version := range kind.Versions() {
			text := fmt.Sprintf(`{"apiVersion": %q, "kind": "%sList", "items": [{"metadata": {"name": "a"}}]}`,
				schema.GroupVersion{Group: kind.Group, Version: version}, kind.Kind)
			list, _, err := codecs.UniversalDeserializer().Decode([]byte(text), nil, nil)
			if err != nil {
				t.Errorf("%s of %s: %v", kind.Plural, version, err)
				continue
			}
			items, err := meta.ExtractList(list.DeepCopyObject())
			if err != nil || len(items) != 1 || reflect.TypeOf(items[0]) != reflect.TypeOf(kind.New()) {
				t.Errorf("%s of %s: %v, error %v", kind.Plural, version, items, err)
			}
		}
	}
}

// TestUnlimited: no rate limit of the client delays a write. Zero would be client-go's five requests a second.
func TestUnlimited(t *testing.T) {
	given := &rest.Config{QPS: 5, Burst: 10}
	if got := unlimited(given); got.QPS >= 0 || got.RateLimiter != nil || got.UserAgent == "" {
		t.Errorf("got %+v", got)
	}
	if given.QPS != 5 {
		t.Error("the configuration that was given has changed")
	}
}
