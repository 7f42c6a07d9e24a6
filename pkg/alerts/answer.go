package alerts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/openshift/cluster-version-operator/pkg/assess"
)

const (
	// maxAnswerBytes bounds an answer. An alert takes about 1 KiB.
	maxAnswerBytes = 10 << 20
	// maxActive bounds how many alerts an answer may hold, since a short one takes many times its size in memory.
	maxActive = 20_000
)

var (
	errLargeAnswer = fmt.Errorf("the answer is larger than %d MiB", maxAnswerBytes>>20)
	errManyActive  = fmt.Errorf("the answer holds more than %d alerts", maxActive)
	errNoAlerts    = errors.New("the answer is not one of Prometheus with alerts")
)

// answer is what Prometheus answers to GET /api/v1/alerts.
type answer struct {
	Status string `json:"status"`
	Data   struct {
		Alerts *activeAlerts `json:"alerts"`
	} `json:"data"`
}

// activeAlerts are the alerts of an answer, of which there are too many at some point.
type activeAlerts []assess.Alert

// UnmarshalJSON is part of json.Unmarshaler.
func (a *activeAlerts) UnmarshalJSON(text []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if start, err := decoder.Token(); err != nil || start != json.Delim('[') {
		return errNoAlerts
	}
	for decoder.More() {
		if len(*a) == maxActive {
			return errManyActive
		}
		var alert assess.Alert
		if err := decoder.Decode(&alert); err != nil {
			return err
		}
		*a = append(*a, alert)
	}
	return nil
}

// read reads an answer. The error says what is wrong without a word of the answer itself, which may hold anything.
func read(body io.Reader) ([]assess.Alert, error) {
	text, err := io.ReadAll(io.LimitReader(body, maxAnswerBytes+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxAnswerBytes {
		return nil, errLargeAnswer
	}
	var read answer
	if err := json.Unmarshal(text, &read); err != nil {
		if errors.Is(err, errManyActive) {
			return nil, errManyActive
		}
		return nil, errNoAlerts
	}
	if read.Status != "success" || read.Data.Alerts == nil {
		return nil, errNoAlerts
	}
	return *read.Data.Alerts, nil
}
