package cli

import (
	"cmp"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
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
		return describe.WriteHead(o.Out, observed.update, options)
	case o.Print.format() == formatMarkdown:
		return describe.WriteMarkdown(o.Out, observed.update, options)
	default:
		if observed.until == nil && o.Details == string(describe.DetailsNone) && o.reportPath != nil {
			options.More = "--details=all, --timeline, " + o.reportPath()
		}
		if err := describe.Write(o.Out, observed.update, options); err != nil || observed.until == nil {
			return err
		}
		return describe.WriteUntil(o.Out, observed.until, options)
	}
}

// textOptions returns the options of every text.
func (o *Options) textOptions(now time.Time) describe.Options {
	columns, rows := Size(terminalOf(o.Out))
	return describe.Options{Now: now, Details: describe.Details(o.Details), Width: columns, Rows: rows, Color: o.useColor(), ASCII: isASCII(os.Getenv, runtime.GOOS)}
}

// isASCII returns whether the locale has only ASCII characters: that of the first of these variables that is set, or else the one of the
// system.
func isASCII(variable func(string) string, system string) bool {
	locale := cmp.Or(variable("LC_ALL"), variable("LC_CTYPE"), variable("LANG"))
	if locale == "" {
		return system != "windows"
	}
	return !strings.HasSuffix(strings.ReplaceAll(strings.ToUpper(locale), "-", ""), "UTF8")
}

// describeOptions returns those of the text about a status.
func (o *Options) describeOptions(observed *observation, now time.Time) describe.Options {
	options := o.textOptions(now)
	options.Outdated, options.Instead, options.Incomplete, options.MissingNodes = observed.outdated, observed.instead(now), observed.incomplete, observed.missingNodes
	options.PoolOrder, options.Object = observed.poolOrder, observed.updateStatus
	if !o.Classic || o.Print.format() != "" {
		options.Head, options.AsOf = observed.head(now), observed.timeIs
		options.ConfirmedAt = observed.confirmedAt
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
