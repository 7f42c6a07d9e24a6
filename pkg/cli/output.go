package cli

import (
	"os"
	"time"

	"github.com/openshift/cluster-version-operator/pkg/describe"
)

// Values of --color.
const (
	colorAuto   = "auto"
	colorAlways = "always"
	colorNever  = "never"
)

var colors = []string{colorAuto, colorAlways, colorNever}

// print writes the object in the selected format.
func (o *Options) print(observed *observation, now time.Time) error {
	options := o.describeOptions(observed, now)
	switch {
	case o.printer != nil:
		return o.printObject(observed, now)
	case o.Summary:
		return describe.WriteHead(o.Out, observed.updateStatus, options)
	case o.Print.format() == formatMarkdown:
		return describe.WriteMarkdown(o.Out, observed.updateStatus, options)
	default:
		return describe.Write(o.Out, observed.updateStatus, options)
	}
}

// textOptions returns the options of every text.
func (o *Options) textOptions(now time.Time) describe.Options {
	columns, rows := Size(terminalOf(o.Out))
	return describe.Options{Now: now, Details: describe.Details(o.Details), Width: columns, Rows: rows, Color: o.useColor()}
}

// describeOptions returns those of the text about a status.
func (o *Options) describeOptions(observed *observation, now time.Time) describe.Options {
	options := o.textOptions(now)
	options.Outdated, options.Instead, options.Incomplete, options.MissingNodes = observed.outdated, observed.instead(now), observed.incomplete, observed.missingNodes
	options.PoolOrder = observed.poolOrder
	if !o.Classic || o.Print.format() != "" {
		options.Head, options.AsOf = observed.head(now), observed.timeIs
	}
	return options
}

// useColor returns whether to use colors: on a terminal, unless the user disables them (https://no-color.org).
func (o *Options) useColor() bool {
	switch o.Color {
	case colorAlways:
		return true
	case colorNever:
		return false
	default:
		return os.Getenv("NO_COLOR") == "" && Screen(o.Out) != nil
	}
}
