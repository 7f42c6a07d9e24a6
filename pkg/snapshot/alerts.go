package snapshot

import (
	"encoding/json"
	"errors"

	"github.com/openshift/cluster-version-operator/pkg/assess"
)

// alertsMember is what an answer with alerts has.
const alertsMember = `"alerts"`

// alertsAnswer is what Prometheus answers to GET /api/v1/alerts.
type alertsAnswer struct {
	Status string `json:"status"`
	Data   struct {
		Alerts []assess.Alert `json:"alerts"`
	} `json:"data"`
}

// readAlerts keeps the alerts of an answer of Prometheus. Other JSON without a kind is of no interest.
func (c *collector) readAlerts(file string, text part) {
	var answer struct {
		Status json.RawMessage `json:"status"`
		Data   struct {
			Alerts json.RawMessage `json:"alerts"`
		} `json:"data"`
	}
	if err := json.Unmarshal(text.text, &answer); err != nil || answer.Data.Alerts == nil {
		return
	}
	var alerts alertsAnswer
	if err := json.Unmarshal(text.text, &alerts); err != nil {
		c.problem(file, text.line, err)
		return
	}
	if alerts.Status != "success" {
		c.problem(file, text.line, errors.New("passed over: the alerts could not be had when they were asked for"))
		return
	}
	if c.alerts == nil {
		c.alerts = []assess.Alert{}
	}
	c.alerts = append(c.alerts, alerts.Data.Alerts...)
}
