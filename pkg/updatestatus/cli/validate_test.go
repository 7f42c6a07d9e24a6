package cli

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/cli-runtime/pkg/genericiooptions"
)

// allFlags are the flags that exclude or need others, and values that are refused.
var allFlags = []string{
	"-f=x", "--must-gather=x", "--now=2026-01-01T00:00:00Z", "--watch", "--for=workers", "--wait-for-start", "--timeout=1h", "--remind=1h", "--history",
	"--history=4.20.1", "--timeline", "--exit-code", "--fail-on=error", "--hosted-cluster=a/b", "--hosted-clusters", "--contexts=x", "-o=json", "-o=markdown",
	"--details=some", "--color=pink", "--for=pool/", "--fail-on=errors", "--timeout=-1h", "--remind=1ms", "--summary",
}

func validate(t *testing.T, args ...string) error {
	t.Helper()
	streams, _, _, _ := genericiooptions.NewTestIOStreams()
	o := newOptions(nil, streams)
	if err := o.newCommand().ParseFlags(args); err != nil {
		t.Fatal(err)
	}
	return o.Validate()
}

// TestValidate checks each flag and each pair of flags against testdata/validate.txt, which has the error of each that is refused.
func TestValidate(t *testing.T) {
	var got strings.Builder
	for at, one := range allFlags {
		if err := validate(t, one); err != nil {
			fmt.Fprintf(&got, "%s\n    %v\n", one, err)
		}
		for _, other := range allFlags[at+1:] {
			if err := validate(t, one, other); err != nil {
				fmt.Fprintf(&got, "%s %s\n    %v\n", one, other, err)
			}
		}
	}
	if diff := cmp.Diff(content(t, "testdata/validate.txt"), got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSummaryWatchNeedsFormat checks that a watch shows the summary only as documents.
func TestSummaryWatchNeedsFormat(t *testing.T) {
	if err := validate(t, "--summary", "--watch", "-o=json"); err != nil {
		t.Error(err)
	}
	if err := validate(t, "--summary", "--watch"); err == nil || err.Error() != summaryText {
		t.Errorf("got %v", err)
	}
}

// TestRules checks that the flags of each rule exist and are named in its error.
func TestRules(t *testing.T) {
	streams, _, _, _ := genericiooptions.NewTestIOStreams()
	used := newOptions(nil, streams).used()
	for _, one := range rules {
		names := slices.Concat(one.flags, one.excluded)
		if one.needed != "" {
			names = append(names, one.needed)
		}
		for _, name := range names {
			if _, known := used[name]; !known || !strings.Contains(one.text, name) {
				t.Errorf("%s is unknown, or not in %q", name, one.text)
			}
		}
	}
}
