package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/pflag"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/rehearsal"
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
	version := observed.update.ControlPlane.Version
	if !observed.update.State.IsUpdating() || version == nil || version.StartedAt == nil {
		return errors.New("no update is in progress: oc update rehearse --until=TIME shows how far one would be")
	}
	records, err := o.readRecords(ctx)
	if err != nil {
		if err := o.warn(err.Error()); err != nil {
			return err
		}
	}
	earlier := slices.DeleteFunc(historyOf(records), func(one updatev1alpha1.UpdateRecordStatus) bool { return !one.StartedAt.Before(version.StartedAt) })
	observed.until = rehearsal.OfUpdate(observed.update, observed.head(now), earlier, at, now)
	return nil
}
