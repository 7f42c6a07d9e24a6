package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/gather"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/redirect"
)

// newGatherCommand returns the command that collects what explains an UpdateStatus, as must-gather does.
func newGatherCommand() *cobra.Command {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	cmd := &cobra.Command{
		Use:   "gather FOLDER",
		Short: "Collect what explains an UpdateStatus into files, in the layout of must-gather",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, arguments []string) error {
			config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil).ClientConfig()
			if err != nil {
				return fmt.Errorf("reading the kubeconfig: %w", err)
			}
			return gather.Run(cmd.Context(), gather.Input{Config: redirect.Refuse(config), Folder: arguments[0]})
		},
	}
	cmd.Flags().StringVar(&rules.ExplicitPath, "kubeconfig", "", "Kubeconfig of the cluster, by default as for oc. Inside of a cluster none is needed.")
	return cmd
}
