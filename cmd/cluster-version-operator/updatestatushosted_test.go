package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/types"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus"
)

func TestHostedFlags(t *testing.T) {
	east := types.NamespacedName{Namespace: "clusters", Name: "east"}
	for name, test := range map[string]struct {
		arguments []string
		want      updatestatus.Options
		err       string
	}{
		"none": {},
		"both": {
			arguments: []string{"--hosted-cluster=clusters/east", "--hosted-kubeconfig=file", "--namespace=clusters-east"},
			want:      updatestatus.Options{HostedCluster: east, HostedKubeconfig: "file"},
		},
		"without a kubeconfig": {
			arguments: []string{"--hosted-cluster=clusters/east", "--namespace=clusters-east"}, want: updatestatus.Options{HostedCluster: east},
		},
		"without a hosted cluster": {
			arguments: []string{"--hosted-kubeconfig=file"},
			err:       "--hosted-kubeconfig needs --hosted-cluster, the HostedCluster that it is the kubeconfig of",
		},
		"without a namespace": {
			arguments: []string{"--hosted-cluster=clusters/east"}, err: "--hosted-cluster needs --namespace, the namespace of the hosted control plane",
		},
		"a name alone": {
			arguments: []string{"--hosted-cluster=east", "--namespace=a"}, err: `--hosted-cluster must be NAMESPACE/NAME of a HostedCluster, not "east"`,
		},
		"an empty namespace": {
			arguments: []string{"--hosted-cluster=/east", "--namespace=a"}, err: `--hosted-cluster must be NAMESPACE/NAME of a HostedCluster, not "/east"`,
		},
		"an empty name": {
			arguments: []string{"--hosted-cluster=clusters/", "--namespace=a"}, err: `--hosted-cluster must be NAMESPACE/NAME of a HostedCluster, not "clusters/"`,
		},
		"three parts": {
			arguments: []string{"--hosted-cluster=a/b/c", "--namespace=a"}, err: `--hosted-cluster must be NAMESPACE/NAME of a HostedCluster, not "a/b/c"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			flags := pflag.NewFlagSet("", pflag.ContinueOnError)
			flags.String("namespace", defaultNamespace, "")
			hosted, got, message := &hostedFlags{}, updatestatus.Options{}, ""
			hosted.add(flags)
			if err := flags.Parse(test.arguments); err != nil {
				t.Fatal(err)
			}
			if err := hosted.complete(flags, &got); err != nil {
				message = err.Error()
			}
			if message != test.err {
				t.Errorf("got the error %q, want %q", message, test.err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
