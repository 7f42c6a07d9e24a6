package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/component-base/version"

	"github.com/openshift/cluster-version-operator/pkg/cli"
	"github.com/openshift/cluster-version-operator/pkg/describe"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	streams := genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr}
	cmd := newCommand(os.Args[0], streams)
	cmd.SetArgs(argsOf(os.Args))
	err := cmd.ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", describe.OneLine(err.Error()))
		os.Exit(1)
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

// newCommand returns the command with the name that its user types.
func newCommand(binary string, streams genericiooptions.IOStreams) *cobra.Command {
	flags := genericclioptions.NewConfigFlags(true)
	cmd := cli.NewCommand(flags, streams)
	flags.AddFlags(cmd.Flags())
	client := "oc"
	if strings.HasPrefix(filepath.Base(binary), "kubectl-") {
		client = "kubectl"
	}
	name := client + " update status"
	cmd.Example = strings.NewReplacer(cli.Name, name, "oc get", client+" get").Replace(cmd.Example)
	cmd.Use = filepath.Base(binary)
	cmd.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: name}
	cmd.Version = fmt.Sprintf("%s (commit %s)", version.Get().GitVersion, version.Get().GitCommit)
	return cmd
}
