package cli

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/openshift/cluster-version-operator/pkg/describe"
)

// contextsAtATime is how many clusters are read at a time.
const contextsAtATime = 10

// showContexts shows each context of the kubeconfig in one line.
func (o *Options) showContexts(ctx context.Context) error {
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
			rows[at], failed[at] = o.rowOf(ctx, raw, name)
			return nil
		})
	}
	_ = reading.Wait()
	if err := describe.WriteFleet(o.Out, o.Contexts, rows); err != nil {
		return err
	}
	return worst(failed)
}

// rowOf returns the cells about the cluster of a context. A status that is outdated or incomplete also has an error, and one with another exit
// status than 0.
func (o *Options) rowOf(ctx context.Context, raw clientcmdapi.Config, name string) ([]string, error) {
	config, err := clientcmd.NewNonInteractiveClientConfig(raw, name, &clientcmd.ConfigOverrides{}, nil).ClientConfig()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, configError(err))
	}
	from, err := newCluster(config, target{}, o.clock)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
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
