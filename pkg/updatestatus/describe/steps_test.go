package describe

import (
	"strings"
	"testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// TestCommandsAreWrapped checks that a long command is one line off a terminal, and on a terminal several that a shell reads as one: in the head,
// in the details and below a cause.
func TestCommandsAreWrapped(t *testing.T) {
	const words = "oc describe machineconfigpool worker-with-a-long-name.example.com"
	us := load(t, "testdata/causes.yaml")
	informers := us.Status.ControlPlane.Informers
	for _, pool := range us.Status.WorkerPools {
		informers = append(informers, pool.Informers...)
	}
	for _, informer := range informers {
		for at := range informer.Insights {
			if health := informer.Insights[at].Health; health != nil {
				health.Remediation.Commands = []updatev1alpha1.Command{{Argv: strings.Fields(words)}}
			}
		}
	}
	const first, last = "oc describe machineconfigpool \\\n", "worker-with-a-long-name.example.com\n"
	for columns, want := range map[int][]string{
		0: {"               → " + words + "\n", "\n    " + words + "\n", "\n        " + words + "\n"},
		60: {
			"               → " + first + "                   " + last, "\n    " + first + "      " + last, "\n        " + first + "          " + last,
		},
	} {
		got := text(t, us, Options{Now: testNow, Head: Head(read(us, testNow), testNow), Width: columns, Details: DetailsHealth})
		for _, one := range want {
			if !strings.Contains(got, one) {
				t.Errorf("%d columns: it lacks\n%s\nin\n%s", columns, one, got)
			}
		}
	}
}
