package cli

import (
	"fmt"
	"os"
	"time"

	"k8s.io/cli-runtime/pkg/printers"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/describe"
)

// Output formats other than text.
const (
	formatJSON = "json"
	formatYAML = "yaml"
	formatName = "name"
)

var formats = []string{formatJSON, formatYAML, formatName}

// Values of --color.
const (
	colorAuto   = "auto"
	colorAlways = "always"
	colorNever  = "never"
)

var colors = []string{colorAuto, colorAlways, colorNever}

// newPrinter returns the printer of a format, nil for text. A YAML printer separates the objects that it prints.
func newPrinter(format string) printers.ResourcePrinter {
	switch format {
	case formatJSON:
		return &printers.OmitManagedFieldsPrinter{Delegate: &printers.JSONPrinter{}}
	case formatYAML:
		return &printers.OmitManagedFieldsPrinter{Delegate: &printers.YAMLPrinter{}}
	case formatName:
		return &printers.NamePrinter{}
	default:
		return nil
	}
}

// print writes the object in the selected format.
func (o *Options) print(shown *observation, now time.Time) error {
	if o.printer == nil {
		return describe.Write(o.Out, shown.updateStatus, o.describeOptions(shown, now))
	}
	// An element of a list in a file may have no kind.
	if kind := shown.object.GetObjectKind(); kind.GroupVersionKind().Kind == "" {
		kind.SetGroupVersionKind(updatev1alpha1.SchemeGroupVersion.WithKind("UpdateStatus"))
	}
	if err := o.printer.PrintObj(shown.object, o.Out); err != nil {
		return fmt.Errorf("printing the UpdateStatus: %w", err)
	}
	return nil
}

func (o *Options) describeOptions(shown *observation, now time.Time) describe.Options {
	columns, _ := Size(terminalOf(o.Out))
	return describe.Options{Now: now, Details: describe.Details(o.Details), Width: columns, Color: o.useColor(), Outdated: shown.outdated}
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
