package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/printers"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/rehearsal"
)

// formatMarkdown is the text for tickets.
const formatMarkdown = "markdown"

// PrintFlags are the flags about the output, those of kubectl get.
type PrintFlags struct {
	*genericclioptions.PrintFlags

	// texts are the formats that are texts as well, without a printer.
	texts []string
}

// NewPrintFlags returns flags that select text, of which there are other forms.
func NewPrintFlags(texts ...string) *PrintFlags {
	return &PrintFlags{PrintFlags: genericclioptions.NewPrintFlags(""), texts: texts}
}

// AddFlags adds the flags to a command.
func (f *PrintFlags) AddFlags(cmd *cobra.Command) {
	f.PrintFlags.AddFlags(cmd)
	cmd.Flags().Lookup("output").Usage = "Output format: " + strings.Join(f.formats(), ", ") + ". Default: text."
}

// formats returns what -o takes.
func (f *PrintFlags) formats() []string {
	formats := append(f.AllowedFormats(), columnFormats...)
	slices.Sort(formats)
	return append(formats, f.texts...)
}

// format returns what -o selects, "" for text.
func (f *PrintFlags) format() string {
	if *f.OutputFormat == "" && *f.TemplatePrinterFlags.TemplateArgument != "" {
		return "go-template"
	}
	return *f.OutputFormat
}

// toPrinter returns the printer of the format, nil for the texts. A YAML printer separates the objects that it prints.
func (f *PrintFlags) toPrinter() (printers.ResourcePrinter, error) {
	format := f.format()
	if format == "" || slices.Contains(f.texts, format) {
		return nil, nil
	}
	printer, err := newColumnsPrinter(format, *f.TemplatePrinterFlags.TemplateArgument)
	if printer == nil && err == nil {
		printer, err = f.ToPrinter()
	}
	if genericclioptions.IsNoCompatiblePrinterError(err) {
		return nil, fmt.Errorf("invalid --output %q: must be one of %s%s", format, strings.Join(f.formats(), ", "), didYouMean(format, "", f.formats()))
	}
	if err != nil {
		return nil, fmt.Errorf("invalid --output %q: %w", format, err)
	}
	return printer, nil
}

// printObject writes the object in the selected format, with the notices beside its status if there are some; in a watch a JSON document
// is one line.
func (o *Options) printObject(observed *observation, now time.Time) error {
	// An element of a list in a file may have no kind.
	if kind := observed.object.GetObjectKind(); kind.GroupVersionKind().Kind == "" {
		kind.SetGroupVersionKind(updatev1alpha1.SchemeGroupVersion.WithKind("UpdateStatus"))
	}
	printed := observed.object
	if o.Summary {
		printed = observed.summaryObject(now)
	}
	object, err := withFields(printed, o.describeOptions(observed, now).Notices(observed.update), observed.until)
	if err != nil {
		return err
	}
	if err := o.printTo(object, o.Watch && o.Print.format() == "json"); err != nil {
		return fmt.Errorf("printing the UpdateStatus: %w", err)
	}
	return nil
}

// printTo writes an object in the selected format: to a terminal without what could move its cursor or hide a text, elsewhere as the object has
// it, since programs compare names.
func (o *Options) printTo(object runtime.Object, oneLine bool) error {
	if terminalOf(o.Out) == nil {
		return printWith(o.printer, object, o.Out, oneLine)
	}
	var text bytes.Buffer
	if err := printWith(o.printer, object, &text, oneLine); err != nil {
		return err
	}
	_, err := io.WriteString(o.Out, insight.Clean(text.String()))
	return err //nolint:wrapcheck // the caller says what it prints
}

// withFields returns an object with a list of notices, and with how far the update is at a moment, the same without any.
func withFields(object runtime.Object, notices []string, until *rehearsal.Until) (runtime.Object, error) {
	if len(notices) == 0 && until == nil {
		return object, nil
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return nil, fmt.Errorf("printing the UpdateStatus: %w", err)
	}
	fields = maps.Clone(fields) // they are no fields of the object
	if until != nil {
		if fields["until"], err = runtime.DefaultUnstructuredConverter.ToUnstructured(until); err != nil {
			return nil, fmt.Errorf("printing how far the update is: %w", err)
		}
	}
	copied := &unstructured.Unstructured{Object: fields}
	if len(notices) == 0 {
		return copied, nil
	}
	return copied, unstructured.SetNestedStringSlice(copied.Object, notices, "notices") //nolint:wrapcheck // the texts are strings
}

func printWith(printer printers.ResourcePrinter, object runtime.Object, out io.Writer, oneLine bool) error {
	if !oneLine {
		return printer.PrintObj(object, out) //nolint:wrapcheck // the caller says what it prints
	}
	var document, line bytes.Buffer
	if err := printer.PrintObj(object, &document); err != nil {
		return err //nolint:wrapcheck // the caller says what it prints
	}
	if err := json.Compact(&line, document.Bytes()); err != nil {
		return err //nolint:wrapcheck // the caller says what it prints
	}
	line.WriteByte('\n')
	_, err := out.Write(line.Bytes())
	return err //nolint:wrapcheck // the caller says what it prints
}
