package alerts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
)

const (
	// maxResponseBytes bounds a response. An alert takes about 1 KiB.
	maxResponseBytes = 10 << 20
	// maxAlerts bounds the alerts of a response: a short one takes many times its size in memory.
	maxAlerts = 20_000
)

var (
	errResponseTooLarge = fmt.Errorf("the response is larger than %d MiB", maxResponseBytes>>20)
	errTooManyAlerts    = fmt.Errorf("the response has more than %d alerts", maxAlerts)
	errNoAlerts         = errors.New("the response is not a list of alerts as Prometheus sends it")
)

// response is the response of Prometheus to GET /api/v1/alerts.
type response struct {
	Status string `json:"status"`
	Data   struct {
		Alerts *alertList `json:"alerts"`
	} `json:"data"`
}

// alertList decodes at most maxAlerts alerts.
type alertList []assess.Alert

// UnmarshalJSON implements json.Unmarshaler.
func (l *alertList) UnmarshalJSON(text []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if start, err := decoder.Token(); err != nil || start != json.Delim('[') {
		return errNoAlerts
	}
	*l = alertList{}
	for decoder.More() {
		if len(*l) == maxAlerts {
			return errTooManyAlerts
		}
		var alert assess.Alert
		if err := decoder.Decode(&alert); err != nil {
			return err
		}
		*l = append(*l, alert)
	}
	return nil
}

// Decode returns the alerts of a response of the Thanos querier, which are not nil if there are none. It reads no more than its bound. The
// error does not quote the response, which may contain anything.
func Decode(body io.Reader) ([]assess.Alert, error) {
	text, err := io.ReadAll(io.LimitReader(body, maxResponseBytes+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxResponseBytes {
		return nil, errResponseTooLarge
	}
	var decoded response
	if err := json.Unmarshal(text, &decoded); err != nil {
		if errors.Is(err, errTooManyAlerts) {
			return nil, errTooManyAlerts
		}
		return nil, errNoAlerts
	}
	if decoded.Status != "success" || decoded.Data.Alerts == nil {
		return nil, errNoAlerts
	}
	return *decoded.Data.Alerts, nil
}
