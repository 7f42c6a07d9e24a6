package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/types"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus"
)

// hostedFlags are the flags of the controller of a hosted cluster.
type hostedFlags struct {
	cluster, kubeconfig string
}

func (f *hostedFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.cluster, "hosted-cluster", "",
		"NAMESPACE/NAME of a HostedCluster: maintain its HostedClusterUpdateStatus instead of UpdateStatus/cluster. The controller runs in\n"+
			"the management cluster, --namespace is that of the hosted control plane. It serves metrics and probes over HTTP, at the address\n"+
			"of --listen, and nothing without.")
	flags.StringVar(&f.kubeconfig, "hosted-kubeconfig", "",
		"Kubeconfig of the hosted cluster. Without it nothing is known of its cluster operators and nodes but what the management cluster has.")
}

// complete sets the options that the flags ask for.
func (f *hostedFlags) complete(flags *pflag.FlagSet, options *updatestatus.Options) error {
	if f.cluster == "" {
		if f.kubeconfig != "" {
			return errors.New("--hosted-kubeconfig needs --hosted-cluster, the HostedCluster that it is the kubeconfig of")
		}
		return nil
	}
	namespace, name, isWhole := strings.Cut(f.cluster, "/")
	if !isWhole || namespace == "" || name == "" || strings.Contains(name, "/") {
		return fmt.Errorf("--hosted-cluster must be NAMESPACE/NAME of a HostedCluster, not %q", f.cluster)
	}
	if !flags.Changed("namespace") {
		return errors.New("--hosted-cluster needs --namespace, the namespace of the hosted control plane")
	}
	options.HostedCluster = types.NamespacedName{Namespace: namespace, Name: name}
	options.HostedKubeconfig = f.kubeconfig
	return nil
}
