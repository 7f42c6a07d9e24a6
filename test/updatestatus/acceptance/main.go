package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := newCommand().ExecuteContext(ctx)
	stop()
	if err != nil {
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	junit, versions string
	timeout         time.Duration
}

func newCommand() *cobra.Command {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	var o options
	cmd := &cobra.Command{
		Use:          "update-status-invariants",
		Short:        "Watch the UpdateStatus of a cluster over an update, and fail on the first version that breaks an invariant",
		Args:         cobra.NoArgs,
		SilenceUsage: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil).ClientConfig()
			if err != nil {
				return fmt.Errorf("reading the kubeconfig: %w", err)
			}
			ctx, cancel := context.WithTimeoutCause(cmd.Context(), o.timeout, errors.New("the update was not complete in time (--timeout)"))
			defer cancel()
			started := time.Now()
			failure := watch(ctx, config, o.versions, cmd.OutOrStdout())
			return errors.Join(failure, writeJUnit(o.junit, started, failure))
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&rules.ExplicitPath, "kubeconfig", "", "Kubeconfig of the cluster, by default as for oc.")
	flags.StringVar(&o.junit, "junit", "", "File for the result as JUnit XML.")
	flags.StringVar(&o.versions, "versions", ".", "Folder for the two versions that break an invariant.")
	flags.DurationVar(&o.timeout, "timeout", 4*time.Hour, "How long to wait until an update has begun and everything is updated.")
	return cmd
}
