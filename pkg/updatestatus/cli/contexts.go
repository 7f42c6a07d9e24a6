package cli

import (
	"context"
	"fmt"
	"io"

	"golang.org/x/sync/errgroup"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
)

// contextsAtATime is how many clusters are read at a time.
const contextsAtATime = 10

// showContexts shows each context of the kubeconfig in one line.
func (o *Options) showContexts(ctx context.Context) error {
	return o.eachContext(ctx, describe.WriteFleet, o.rowOf)
}

// eachContext writes a row about the cluster of each context of the kubeconfig, nil for one of which nothing is known.
func (o *Options) eachContext(
	ctx context.Context, write func(out io.Writer, names []string, rows [][]string) error,
	rowOf func(ctx context.Context, name string, from cluster) ([]string, error),
) error {
	raw, err := o.Getter.ToRawKubeConfigLoader().RawConfig()
	if err != nil {
		return configError(err)
	}
	rows := make([][]string, len(o.Contexts))
	failed := make([]error, len(o.Contexts))
	var reading errgroup.Group
	reading.SetLimit(contextsAtATime)
	for at, name := range o.Contexts {
		reading.Go(func() error {
			from, err := o.clusterOf(raw, name)
			if err == nil {
				rows[at], err = rowOf(ctx, name, from)
			}
			failed[at] = err
			return nil
		})
	}
	_ = reading.Wait()
	if err := write(o.Out, o.Contexts, rows); err != nil {
		return err
	}
	return worst(failed)
}

// clusterOf returns the cluster of a context.
func (o *Options) clusterOf(raw clientcmdapi.Config, name string) (cluster, error) {
	config, err := clientcmd.NewNonInteractiveClientConfig(raw, name, &clientcmd.ConfigOverrides{}, nil).ClientConfig()
	if err != nil {
		return cluster{}, fmt.Errorf("%s: %w", name, configError(err))
	}
	from, err := newCluster(config, target{}, o.clock)
	if err != nil {
		return cluster{}, fmt.Errorf("%s: %w", name, err)
	}
	return from, nil
}

// rowOf returns the cells about the cluster of a context. A status that is outdated or incomplete also has an error, and one with another exit
// status than 0.
func (o *Options) rowOf(ctx context.Context, name string, from cluster) ([]string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, o.requestTimeout, errNoResponse)
	defer cancel()
	observed, err := from.read(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	now := o.clock()
	head := observed.head(now)
	return describe.FleetRow(head, now), o.exitStatusOf(name, head, observed.check(now))
}
