package gitops

import (
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// health is what a health check of Argo CD returns.
type health struct{ status, message string }

// newArgoCD returns what Argo CD makes of an object by the health check of the page. As there, the script has the object as obj, returns a
// table, and has the libraries for tables and the basic one (argoproj/argo-cd, util/lua/lua.go, runLua; it also has a part of os).
func newArgoCD(t *testing.T) func(*testing.T, *unstructured.Unstructured) health {
	t.Helper()
	script := example(t, "lua")
	return func(t *testing.T, object *unstructured.Unstructured) health {
		t.Helper()
		state := lua.NewState(lua.Options{SkipOpenLibs: true})
		defer state.Close()
		for name, open := range map[string]lua.LGFunction{lua.BaseLibName: lua.OpenBase, lua.TabLibName: lua.OpenTable} {
			state.Push(state.NewFunction(open))
			state.Push(lua.LString(name))
			state.Call(1, 0)
		}
		state.SetGlobal("obj", valueOf(object.Object))
		if err := state.DoString(script); err != nil {
			t.Fatal(err)
		}
		result, isTable := state.Get(-1).(*lua.LTable)
		if !isTable {
			t.Fatalf("it returns %v", state.Get(-1))
		}
		return health{result.RawGetString("status").String(), result.RawGetString("message").String()}
	}
}

// valueOf returns a value of an object for a script.
func valueOf(of any) lua.LValue {
	switch of := of.(type) {
	case map[string]any:
		table := &lua.LTable{}
		for key, value := range of {
			table.RawSetString(key, valueOf(value))
		}
		return table
	case []any:
		table := &lua.LTable{}
		for _, value := range of {
			table.Append(valueOf(value))
		}
		return table
	case string:
		return lua.LString(of)
	case int64:
		return lua.LNumber(of)
	case bool:
		return lua.LBool(of)
	default:
		return lua.LNil
	}
}

// TestArgoCD checks the messages, and objects that have not been reported yet.
func TestArgoCD(t *testing.T) {
	objects := stored(t)
	none := objects["complete"].DeepCopy()
	unstructured.RemoveNestedField(none.Object, "status")
	bare := objects["complete"].DeepCopy()
	unstructured.RemoveNestedField(bare.Object, "status", "conditions")
	argo := newArgoCD(t)
	for _, test := range []struct {
		name   string
		object *unstructured.Unstructured
		want   health
	}{
		{"no status", none, health{"Progressing", "The update has not been reported yet"}},
		{"no conditions", bare, health{"Progressing", "The update has not been reported yet"}},
		{"requested", objects["requested"], health{"Progressing", "The Cluster Version Operator to accept the update to 4.20.2"}},
		{unknown, objects[unknown], health{"Progressing", "It is unknown whether the cluster is being updated"}},
		{"stalled", objects["a drain is blocked for an hour"], health{"Degraded", "Node worker-0.cluster.example.com is taking long to drain"}},
		{"paused", objects["only paused pools are left"], health{"Suspended", "Paused before reaching 4.20.2: pool worker"}},
		{"complete", objects["complete"], health{"Healthy", "The cluster runs 4.20.2"}},
	} {
		if got := argo(t, test.object); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

// TestArgoCDKeys: the page has the key for each kind of summary (argoproj/argo-cd, util/settings/settings.go).
func TestArgoCDKeys(t *testing.T) {
	for _, kind := range []string{"UpdateStatusSummary", "HostedClusterUpdateStatusSummary"} {
		if key := "`resource.customizations.health." + updatev1alpha1.SchemeGroupVersion.Group + "_" + kind + "`"; !strings.Contains(readPage(t), key) {
			t.Errorf("the page has no %s", key)
		}
	}
}
