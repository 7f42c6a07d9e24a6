package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"k8s.io/klog/v2"
)

// TestLogTo: entries of the controller and of libraries are cleaned, in whichever way they are logged, and -v is in effect.
func TestLogTo(t *testing.T) {
	t.Cleanup(klog.ClearLogger)
	for _, test := range []struct {
		verbosity string
		want      []string
	}{
		{"2", []string{`"Structured"`, `"Contextual"`, "Formatted:", `"Verbose"`}},
		{"", []string{`"Structured"`, `"Contextual"`, "Formatted:"}},
	} {
		flags, log := pflag.NewFlagSet("", pflag.ContinueOnError), &bytes.Buffer{}
		if test.verbosity != "" {
			flags.String("v", test.verbosity, "")
		}
		if err := logTo(log, flags); err != nil {
			t.Fatal(err)
		}
		err := errors.New("refused\x1b[2J\rE0101\nE0102 a webhook")
		klog.ErrorS(err, "Structured")
		klog.Background().Error(err, "Contextual")
		klog.Errorf("Formatted: %v", err)
		klog.Background().V(2).Info("Verbose", "err", err)
		var got []string
		for line := range strings.Lines(log.String()) {
			if strings.ContainsAny(line, "\x1b\r") {
				t.Errorf("not cleaned: %q", line)
			}
			if _, entry, _ := strings.Cut(line, "] "); !strings.HasPrefix(line, "\t") {
				got = append(got, strings.Fields(entry)[0])
			}
		}
		if strings.Join(got, " ") != strings.Join(test.want, " ") {
			t.Errorf("-v=%s: entries %q, want %q", test.verbosity, got, test.want)
		}
	}
}
