package builders

import (
	"fmt"
	"reflect"
	"time"
)

// HostileTimes returns times that an API server accepts and that cannot be true, at both ends of the calendar. The first two
// have no year of four digits in UTC.
func HostileTimes(now time.Time) []time.Time {
	west, east := time.FixedZone("", -14*60*60), time.FixedZone("", 14*60*60)
	return []time.Time{
		time.Date(9999, 12, 31, 23, 59, 59, 0, west),
		time.Date(0, 1, 1, 0, 0, 0, 0, east),
		time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC),
		time.Date(1, 1, 1, 0, 0, 1, 0, time.UTC),
		time.Unix(-1, 0),
		now.Add(24*time.Hour + time.Second),
	}
}

// OneHostileTime returns one of HostileTimes that no field may have, by a number: another one for each path of an object, say.
func OneHostileTime(now time.Time, number int) []time.Time {
	all := HostileTimes(now)
	all = all[:len(all)-1] // the last one may be that of an estimate
	return all[number%len(all):][:1]
}

// EachHostileTime returns HostileTimes, whatever the number.
func EachHostileTime(now time.Time, _ int) []time.Time {
	return HostileTimes(now)
}

// Times returns the times in an object, by their paths. They are those of the object, not copies. The object is a pointer.
func Times(object any) map[string]*time.Time {
	times := map[string]*time.Time{}
	addTimes(times, "", reflect.ValueOf(object))
	return times
}

func addTimes(times map[string]*time.Time, path string, value reflect.Value) {
	switch value.Kind() {
	case reflect.Pointer:
		if !value.IsNil() {
			addTimes(times, path, value.Elem())
		}
	case reflect.Slice:
		for at := range value.Len() {
			addTimes(times, fmt.Sprintf("%s[%d]", path, at), value.Index(at))
		}
	case reflect.Struct:
		if value.Type() == reflect.TypeFor[time.Time]() {
			times[path] = value.Addr().Interface().(*time.Time)
			return
		}
		for at := range value.NumField() {
			if field := value.Type().Field(at); field.IsExported() {
				addTimes(times, path+"."+field.Name, value.Field(at))
			}
		}
	default:
	}
}
