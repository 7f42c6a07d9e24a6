package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/pflag"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/rehearsal"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// This file reads --until, the end of a window.

func addUntilFlag(flags *pflag.FlagSet, until *string) {
	flags.StringVar(until, "until", "", "Show how far the update will be at this time (RFC 3339; 15:04, in UTC; or after a duration such as 3h), and by when to pause a pool to have no node in progress then.")
}

// untilAt returns the moment that --until names, zero if it is empty. A time of day is the next one.
func untilAt(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if after, err := time.ParseDuration(text); err == nil {
		if after <= 0 {
			return time.Time{}, fmt.Errorf("invalid --until %s: is in the past", text)
		}
		return now.Add(after), nil
	}
	if ofDay, err := time.Parse("15:04", text); err == nil {
		today := now.UTC()
		at := time.Date(today.Year(), today.Month(), today.Day(), ofDay.Hour(), ofDay.Minute(), 0, 0, time.UTC)
		if !at.After(now) {
			at = at.AddDate(0, 0, 1)
		}
		return at, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	switch {
	case err != nil:
		return time.Time{}, fmt.Errorf("invalid --until %q: must be a time such as %s or 15:04 (UTC), or a duration such as 3h", text, now.UTC().Add(time.Hour).Format(time.RFC3339))
	case !at.After(now):
		return time.Time{}, fmt.Errorf("invalid --until %s: is in the past, it is %s", text, now.UTC().Format(time.RFC3339))
	default:
		return at, nil
	}
}

// setUntil sets how far the update will be at the moment that is asked for. Records that can't be read are a warning.
func (o *Options) setUntil(ctx context.Context, observed *observation, now time.Time) error {
	at, err := untilAt(o.Until, now)
	if err != nil || at.IsZero() {
		return err
	}
	if !hasBegun(observed.update) {
		return errors.New("no update is in progress: oc update rehearse --until=TIME shows how far one would be")
	}
	records, err := o.readRecords(ctx)
	if err != nil {
		if err := o.warn(err.Error()); err != nil {
			return err
		}
	}
	observed.until = untilOf(observed, records, at, now)
	return nil
}

func hasBegun(u *update.Update) bool {
	return u.State.IsUpdating() && u.ControlPlane.Version != nil && u.ControlPlane.Version.StartedAt != nil
}

// untilOf returns how far an update that has begun will be, with the records of those before it.
func untilOf(observed *observation, records []updatev1alpha1.UpdateRecord, at, now time.Time) *rehearsal.Until {
	started := observed.update.ControlPlane.Version.StartedAt
	earlier := slices.DeleteFunc(historyOf(records), func(one updatev1alpha1.UpdateRecordStatus) bool { return !one.StartedAt.Before(started) })
	return rehearsal.OfUpdate(observed.update, observed.head(now), earlier, at, now)
}

// pauseSoon is how long before its moment a watch says that a pool has to be paused.
const pauseSoon = 10 * time.Minute

// window is the end of a watch's window.
type window struct {
	at      time.Time
	records []updatev1alpha1.UpdateRecord
	// soon are the pools that have to be paused soon, in words, and told those of which a line was written.
	soon []string
	told map[string]bool
}

// tellPauses says that a pool has to be paused soon to have no node in progress at the end of the window: once for each in lines, on a
// terminal as long as it is so.
func (v *view) tellPauses(now time.Time) error {
	v.window.soon = nil
	if !now.Before(v.window.at) || !hasBegun(v.observed.update) {
		return nil
	}
	for _, pool := range untilOf(v.observed, v.window.records, v.window.at, now).Pools {
		if pool.PauseBy == nil || pool.PauseBy.Sub(now) > pauseSoon {
			continue
		}
		line := describe.PauseSoon(pool, v.window.at, now)
		v.window.soon = append(v.window.soon, line)
		if v.screen || v.window.told[pool.Name] {
			continue
		}
		v.window.told[pool.Name] = true
		if err := v.writeAt(now, line); err != nil {
			return err
		}
	}
	return nil
}
