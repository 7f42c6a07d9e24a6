package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
	"k8s.io/component-base/version"
)

// This file stands in for main.go of the Cluster Version Operator, which has the command that the Update Status Controller is a
// subcommand of. hack/updatestatus/install-into.sh leaves it behind.

func main() {
	os.Exit(cli.Run(newCommand()))
}

func newCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "cluster-version-operator",
		Short: "A stand-in for the Cluster Version Operator that has nothing but the Update Status Controller",
		Long: "A stand-in for the Cluster Version Operator that has nothing but the Update Status Controller, which keeps\n" +
			"UpdateStatus/cluster: the progress of the cluster's update and what needs attention.",
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.AddCommand(newUpdateStatusControllerCommand(), &cobra.Command{
		Use:   "version",
		Short: "Print the version and its commit",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s (commit %s)\n", version.Get().GitVersion, version.Get().GitCommit)
			return err
		},
	})
	return root
}
