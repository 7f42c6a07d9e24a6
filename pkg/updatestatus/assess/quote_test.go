package assess_test

import (
	"strings"
	"testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
)

func TestQuote(t *testing.T) {
	const digest = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	for _, test := range []struct {
		name, message, want string
	}{
		{name: "nothing", message: "", want: ""},
		{name: "as it is", message: "etcd is bad", want: "etcd is bad"},
		{name: "lines that begin alike", message: "DaemonSet a is hung\nDaemonSet b is hung", want: "DaemonSet a is hung (and 1 more)"},
		{name: "text of several lines", message: "the disk\n  is full", want: "the disk is full"},
		{
			name:    "the type of a condition",
			message: "NodeInstallerDegraded: 1 nodes are failing on revision 12:",
			want:    "1 nodes are failing on revision 12:",
		},
		{
			name: "the line that names an object",
			message: "NodeInstallerDegraded: 1 nodes are failing on revision 12:\n" +
				"NodeInstallerDegraded: error on revision 12\n" +
				`StaticPodsDegraded: pod/kube-apiserver-a container "kube-apiserver" is waiting: CrashLoopBackOff`,
			want: `pod/kube-apiserver-a container "kube-apiserver" is waiting: CrashLoopBackOff (and 2 more)`,
		},
		{
			name:    "the line with an error",
			message: "AAvailable: all is quiet\nBAvailable: the lookup failed\nBAvailable: the lookup failed",
			want:    "the lookup failed (and 1 more)",
		},
		{
			name:    "the first line, if none says more",
			message: "AProgressing: one\nBProgressing: two",
			want:    "one (and 1 more)",
		},
		{
			name: "several errors",
			message: "Multiple errors are preventing progress:\n* Cluster operator etcd is degraded\n* Could not update deployment \"a/b\" (3 of 9)\n" +
				"* 4 incomplete task nodes, beginning with (1 of 9)\n* context deadline exceeded",
			want: `Could not update deployment "a/b" (3 of 9) (and 1 more)`,
		},
		{
			name:    "a release",
			message: `Retrieving payload failed version="4.20.3" image="quay.io/r@sha256:` + digest + `" failure=timed out`,
			want:    "timed out",
		},
		{
			name: "an object of a provider",
			message: `Failure detected from referenced resource infrastructure.cluster.x-k8s.io/v1beta2, Kind=AWSMachine with name "surge-3": ` +
				`EC2 instance state "terminated" is unexpected`,
			want: `EC2 instance state "terminated" is unexpected`,
		},
		{
			name:    "a release that comes later",
			message: `Unable to load "it", version="4.20.3" image="quay.io/r": m`,
			want:    `Unable to load "it", version="4.20.3" image="quay.io/r": m`,
		},
		{
			name:    "a release without a failure",
			message: `Retrieving payload failed version="4.20.3" image="quay.io/r"`,
			want:    `Retrieving payload failed version="4.20.3" image="quay.io/r"`,
		},
		{
			name:    "images",
			message: "neither a@sha256:" + digest + " nor b@sha256:" + digest + " is signed, nor c@sha256:0123456789abcdef",
			want:    "neither a@sha256:01234567… nor b@sha256:01234567… is signed, nor c@sha256:0123456789abcdef",
		},
		{
			name:    "an image",
			message: "can't pull quay.io/r@sha256:" + digest,
			want:    "can't pull quay.io/r@sha256:01234567…",
		},
		{
			name:    "an error whose end fits",
			message: strings.Repeat("very ", 40) + "long: then: it was refused by the policy of the namespace",
			want:    "… then: it was refused by the policy of the namespace",
		},
		{
			name:    "an error whose end says little",
			message: strings.Repeat("very ", 40) + "long: no",
			want:    strings.Repeat("very ", 29) + "very…",
		},
		{
			name:    "an error whose end is long",
			message: "it failed: " + strings.Repeat("very ", 40) + "long",
			want:    "it failed: " + strings.Repeat("very ", 27) + "ver…",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := assess.Quote(test.message); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// TestUnquoted takes from a summary what a component reports, also where that was cut.
func TestUnquoted(t *testing.T) {
	check := assess.HealthCheck{Texts: assess.Texts{assess.NoCase: {Description: assess.Message}}}
	for name, test := range map[string]struct{ summary, message, want string }{
		"quoted":          {"Node a is degraded: the disk is full", "the disk is full", "Node a is degraded"},
		"cut":             {"Node a is degraded: the disk is fu…; pod b is Failed", "the disk is full", "Node a is degraded"},
		"not quoted":      {"Node a is degraded", "the disk is full", "Node a is degraded"},
		"without message": {"Node a is degraded: why", "", "Node a is degraded: why"},
	} {
		health := &updatev1alpha1.HealthInsight{Reported: &updatev1alpha1.ComponentReport{Message: test.message}}
		health.Impact.Summary = test.summary
		if got := check.Unquoted(health); got != test.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
