package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/types"

	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/hosted"
	"github.com/openshift/cluster-version-operator/test/updatestatus/manifests"
	"github.com/openshift/cluster-version-operator/test/updatestatus/playback"
)

// hostedFlag selects the hosted cluster that is played.
const hostedFlag = "--hosted-cluster=" + hosted.Namespace + "/" + hosted.Name

// playHosted shows the update of a hosted cluster from its start to its end.
func playHosted(ctx context.Context, console *console, options options) error {
	console.say(`This demo needs no cluster. It plays the update of a hosted cluster, in about %s:
  - two real control planes are started: that of the management cluster, and that of the hosted one;
  - the controller runs in the management cluster, with the permissions that manifests/hypershift gives it;
  - what HyperShift, the Cluster API, kubelets and operators would write is written by actors. The release is asked for by
    its tag. The nodes of pool surge are replaced, those of pool metal are updated in place, and one of these fails;
  - you see the HostedClusterUpdateStatus as text while that happens, then what a service provider looks at: whether the
    management side runs the new version, all hosted clusters, what stops the pool, and where the report is.
Ctrl-C ends it at any time. Nothing but the report is left behind.
`, options.duration)
	management := controlplane.Options{Bare: true, Hosted: true}
	return withControlPlane(ctx, console, management, func(setup *setup) (err error) {
		setup.console.say("Starting the control plane of the hosted cluster ...")
		other, err := controlplane.Start(ctx, controlplane.Options{Bare: true})
		if err != nil {
			return fmt.Errorf("starting the control plane of the hosted cluster: %w", err)
		}
		defer func() { err = errors.Join(err, other.Stop()) }()
		process, err := setup.deployHosted(ctx, other)
		if err != nil {
			return err
		}
		return setup.withProcess(ctx, process, func(ctx context.Context) error { return setup.playHosted(ctx, other, options) })
	})
}

// deployHosted installs the controller of the hosted cluster, and returns how to run it.
func (s *setup) deployHosted(ctx context.Context, other *controlplane.ControlPlane) (harness.ProcessOptions, error) {
	err := s.plane.InstallHyperShift(ctx, manifests.Hosted{
		Namespace: hosted.Namespace, Name: hosted.Name, ControlPlaneNamespace: hosted.ControlPlaneNamespace, Image: controlplane.Image,
	})
	if err != nil {
		return harness.ProcessOptions{}, fmt.Errorf("installing manifests/hypershift: %w", err)
	}
	account := types.NamespacedName{Namespace: hosted.ControlPlaneNamespace, Name: controlplane.ServiceAccount.Name}
	kubeconfig, err := s.plane.Kubeconfig(ctx, account)
	if err != nil {
		return harness.ProcessOptions{}, fmt.Errorf("writing the kubeconfig of the controller: %w", err)
	}
	if err := other.InstallHosted(ctx); err != nil {
		return harness.ProcessOptions{}, fmt.Errorf("granting the controller what it reads of the hosted cluster: %w", err)
	}
	hostedKubeconfig, err := other.Kubeconfig(ctx, controlplane.ServiceAccount)
	if err != nil {
		return harness.ProcessOptions{}, fmt.Errorf("writing the kubeconfig of the hosted cluster: %w", err)
	}
	return harness.ProcessOptions{Kubeconfig: kubeconfig, Flags: []string{
		"--namespace", hosted.ControlPlaneNamespace, hostedFlag, "--hosted-kubeconfig", hostedKubeconfig,
	}}, nil
}

// playHosted plays the update, and shows it meanwhile and afterwards.
func (s *setup) playHosted(ctx context.Context, other *controlplane.ControlPlane, options options) error {
	writer, err := hosted.NewWriter(s.plane.Admin(), other.Admin())
	if err != nil {
		return fmt.Errorf("making clients for the actors: %w", err)
	}
	start := time.Now().Add(lead)
	pools := hosted.DefaultPools()
	for at := range pools {
		pools[at].Failing = pools[at].UpgradeType == hosted.InPlace
	}
	update := hosted.Play(hosted.Script{Start: start, Length: options.duration, Pools: pools, ByTag: true})
	s.console.say("Creating the hosted cluster ...")
	for _, write := range update.Before {
		if err := writer.Apply(ctx, write); err != nil {
			return fmt.Errorf("creating the hosted cluster: %w", err)
		}
	}
	if err := s.kubectl(ctx, "wait", "--for=create", "hostedclusterupdatestatus/"+hosted.Name, "--namespace", hosted.Namespace, "--timeout=1m"); err != nil {
		return err
	}
	group, during := errgroup.WithContext(ctx)
	// The update never completes, so that the watch is ended.
	watching, played := context.WithCancel(during)
	group.Go(func() error {
		defer played()
		for _, write := range update.Update {
			if err := playback.RealTime(during, write.Time); err != nil {
				return context.Cause(during)
			}
			if err := writer.Apply(during, write); err != nil {
				return fmt.Errorf("playing the update: %w", err)
			}
		}
		return nil
	})
	group.Go(func() error {
		err := s.client(watching, hostedFlag, "--watch", "--wait-for-start")
		if watching.Err() != nil {
			return nil
		}
		return err
	})
	if err := group.Wait(); err != nil {
		return err
	}
	// Nothing is left to update but a node that fails.
	for _, state := range []string{"controlPlane.management.state}=Completed", "controlPlane.dataPlane.state}=Completed", "nodes.degraded}=1"} {
		if err := s.kubectl(ctx, "wait", "--for=jsonpath={.status."+state, "hostedclusterupdatestatussummary/"+hosted.Name,
			"--namespace", hosted.Namespace, "--timeout=1m"); err != nil {
			return err
		}
	}
	return s.showHosted(ctx)
}

// showHosted shows what a service provider looks at.
func (s *setup) showHosted(ctx context.Context) error {
	if err := s.kubectl(ctx, "get", "hostedclusterupdatestatussummaries", "--all-namespaces"); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"--hosted-clusters"}, {hostedFlag, "--watch", "--for=management"}, {hostedFlag, "--details=health"}, {hostedFlag, "--timeline"},
	} {
		if err := s.client(ctx, args...); err != nil {
			return err
		}
	}
	if err := s.report(ctx, filepath.Join("bin", "demo-hypershift-report.html"), hostedFlag); err != nil {
		return err
	}
	s.console.say("\nHow it is run in a management cluster: docs/updatestatus/hypershift.md.")
	return s.console.err
}
