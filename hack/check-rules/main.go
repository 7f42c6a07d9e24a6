package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"sigs.k8s.io/yaml"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: check-rules FILE")
		os.Exit(2)
	}
	if err := check(os.Args[1]); err != nil {
		fmt.Fprintf(os.Stderr, "check-rules: %s: %v\n", os.Args[1], err)
		os.Exit(1)
	}
}

func check(file string) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var rule struct {
		Spec any `json:"spec"`
	}
	if err := yaml.Unmarshal(content, &rule); err != nil {
		return err
	}
	// The spec has the format of a rule file of Prometheus.
	spec, err := yaml.Marshal(rule.Spec)
	if err != nil {
		return err
	}
	_, problems := rulefmt.Parse(spec, false, model.LegacyValidation)
	return errors.Join(problems...)
}
