package main

import (
	"os"

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
)

func main() {
	os.Exit(cli.Run(newCommand()))
}

func newCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "cluster-version-operator",
		Short: "Components of the Cluster Version Operator",
		Long: "Components of the Cluster Version Operator. This build holds the Update Status Controller, which keeps\n" +
			"UpdateStatus/cluster: the progress of the cluster's update and what needs attention.",
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.AddCommand(newUpdateStatusControllerCommand(), newVersionCommand())
	return root
}
