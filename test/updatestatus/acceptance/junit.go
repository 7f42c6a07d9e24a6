package main

import (
	"encoding/xml"
	"fmt"
	"os"
	"time"
)

// suite is a result in the format of JUnit: https://github.com/testmoapp/junitxml.
type suite struct {
	XMLName  xml.Name `xml:"testsuite"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Case     testCase `xml:"testcase"`
}

type testCase struct {
	Name    string   `xml:"name,attr"`
	Seconds float64  `xml:"time,attr"`
	Failure *failure `xml:"failure,omitempty"`
}

type failure struct {
	Text string `xml:",chardata"`
}

// writeJUnit writes a result, unless there is no file for it.
func writeJUnit(file string, started time.Time, failed error) error {
	if file == "" {
		return nil
	}
	result := suite{Name: "update-status-invariants", Tests: 1, Case: testCase{
		Name: "Every version of UpdateStatus/cluster in an update keeps the invariants", Seconds: time.Since(started).Seconds(),
	}}
	if failed != nil {
		result.Failures, result.Case.Failure = 1, &failure{failed.Error()}
	}
	content, err := xml.MarshalIndent(result, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the result: %w", err)
	}
	if err := os.WriteFile(file, append([]byte(xml.Header), content...), 0o600); err != nil {
		return fmt.Errorf("writing the result: %w", err)
	}
	return nil
}
