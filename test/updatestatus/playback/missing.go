package playback

import (
	"fmt"
	"reflect"
)

// missing returns the path of a wanted value that got does not have, or that differs. Empty values are not wanted; other values of
// got are ignored.
func missing(wanted, got any, path string) (string, bool) {
	switch wanted := wanted.(type) {
	case nil:
		return "", false
	case map[string]any:
		fields, _ := got.(map[string]any)
		for key, value := range wanted {
			if path, lost := missing(value, fields[key], path+"."+key); lost {
				return path, true
			}
		}
		return "", false
	case []any:
		items, _ := got.([]any)
		if len(items) < len(wanted) {
			return path, true
		}
		for at, value := range wanted {
			if path, lost := missing(value, items[at], fmt.Sprintf("%s[%d]", path, at)); lost {
				return path, true
			}
		}
		return "", false
	default:
		return path, !reflect.DeepEqual(wanted, got) && !reflect.ValueOf(wanted).IsZero()
	}
}
