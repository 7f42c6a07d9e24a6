package main

import (
	"strings"
	"sync"
	"testing"
)

// fewRehearsals are those of two shapes, of virtual machines.
var fewRehearsals = sync.OnceValue(func() *measuredRehearsals { return measureRehearsals(shapes()[2:4], 24) })

// TestRehearsals rehearses and plays some updates, with wider bounds than hack/update-estimates.sh has for all of them: of 12 with records two may
// end outside their range, and one that was paused in time may not have been.
func TestRehearsals(t *testing.T) {
	if err := fewRehearsals().check(rehearsalLimits{covered: 0.6, most: 1, paused: 0.9, width: 0.5}); err != nil {
		t.Error(err)
	}
}

// TestLongRehearsals rehearses and plays those of the page.
func TestLongRehearsals(t *testing.T) {
	if err := measureRehearsals(shapes(), rehearsedUpdates).check(rehearsalBounds); err != nil {
		t.Error(err)
	}
}

// TestRehearsalBounds fails each of the bounds.
func TestRehearsalBounds(t *testing.T) {
	for want, bounds := range map[string]rehearsalLimits{
		"the range of the whole covers": {covered: 1.1, most: 1, width: 9},
		"the range of a pool covers":    {most: -1, width: 9},
		"pools were paused in time":     {most: 1, paused: 1.1, width: 9},
		"a range is ":                   {most: 1, width: 0.01},
	} {
		if err := fewRehearsals().check(bounds); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v", want, err)
		}
	}
	broken := *fewRehearsals()
	broken.missed = []string{"a"}
	if err := broken.check(rehearsalLimits{most: 1, width: 9}); err == nil || err.Error() != "a fault is not named: a" {
		t.Errorf("got %v", err)
	}
}
