package snapshot

import (
	"encoding/json"
	"errors"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
)

// alertsMember is in every response with alerts.
const alertsMember = `"alerts"`

// prometheusResponse is the response of Prometheus to GET /api/v1/alerts, or to GET /api/v1/rules, in which each rule has its
// alerts.
type prometheusResponse struct {
	Status string `json:"status"`
	Data   struct {
		Alerts []assess.Alert `json:"alerts"`
		Groups []struct {
			Rules []struct {
				Alerts []assess.Alert `json:"alerts"`
			} `json:"rules"`
		} `json:"groups"`
	} `json:"data"`
}

// readAlerts adds the alerts of a response of Prometheus. It ignores other JSON.
func (c *collector) readAlerts(file string, text part) {
	var head struct {
		Data struct {
			Alerts json.RawMessage `json:"alerts"`
			Groups json.RawMessage `json:"groups"`
		} `json:"data"`
	}
	if err := json.Unmarshal(text.text, &head); err != nil || head.Data.Alerts == nil && head.Data.Groups == nil {
		return
	}
	var response prometheusResponse
	if err := json.Unmarshal(text.text, &response); err != nil {
		c.problem(file, text.line, err)
		return
	}
	if response.Status != "success" {
		c.problem(file, text.line, errors.New("skipped: Prometheus returned an error instead of its alerts"))
		return
	}
	if c.alerts == nil {
		c.alerts = []assess.Alert{}
	}
	c.alerts = append(c.alerts, response.Data.Alerts...)
	for _, group := range response.Data.Groups {
		for _, rule := range group.Rules {
			c.alerts = append(c.alerts, rule.Alerts...)
		}
	}
}
