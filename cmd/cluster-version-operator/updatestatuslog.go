package main

import (
	"io"

	"github.com/spf13/pflag"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// entryWriter writes entries of the log, one with each call.
type entryWriter struct{ to io.Writer }

// Write implements io.Writer.
func (w entryWriter) Write(entry []byte) (int, error) {
	if _, err := io.WriteString(w.to, insight.LogEntry(string(entry))); err != nil {
		return 0, err //nolint:wrapcheck // there is no log to write it to
	}
	return len(entry), nil
}

// logTo makes klog write to a writer, libraries' entries included: in its format, which quotes values only if they are of one line, but
// cleaned. No other goroutine may log meanwhile.
func logTo(writer io.Writer, flags *pflag.FlagSet) error {
	entries := entryWriter{writer}
	config := textlogger.NewConfig(textlogger.Output(entries))
	if verbosity := flags.Lookup("v"); verbosity != nil {
		if err := config.Verbosity().Set(verbosity.Value.String()); err != nil {
			return err //nolint:wrapcheck // the flag has been parsed
		}
	}
	klog.SetLoggerWithOptions(textlogger.NewLogger(config), klog.ContextualLogger(true),
		klog.WriteKlogBuffer(func(entry []byte) { _, _ = entries.Write(entry) }))
	return nil
}
