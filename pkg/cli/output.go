package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
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

// print writes the object in the format that was asked for.
func (o *Options) print(us *updatev1alpha1.UpdateStatus, now time.Time) error {
	// A client takes the kind from what it reads.
	us.SetGroupVersionKind(updatev1alpha1.SchemeGroupVersion.WithKind("UpdateStatus"))
	var printer printers.ResourcePrinter
	switch o.Output {
	case formatJSON:
		printer = &printers.OmitManagedFieldsPrinter{Delegate: &printers.JSONPrinter{}}
	case formatYAML:
		printer = &printers.OmitManagedFieldsPrinter{Delegate: &printers.YAMLPrinter{}}
	case formatName:
		printer = &printers.NamePrinter{}
	default:
		return describe.Write(o.Out, us, describe.Options{
			Now: now, Details: describe.Details(o.Details), Width: widthOf(o.Out),
		})
	}
	if err := printer.PrintObj(us, o.Out); err != nil {
		return fmt.Errorf("printing the UpdateStatus: %w", err)
	}
	return nil
}

// widthOf is the number of columns of a terminal, zero if it is none.
func widthOf(out io.Writer) int {
	file, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return 0
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		return 0
	}
	return width
}
