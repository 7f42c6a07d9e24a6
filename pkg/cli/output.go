package cli

import (
	"fmt"
	"os"
	"time"

	"k8s.io/cli-runtime/pkg/printers"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/describe"
)

// The formats besides text.
const (
	formatJSON = "json"
	formatYAML = "yaml"
	formatName = "name"
)

var formats = []string{formatJSON, formatYAML, formatName}

// When colours are used.
const (
	colorAuto   = "auto"
	colorAlways = "always"
	colorNever  = "never"
)

var colors = []string{colorAuto, colorAlways, colorNever}

// print writes the object in the format that was asked for.
func (o *Options) print(found *found, now time.Time) error {
	var printer printers.ResourcePrinter
	switch o.Output {
	case formatJSON:
		printer = &printers.OmitManagedFieldsPrinter{Delegate: &printers.JSONPrinter{}}
	case formatYAML:
		printer = o.yamlPrinter()
	case formatName:
		printer = &printers.NamePrinter{}
	default:
		return describe.Write(o.Out, found.updateStatus, o.describing(now))
	}
	whole, err := found.whole()
	if err != nil {
		return err
	}
	if whole.GetKind() == "" {
		// An element of a list need not say what it is.
		whole.SetGroupVersionKind(updatev1alpha1.SchemeGroupVersion.WithKind("UpdateStatus"))
	}
	if err := printer.PrintObj(whole, o.Out); err != nil {
		return fmt.Errorf("printing the UpdateStatus: %w", err)
	}
	return nil
}

// yamlPrinter is the same for all objects of a command, since it separates them.
func (o *Options) yamlPrinter() printers.ResourcePrinter {
	if o.yaml == nil {
		o.yaml = &printers.OmitManagedFieldsPrinter{Delegate: &printers.YAMLPrinter{}}
	}
	return o.yaml
}

// describing is how the text is to be.
func (o *Options) describing(now time.Time) describe.Options {
	columns, _ := Size(terminalOf(o.Out))
	return describe.Options{Now: now, Details: describe.Details(o.Details), Width: columns, Color: o.colored()}
}

// colored is whether colours are used: where they can be seen, unless the user wants none (https://no-color.org).
func (o *Options) colored() bool {
	switch o.Color {
	case colorAlways:
		return true
	case colorNever:
		return false
	default:
		return os.Getenv("NO_COLOR") == "" && Screen(o.Out) != nil
	}
}
