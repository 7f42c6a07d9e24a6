package story

import (
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// Teller turns versions of the UpdateStatus, in their order, into headlines. Its zero value is ready for use.
type Teller struct {
	begun bool
	ahead []*milestone
	// before is the version before, nil until the update is asked for: headlines about attention start then.
	before *facts
}

// Tell returns what is new in a version, in headlines: none if nothing is worth a look.
func (t *Teller) Tell(us *updatev1alpha1.UpdateStatus) []string {
	now := read(us)
	if t.before == nil && !now.requested() && !now.updating() {
		return nil
	}
	var headlines []string
	if t.before == nil {
		t.before = &facts{}
	}
	if now.requested() && !t.before.requested() {
		headlines = append(headlines, "The update to "+now.version.Requested.Version+" is asked for")
	}
	if now.updating() && !t.begun {
		t.begun = true
		t.ahead = milestones(now.workerPools)
		headlines = append(headlines, "The update to "+now.target()+" begins")
	}
	headlines = append(headlines, t.reached(now)...)
	headlines = append(headlines, t.alarms(now)...)
	t.before = now
	return headlines
}

// reached returns the headlines of the milestones that are reached now, which are no longer ahead then.
func (t *Teller) reached(now *facts) []string {
	var headlines []string
	var ahead []*milestone
	for _, milestone := range t.ahead {
		isTrue := milestone.isTrue(now)
		if isTrue && milestone.wasFalse {
			headlines = append(headlines, milestone.headline)
			continue
		}
		milestone.wasFalse = milestone.wasFalse || !isTrue
		ahead = append(ahead, milestone)
	}
	t.ahead = ahead
	return headlines
}

// alarms returns headlines of what needs attention since now, and of what no longer does.
func (t *Teller) alarms(now *facts) []string {
	before := t.before
	var headlines []string
	for _, uid := range now.alarmUIDs {
		alarm, known := now.alarms[uid], before.alarms[uid]
		if alarm.Level != known.Level || alarm.Summary != known.Summary {
			headlines = append(headlines, string(alarm.Level)+": "+alarm.Summary)
		}
	}
	for _, uid := range before.alarmUIDs {
		if _, still := now.alarms[uid]; !still {
			headlines = append(headlines, "No longer: "+before.alarms[uid].Summary)
		}
	}
	return headlines
}
