package cli_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/openshift/cluster-version-operator/pkg/cli"
)

// Another binary can add the command as a subcommand, as oc does with `oc adm upgrade status`.
func ExampleNewCommand() {
	streams := genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr}
	upgrade := &cobra.Command{Use: "upgrade"}
	upgrade.AddCommand(cli.NewCommand(streams))
	adm := &cobra.Command{Use: "adm"}
	adm.AddCommand(upgrade)
	oc := &cobra.Command{Use: "oc"}
	oc.AddCommand(adm)

	oc.SetArgs([]string{"adm", "upgrade", "status", "-f", filepath.Join("testdata", "updatestatus.yaml"), "-o", "name"})
	if err := oc.Execute(); err != nil {
		fmt.Println(err)
	}
	// Output: updatestatus.update.openshift.io/cluster
}
