package main

import (
	"context"
	"os"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/apiserver/pkg/server"
	"k8s.io/component-base/version"
	"k8s.io/utils/clock"

	"github.com/openshift/library-go/pkg/controller/controllercmd"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus"
)

const (
	componentName    = "update-status-controller"
	defaultNamespace = "openshift-update-status-controller"
	lockName         = componentName + "-lock"
)

func newUpdateStatusControllerCommand() *cobra.Command {
	// A signal stops the controller, which writes its last status. Only then the lease is released, by a context of its own.
	leading, release := context.WithCancel(context.Background())
	signalled, signal := context.WithCancel(context.Background())
	var leads atomic.Bool
	var options updatestatus.Options
	var hosted hostedFlags

	run := func(ctx context.Context, controllerContext *controllercmd.ControllerContext) error {
		leads.Store(true)
		defer release()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		stop := context.AfterFunc(signalled, cancel)
		defer stop()
		return updatestatus.Run(ctx, controllerContext, options)
	}
	config := controllercmd.NewControllerCommandConfig(componentName, version.Get(), run, clock.RealClock{})

	cmd := &cobra.Command{
		Use:   componentName,
		Short: "Maintain UpdateStatus/cluster: the progress of the cluster's update and what needs attention",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := logTo(os.Stderr, cmd.Flags()); err != nil {
				return err
			}
			if err := hosted.complete(cmd.Flags(), &options); err != nil {
				return err
			}
			context.AfterFunc(server.SetupSignalContext(), func() {
				endInTime()
				signal()
				if !leads.Load() {
					release()
				}
			})
			return start(leading, config, cmd.Flags(), options, run)
		},
	}
	cmd.AddCommand(newGatherCommand())
	addFlags(cmd, config)
	cmd.Flags().StringVar(&options.AlertsURL, "alerts-url", updatestatus.DefaultAlertsURL,
		"Address of the Thanos querier, from which firing alerts are read during an update. Alerts are not read if it is empty.")
	cmd.Flags().StringVar(&options.AlertsCAFile, "alerts-ca-file", updatestatus.DefaultAlertsCAFile,
		"File with the certificate authority of the Thanos querier.")
	cmd.Flags().Bool("profiling", false, "Serve profiles at /debug/pprof/ and the log level at /debug/flags/v, to those who may get these paths.")
	hosted.add(cmd.Flags())
	return cmd
}

// addFlags adds the flags of controllercmd but for --terminate-on-files, which ends the process without regard to the
// order above. A new file of --config does too: the next leader then writes what this one could not.
func addFlags(cmd *cobra.Command, config *controllercmd.ControllerCommandConfig) {
	config.NewCommandWithContext(context.Background()).Flags().VisitAll(func(flag *pflag.Flag) {
		if flag.Name != "terminate-on-files" {
			cmd.Flags().AddFlag(flag)
		}
	})
	cmd.Flags().BoolVar(&config.DisableLeaderElection, "disable-leader-election", false,
		"Run without a lease. For development: two controllers must not keep the same object.")
	namespace := cmd.Flags().Lookup("namespace")
	namespace.DefValue = defaultNamespace
	namespace.Usage = "Namespace of the controller: its lease and its events are there."
	if err := namespace.Value.Set(defaultNamespace); err != nil {
		panic(err) // a string flag takes any string
	}
	cmd.Flags().Lookup("kubeconfig").Usage = "Kubeconfig of the cluster. Inside of a cluster none is needed."
	cmd.Flags().Lookup("config").Usage = "GenericOperatorConfig (operator.openshift.io/v1alpha1) for serving and leader election."
}
