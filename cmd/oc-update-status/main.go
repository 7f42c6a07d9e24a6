package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/go-logr/logr"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	apiversion "k8s.io/apimachinery/pkg/version"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/util/exec"
	"k8s.io/component-base/version"
	"k8s.io/klog/v2"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/cli"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	streams := genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr}
	cmd := newCommand(os.Args[0], streams)
	cmd.SetArgs(argsOf(os.Args))
	err := cmd.ExecuteContext(ctx)
	stop()
	var status exec.CodeExitError
	switch {
	case errors.As(err, &status):
		os.Exit(status.Code)
	case err != nil:
		fmt.Fprintln(os.Stderr, "error:", describe.OneLine(err.Error()))
		os.Exit(1)
	}
}

// addVerbosity adds -v of klog, with which requests are logged as in kubectl. Without it client-go logs nothing: a warning of its own would be
// between the lines of a watch.
func addVerbosity(cmd *cobra.Command) {
	logging := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(logging)
	verbosity := pflag.PFlagFromGoFlag(logging.Lookup("v"))
	verbosity.Usage = "Verbosity of the log on standard error; 6 logs the requests."
	cmd.PersistentFlags().AddFlag(verbosity)
	cmd.PersistentPreRun = func(*cobra.Command, []string) {
		if !verbosity.Changed {
			klog.SetLogger(logr.Discard())
		}
	}
}

// argsOf returns the arguments of the command. With the name of a plugin's completion, kubectl_complete-… or oc_complete-…,
// the arguments are those to complete.
func argsOf(osArgs []string) []string {
	if strings.Contains(filepath.Base(osArgs[0]), "_complete-") {
		return append([]string{cobra.ShellCompRequestCmd}, osArgs[1:]...)
	}
	return osArgs[1:]
}

// newCommand returns the command with the name that its user types: that of the binary.
func newCommand(binary string, streams genericiooptions.IOStreams) *cobra.Command {
	flags, name := genericclioptions.NewConfigFlags(true), strings.TrimSuffix(filepath.Base(binary), ".exe")
	client, typed := typedAs(name)
	cmd, usual := cli.NewCommand(flags, streams), cli.Name
	switch {
	case isNamed(typed, "report"):
		cmd, usual = cli.NewReportCommand(flags, streams), cli.ReportName
	case isNamed(typed, "rehearse"):
		cmd, usual = cli.NewRehearseCommand(flags, streams), cli.RehearseName
	}
	connection := pflag.NewFlagSet("connection", pflag.ContinueOnError)
	flags.AddFlags(connection)
	// Persistent: they are also those of the subcommands.
	cmd.PersistentFlags().AddFlagSet(connection)
	cmd.SetUsageFunc(usageOf(connection))
	cmd.CompletionOptions.DisableDefaultCmd = true // the client completes its plugins
	cli.CompleteContexts(cmd, "context", flags)
	addVerbosity(cmd)
	names := strings.NewReplacer(
		usual, client+" "+typed, cli.Name, client+" "+strings.Replace(typed, "report", "status", 1),
		cli.ReportName, client+" "+strings.Replace(typed, "status", "report", 1), "oc get", client+" get")
	for _, one := range append(cmd.Commands(), cmd) {
		one.Example = names.Replace(one.Example)
	}
	cmd.Use = name
	cmd.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: client + " " + typed}
	cmd.Version = versionOf(version.Get(), debug.ReadBuildInfo)
	return cmd
}

// isNamed returns whether what is typed is a command of an update.
func isNamed(typed, name string) bool {
	return strings.HasSuffix(typed, "update-"+name) || strings.HasSuffix(typed, "update "+name)
}

// versionOf returns the version that the Makefile sets, or else the one that `go install` stamps.
func versionOf(info apiversion.Info, build func() (*debug.BuildInfo, bool)) string {
	const unset = "$Format"
	if !strings.Contains(info.GitVersion, unset) {
		return fmt.Sprintf("%s (commit %s)", info.GitVersion, info.GitCommit)
	}
	if stamped, ok := build(); ok && stamped.Main.Version != "" {
		return stamped.Main.Version
	}
	return "unknown"
}

// typedAs returns the client and the command that the user of a plugin types, by the name of its binary. Krew, with which plugins of
// kubectl are installed, writes an underscore for a hyphen of the command: kubectl-openshift_update_status is for
// `kubectl openshift-update-status`.
func typedAs(name string) (client, command string) {
	client, command, isPlugin := strings.Cut(name, "-")
	if !isPlugin || client != "oc" && client != "kubectl" {
		return "oc", "update status"
	}
	return client, strings.NewReplacer("-", " ", "_", "-").Replace(command)
}

// usageOf returns a UsageFunc that lists the flags of a command itself first, and then those that select the cluster and the user.
func usageOf(connection *pflag.FlagSet) func(*cobra.Command) error {
	return func(cmd *cobra.Command) error {
		own := pflag.NewFlagSet("own", pflag.ContinueOnError)
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			if connection.Lookup(flag.Name) == nil {
				own.AddFlag(flag)
			}
		})
		_, err := fmt.Fprintf(cmd.OutOrStderr(), "Usage:\n  %s\n%s\nExamples:\n%s\n\nFlags:\n%s\nFlags for the cluster and the user:\n%s",
			cmd.UseLine(), subcommands(cmd), cmd.Example, own.FlagUsages(), connection.FlagUsages())
		return err //nolint:wrapcheck // nothing else can be wrong
	}
}

// subcommands returns a line for each subcommand, with what it does.
func subcommands(cmd *cobra.Command) string {
	lines := ""
	for _, one := range cmd.Commands() {
		if one.Name() != "help" {
			lines += fmt.Sprintf("  %-*s   %s\n", len(cmd.UseLine()), one.CommandPath(), one.Short)
		}
	}
	return lines
}
