package slim_test

import (
	"fmt"
	"maps"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"pgregory.net/rapid"
)

// identified are paths with which an object is known again, and heartbeats are no change.
func identified() []string {
	return []string{"metadata.uid", "metadata.name", "metadata.resourceVersion", "metadata.labels", "status.conditions.status"}
}

// beat returns a Node at a version, with the heartbeat of that version.
func beat(uid types.UID, version int, label string) *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{
			UID: uid, Name: "node-" + string(uid), ResourceVersion: fmt.Sprint(version), Labels: map[string]string{"label": label},
		},
		Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{{
			Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastHeartbeatTime: metav1.NewTime(time.Unix(int64(version), 0)),
		}}},
	}
}

func TestWhatAWatchBringsAgainIsABookmark(t *testing.T) {
	moments := []struct {
		sent watch.EventType
		node *corev1.Node
		want watch.EventType
	}{
		{watch.Added, beat("a", 1, "old"), watch.Added},
		{watch.Added, beat("b", 2, "old"), watch.Added},
		{watch.Modified, beat("a", 3, "old"), watch.Bookmark},
		{watch.Modified, beat("a", 4, "new"), watch.Modified},
		{watch.Modified, beat("b", 5, "old"), watch.Bookmark},
		{watch.Modified, beat("a", 6, "new"), watch.Bookmark},
		{watch.Modified, beat("a", 7, "old"), watch.Modified},
		{watch.Modified, beat("c", 8, "old"), watch.Modified},
		{watch.Deleted, beat("a", 9, "old"), watch.Deleted},
		{watch.Added, beat("a", 10, "old"), watch.Added},
		// Who watches may not have what is told to be added, whatever was told before; and has it then.
		{watch.Added, beat("a", 11, "old"), watch.Added},
		{watch.Modified, beat("a", 12, "old"), watch.Bookmark},
		{watch.Added, beat("a", 13, "new"), watch.Added},
		{watch.Modified, beat("a", 14, "new"), watch.Bookmark},
		{watch.Modified, beat("", 15, "old"), watch.Modified},
		{watch.Modified, beat("", 16, "old"), watch.Modified},
		{watch.Bookmark, &corev1.Node{ObjectMeta: metav1.ObjectMeta{ResourceVersion: "17"}}, watch.Bookmark},
	}
	var sent []byte
	for _, moment := range moments {
		sent = append(sent, stream(t, runtime.ContentTypeProtobuf, moment.sent, moment.node)...)
	}
	by := negotiator(t, identified()...)
	for range 2 {
		// Each watch begins anew: what another one has brought, who watches may not know.
		events := receive(t, runtime.ContentTypeProtobuf, by, sent)
		for _, moment := range moments {
			kind, got := next(t, events)
			if kind != moment.want {
				t.Errorf("%s of %s at %s is told as %s, want %s", moment.sent, moment.node.UID, moment.node.ResourceVersion, kind, moment.want)
			}
			if kind == watch.Bookmark {
				equal(t, "a bookmark", &corev1.Node{ObjectMeta: metav1.ObjectMeta{ResourceVersion: moment.node.ResourceVersion}}, got)
			}
		}
	}
}

func TestNothingIsABookmarkWithoutIdentity(t *testing.T) {
	sent := append(stream(t, runtime.ContentTypeProtobuf, watch.Modified, beat("a", 1, "old")),
		stream(t, runtime.ContentTypeProtobuf, watch.Modified, beat("a", 1, "old"))...)
	for _, path := range []string{"metadata.uid", "metadata.resourceVersion", "metadata.name"} {
		events := receive(t, runtime.ContentTypeProtobuf, negotiator(t, path), sent)
		for range 2 {
			if kind, _ := next(t, events); kind != watch.Modified {
				t.Errorf("with %s alone: told as %s", path, kind)
			}
		}
	}
}

// follow returns what one knows who watches: the labels of all nodes, and the version up to which that is.
func follow(known map[string]string, kind watch.EventType, node *corev1.Node) (version string) {
	switch kind {
	case watch.Added, watch.Modified:
		known[node.Name] = node.Labels["label"]
	case watch.Deleted:
		delete(known, node.Name)
	case watch.Bookmark, watch.Error:
	}
	return node.ResourceVersion
}

func TestWhoWatchesKnowsTheSameWithBookmarks(t *testing.T) {
	by := negotiator(t, identified()...)
	kinds := rapid.SampledFrom([]watch.EventType{watch.Added, watch.Modified, watch.Modified, watch.Modified, watch.Deleted})
	uids := rapid.SampledFrom([]types.UID{"a", "b", "c"})
	labels := rapid.SampledFrom([]string{"old", "new"})
	rapid.Check(t, func(r *rapid.T) {
		type moment struct {
			kind watch.EventType
			node *corev1.Node
		}
		var moments []moment
		var sent []byte
		for version := range rapid.IntRange(1, 30).Draw(r, "events") {
			one := moment{kinds.Draw(r, "kind"), beat(uids.Draw(r, "uid"), version+1, labels.Draw(r, "label"))}
			moments = append(moments, one)
			sent = append(sent, stream(t, runtime.ContentTypeProtobuf, one.kind, one.node)...)
		}
		events := receive(t, runtime.ContentTypeProtobuf, by, sent)
		want, got := map[string]string{}, map[string]string{}
		for at, one := range moments {
			wantVersion := follow(want, one.kind, one.node)
			kind, obj := next(t, events)
			node, isNode := obj.(*corev1.Node)
			if !isNode {
				r.Fatalf("event %d is of a %T", at, obj)
			}
			if version := follow(got, kind, node); version != wantVersion || !maps.Equal(want, got) {
				r.Fatalf("after event %d at %s: %v, want %s: %v", at, version, got, wantVersion, want)
			}
		}
	})
}
