package cli

import (
	"bytes"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
)

// newOC returns a stand-in for oc, with its flags about the cluster and this command as `oc adm upgrade status`. Oc's factory is a
// RESTClientGetter of these flags.
func newOC(streams genericiooptions.IOStreams) *cobra.Command {
	oc := &cobra.Command{Use: "oc", SilenceErrors: true, SilenceUsage: true}
	flags := genericclioptions.NewConfigFlags(true)
	flags.AddFlags(oc.PersistentFlags())
	adm, upgrade := &cobra.Command{Use: "adm"}, &cobra.Command{Use: "upgrade"}
	oc.AddCommand(adm)
	adm.AddCommand(upgrade)
	upgrade.AddCommand(NewCommand(flags, streams, ClassicOffTerminal))
	oc.SetOut(streams.Out)
	return oc
}

// TestInOC: the command reads the cluster that the flags of oc select, wherever they stand.
func TestInOC(t *testing.T) {
	api := serve(t, map[string]response{updateStatusPath: objectResponse(t, content(t, updateStatusFile))})
	for _, line := range []string{"adm upgrade status -o name --server " + api.url, "--server " + api.url + " adm upgrade status -o name"} {
		var out bytes.Buffer
		oc := newOC(genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: io.Discard})
		oc.SetArgs(strings.Fields(line))
		if err := oc.ExecuteContext(t.Context()); err != nil || out.String() != "updatestatus.update.openshift.io/cluster\n" {
			t.Errorf("%s: %v\n%s", line, err, out.String())
		}
	}
}

// TestOCFlags: the flag of today's command is there with its values, none of ours hides one of oc's, and help has the full name.
func TestOCFlags(t *testing.T) {
	var out bytes.Buffer
	oc := newOC(genericiooptions.IOStreams{Out: &out, ErrOut: io.Discard})
	status, _, err := oc.Find([]string{"adm", "upgrade", "status"})
	if err != nil {
		t.Fatal(err)
	}
	if details := status.Flags().Lookup("details"); details == nil || details.DefValue != "none" {
		t.Errorf("--details is %v", details)
	}
	if want := []string{"none", "all", "nodes", "health", "operators"}; !slices.Equal(detailNames(), want) {
		t.Errorf("--details takes %v", detailNames())
	}
	status.LocalFlags().VisitAll(func(flag *pflag.Flag) {
		theirs := oc.PersistentFlags()
		if theirs.Lookup(flag.Name) != nil && theirs.Lookup(flag.Name) != flag || flag.Shorthand != "" && theirs.ShorthandLookup(flag.Shorthand) != nil && theirs.ShorthandLookup(flag.Shorthand) != flag {
			t.Errorf("--%s, -%s is one of oc's", flag.Name, flag.Shorthand)
		}
	})
	oc.SetArgs([]string{"adm", "upgrade", "status", "--help"})
	if err := oc.Execute(); err != nil || !strings.Contains(out.String(), "\n  "+Name+" [flags]") || !strings.Contains(out.String(), "\n  "+Name+" --details=all\n") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// TestOCDependencies: what the command imports is vendored by oc already, but for the module that measures and wraps text.
func TestOCDependencies(t *testing.T) {
	vendored := []string{
		"github.com/blang/semver/v4", "github.com/charmbracelet/x/ansi", "github.com/go-logr/logr", "github.com/openshift/api", "github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/sync",
		"golang.org/x/term", "golang.org/x/text", "k8s.io/api", "k8s.io/apimachinery", "k8s.io/cli-runtime", "k8s.io/client-go", "k8s.io/klog/v2", "k8s.io/kubectl",
		"k8s.io/utils", "go.yaml.in/yaml/v3", "sigs.k8s.io/yaml",
	}
	const own = "github.com/openshift/cluster-version-operator/"
	list := func(arguments ...string) []string {
		t.Helper()
		output, err := exec.CommandContext(t.Context(), "go", append([]string{"list"}, arguments...)...).Output()
		if err != nil {
			t.Fatalf("go list %v: %v", arguments, err)
		}
		return strings.Fields(string(output))
	}
	packages := slices.DeleteFunc(list("-deps", "."), func(path string) bool { return !strings.HasPrefix(path, own) })
	if len(packages) < 5 {
		t.Fatalf("only %v", packages)
	}
	for _, imported := range list(append([]string{"-f", `{{join .Imports "\n"}}`}, packages...)...) {
		isTheirs := func(module string) bool { return imported == module || strings.HasPrefix(imported, module+"/") }
		if strings.Contains(imported, ".") && !strings.HasPrefix(imported, own) && !slices.ContainsFunc(vendored, isTheirs) {
			t.Errorf("%s is imported", imported)
		}
	}
}
