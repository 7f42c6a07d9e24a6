package source

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/nodestate"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// TestKeptFields changes each field that the caches keep, one at a time.
func TestKeptFields(t *testing.T) {
	moment := metav1.NewTime(builders.Noon)
	node := worker("a", builders.Unschedulable(), builders.CordonedSince(start))
	for _, key := range nodestate.Reads().Annotations {
		node.Annotations[key] = "value"
	}
	node.Status.Conditions = nil
	for _, kind := range nodestate.Reads().Conditions {
		node.Status.Conditions = append(node.Status.Conditions, corev1.NodeCondition{
			Type: corev1.NodeConditionType(kind), Status: corev1.ConditionTrue, Reason: "Reason", Message: "Message", LastTransitionTime: moment, LastHeartbeatTime: moment,
		})
	}
	pool := builders.MachineConfigPool("worker", builders.Configuration("new"), builders.Paused(), builders.MaxUnavailable(2),
		builders.PoolCondition(machineconfigv1.MachineConfigPoolUpdating, corev1.ConditionTrue, "Pool is waiting"))
	t.Run("Node", func(t *testing.T) { changeEachField(t, cached(node)) })
	t.Run("MachineConfigPool", func(t *testing.T) { changeEachField(t, cached(pool)) })
	machineConfigNode := builders.MachineConfigNode("a", "new", builders.Drained(metav1.ConditionUnknown, builders.Noon, "Error: evicting"),
		builders.Step(machineconfigv1.MachineConfigNodeUpdateRebooted, metav1.ConditionUnknown, builders.Noon, "Upgrade requires a reboot."))
	t.Run("MachineConfigNode", func(t *testing.T) { changeEachField(t, cached(machineConfigNode)) })
	t.Run("MachineConfig", func(t *testing.T) {
		changeEachField(t, cached(config("new", "4.20.2")))
	})
}

// changeEachField changes each leaf of an object in JSON, and fails if isSame does not notice.
func changeEachField(t *testing.T, object any) {
	t.Helper()
	copied := func(of any) any {
		content, err := json.Marshal(of)
		if err != nil {
			t.Fatal(err)
		}
		into := reflect.New(reflect.TypeOf(object).Elem()).Interface()
		if err := json.Unmarshal(content, into); err != nil {
			t.Fatal(err)
		}
		return into
	}
	original := copied(object)
	if !isSame(original, copied(object)) {
		t.Fatal("a copy is not the same")
	}
	content, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(content, &fields); err != nil {
		t.Fatal(err)
	}
	changed := 0
	changeLeaves("", fields, func(path string) {
		changed++
		if isSame(original, copied(fields)) {
			t.Errorf("%s has changed, and isSame does not notice", path)
		}
	})
	if changed == 0 {
		t.Error("no field was changed")
	}
}

// TestHandler: only what changes what is assessed is a change.
func TestHandler(t *testing.T) {
	count := 0
	handler := handler(func() { count++ })
	pool, sameOfLater, other := nodePool("a", "east"), nodePool("a", "east"), nodePool("a", "east")
	sameOfLater.ResourceVersion, other.Status.Version = "2", versionB
	for name, test := range map[string]struct {
		event func()
		want  int
	}{
		"added":              {func() { handler.OnAdd(pool, false) }, 1},
		"deleted":            {func() { handler.OnDelete(pool) }, 1},
		"tombstone":          {func() { handler.OnDelete(cache.DeletedFinalStateUnknown{Key: "clusters/a", Obj: pool}) }, 1},
		"changed":            {func() { handler.OnUpdate(pool, other) }, 1},
		"same content":       {func() { handler.OnUpdate(pool, sameOfLater) }, 0},
		"not an object":      {func() { handler.OnUpdate(1, pool) }, 1},
		"became no object":   {func() { handler.OnUpdate(pool, 1) }, 1},
		"never an object":    {func() { handler.OnUpdate(1, 1) }, 1},
		"no metadata":        {func() { handler.OnUpdate(&metav1.Status{}, pool) }, 1},
		"no metadata at all": {func() { handler.OnUpdate(&metav1.Status{}, &metav1.Status{}) }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			count = 0
			test.event()
			if count != test.want {
				t.Errorf("%d changes, want %d", count, test.want)
			}
		})
	}
	if pool.ResourceVersion != "" {
		t.Error("the cached object was changed")
	}
}

// TestHeartbeat: a heartbeat of a node is no change.
func TestHeartbeat(t *testing.T) {
	node := worker("a")
	beating := node.DeepCopy()
	beating.ResourceVersion = "2"
	beating.Status.Conditions[0].LastHeartbeatTime = metav1.NewTime(start)
	beating.Status.Images = []corev1.ContainerImage{{Names: []string{"image"}}}
	if !isSame(cached(node), cached(beating)) {
		t.Error("a heartbeat is a change")
	}
}

// changeLeaves calls a function with each leaf of a JSON value changed, one at a time.
func changeLeaves(path string, value any, do func(path string)) {
	switch value := value.(type) {
	case map[string]any:
		for key, before := range value {
			changeLeaves(path+"."+key, before, do)
			if after := changedLeaf(before); after != nil {
				value[key] = after
				do(path + "." + key)
				value[key] = before
			}
		}
	case []any:
		for at, before := range value {
			changeLeaves(fmt.Sprintf("%s[%d]", path, at), before, do)
		}
	}
}

// changedLeaf returns another value for a leaf, nil for what is none.
func changedLeaf(before any) any {
	switch before := before.(type) {
	case string:
		if moment, err := time.Parse(time.RFC3339, before); err == nil {
			return moment.Add(time.Second).Format(time.RFC3339)
		}
		return before + "-changed"
	case bool:
		return !before
	case float64:
		return before + 1
	default:
		return nil
	}
}
