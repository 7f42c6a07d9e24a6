package main

import (
	"cmp"
	"context"
	"fmt"
	"net"

	"k8s.io/apiserver/pkg/authorization/union"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/component-base/version"
	"k8s.io/klog/v2"
	"k8s.io/utils/ptr"

	configv1 "github.com/openshift/api/config/v1"
	operatorv1alpha1 "github.com/openshift/api/operator/v1alpha1"
	"github.com/openshift/library-go/pkg/authorization/hardcodedauthorizer"
	"github.com/openshift/library-go/pkg/config/configdefaults"
	"github.com/openshift/library-go/pkg/config/serving"
)

// endpoint is what serves metrics and probes.
type endpoint struct {
	file                  *operatorv1alpha1.GenericOperatorConfig
	kubeconfig, namespace string
	// profiling is whether profiles are served, too.
	profiling bool
}

// serve serves metrics and probes until the context ends; if that fails later, it calls end. It does what WithServer of a
// ControllerBuilder does (openshift/library-go, pkg/controller/controllercmd/builder.go), which always serves profiles.
func (e endpoint) serve(ctx context.Context, end context.CancelFunc) error {
	// With port 0 library-go has no address to serve on, and panics.
	if _, port, err := net.SplitHostPort(e.file.ServingInfo.BindAddress); err == nil && port == "0" {
		return fmt.Errorf("the address to serve on, %s, has no port: set one with --listen", e.file.ServingInfo.BindAddress)
	}
	config, err := clientcmd.BuildConfigFromFlags("", e.kubeconfig)
	if err != nil {
		return fmt.Errorf("reading the kubeconfig: %w", err)
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("building a client of Kubernetes: %w", err)
	}
	// With its lease library-go checks whether the API server responds.
	lease := &configv1.LeaderElection{
		Disable:   e.file.LeaderElection.Disable,
		Namespace: cmp.Or(e.file.LeaderElection.Namespace, e.namespace),
		Name:      cmp.Or(e.file.LeaderElection.Name, lockName),
	}
	configdefaults.SetRecommendedHTTPServingInfoDefaults(&e.file.ServingInfo)
	serverConfig, err := serving.ToServerConfig(
		ctx, e.file.ServingInfo, e.file.Authentication, e.file.Authorization, e.kubeconfig, client, lease, false, ptr.To(version.Get()),
	)
	if err != nil {
		return fmt.Errorf("preparing to serve metrics and probes: %w", err)
	}
	serverConfig.EnableProfiling = e.profiling
	serverConfig.EnableDiscovery = false // there are no API groups
	// Prometheus may read metrics, by the name in its certificate, without a request to the API server.
	serverConfig.Authorization.Authorizer = union.New(hardcodedauthorizer.NewHardCodedMetricsAuthorizer(), serverConfig.Authorization.Authorizer)
	server, err := serverConfig.Complete(nil).New(componentName, genericapiserver.NewEmptyDelegate())
	if err != nil {
		return fmt.Errorf("preparing to serve metrics and probes: %w", err)
	}
	go func() {
		if err := server.PrepareRun().RunWithContext(ctx); err != nil {
			klog.FromContext(ctx).Error(err, "Unable to serve metrics and probes, exiting")
			end()
		}
	}()
	return nil
}
