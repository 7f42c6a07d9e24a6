package snapshot

import (
	"encoding/json"
	"errors"

	"github.com/openshift/cluster-version-operator/pkg/assess"
)

// alertsMember is in every response with alerts.
const alertsMember = `"alerts"`

// readAlerts adds the alerts of a response of Prometheus to GET /api/v1/alerts. It ignores other JSON.
func (c *collector) readAlerts(file string, text part) {
	var response struct {
		Status string `json:"status"`
		Data   struct {
			Alerts json.RawMessage `json:"alerts"`
		} `json:"data"`
	}
	if err := json.Unmarshal(text.text, &response); err != nil || response.Data.Alerts == nil {
		return
	}
	if response.Status != "success" {
		c.problem(file, text.line, errors.New("skipped: Prometheus returned an error instead of its alerts"))
		return
	}
	var alerts []assess.Alert
	if err := json.Unmarshal(response.Data.Alerts, &alerts); err != nil {
		c.problem(file, text.line, err)
		return
	}
	if c.alerts == nil {
		c.alerts = []assess.Alert{}
	}
	c.alerts = append(c.alerts, alerts...)
}
