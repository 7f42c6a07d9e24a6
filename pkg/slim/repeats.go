package slim

import (
	"bytes"
	"hash/maphash"

	"google.golang.org/protobuf/encoding/protowire"
)

// What an event of a watch may be, by watch.EventType, which is in a package of clients.
const (
	added    = "ADDED"
	modified = "MODIFIED"
	deleted  = "DELETED"
	bookmark = "BOOKMARK"
)

// identity is where objects have what tells them from others, and their versions from each other; zero if that is not kept.
type identity struct {
	uid, version []protowire.Number
}

// repeats makes bookmarks of those modifications in a watch that bring nothing but a new resourceVersion. Most events of Nodes are
// heartbeats: who watches needs no more of one than where the watch stands, and that is what a bookmark says.
type repeats struct {
	of slimmer
	// contents are hashes of what the watch has brought last of an object, without its version, by uid.
	contents map[string]uint64
	seed     maphash.Seed
	// version is all that is kept of an object for a bookmark.
	version fields
	// scratch is used for one event after the other.
	scratch []byte
}

func (s slimmer) newRepeats() *repeats {
	version := fields{}
	version.add(s.identity.version)
	return &repeats{of: s, contents: map[string]uint64{}, seed: maphash.MakeSeed(), version: version}
}

// event is the change to an event of the watch.
func (r *repeats) event(into, message []byte) ([]byte, error) {
	slim, err := r.of.event(into, message)
	if err != nil || r.of.identity.uid == nil {
		return slim, err
	}
	unknown := bytes.TrimPrefix(find(slim, watchEventObject, rawExtensionRaw), magic)
	object := find(unknown, unknownRaw)
	uid := find(object, r.of.identity.uid...)
	if len(uid) == 0 {
		return slim, nil
	}
	switch kind := string(find(slim, watchEventType)); kind {
	case added, modified:
		// What is added is remembered and passes. A watch does not bring it twice, and should a client ever keep a decoder for
		// several watches, the objects that the next one begins with are not to be missing.
		if repeated, err := r.isRepeated(uid, object); err != nil || !repeated || kind == added {
			return slim, err
		}
		return r.asBookmark(find(unknown, unknownTypeMeta), object)
	case deleted:
		delete(r.contents, string(uid))
	}
	return slim, nil
}

// isRepeated is whether the watch has brought the same of an object before. It remembers what it brings now.
func (r *repeats) isRepeated(uid, object []byte) (bool, error) {
	bare, err := dropped(r.of.identity.version...)(r.scratch[:0], object)
	if err != nil {
		return false, err
	}
	r.scratch = bare
	content := maphash.Bytes(r.seed, bare)
	before, known := r.contents[string(uid)]
	r.contents[string(uid)] = content
	return known && before == content, nil
}

// asBookmark returns an event that has nothing of an object but its version.
func (r *repeats) asBookmark(typeMeta, object []byte) ([]byte, error) {
	version, err := r.version.keep(nil, object)
	if err != nil {
		return nil, err
	}
	unknown := appendField(appendField(bytes.Clone(magic), unknownTypeMeta, typeMeta), unknownRaw, version)
	event := appendField(nil, watchEventType, []byte(bookmark))
	return appendField(event, watchEventObject, appendField(nil, rawExtensionRaw, unknown)), nil
}
