package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/pflag"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/component-base/version"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	configv1 "github.com/openshift/api/config/v1"
	operatorv1alpha1 "github.com/openshift/api/operator/v1alpha1"
	configclient "github.com/openshift/client-go/config/clientset/versioned/typed/config/v1"
	"github.com/openshift/library-go/pkg/controller/controllercmd"
	"github.com/openshift/library-go/pkg/operator/events"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus"
)

// endTimeout is how long the process takes at most to end. What it writes last takes some ten seconds at most, but client-go tries to
// release the lease for as long as a leader may go on without renewing it, almost two minutes.
const endTimeout = 12 * time.Second

// endInTime ends the process when it takes too long to end by itself.
func endInTime() {
	time.AfterFunc(endTimeout, func() {
		klog.Background().Info("Exiting without releasing the lease, because the API server does not respond")
		klog.FlushAndExit(time.Second, 1)
	})
}

// start runs the controller in library-go's frame. It is what the StartController of a ControllerCommandConfig does, which takes
// neither the settings of leader election from the file of --config nor what the endpoint is served with from the cluster, and always
// serves profiles.
func start(
	ctx context.Context, config *controllercmd.ControllerCommandConfig, flags *pflag.FlagSet, options updatestatus.Options, run controllercmd.StartFunc,
) error {
	whole, file, content, err := config.Config()
	if err != nil {
		return fmt.Errorf("reading the file of --config: %w", err)
	}
	contents, observed, err := observedFiles(config, file, content, options)
	if err != nil {
		return err
	}
	defer removeMade(file.ServingInfo.CertFile)
	if listen := flags.Lookup("listen").Value.String(); listen != "" {
		file.ServingInfo.BindAddress = listen
	}
	file.LeaderElection.Disable = config.DisableLeaderElection || file.LeaderElection.Disable
	kubeconfig, namespace := flags.Lookup("kubeconfig").Value.String(), flags.Lookup("namespace").Value.String()
	ctx, end := context.WithCancel(ctx)
	defer end()
	context.AfterFunc(ctx, endInTime)
	// The profile of a management cluster is none of a hosted cluster's.
	if file.ServingInfo.MinTLSVersion == "" && !options.IsHosted() {
		if err := followTLS(ctx, end, kubeconfig, &file.ServingInfo.ServingInfo); err != nil {
			return err
		}
	}
	// The next process has the new files.
	changed := make(chan struct{})
	go func() {
		select {
		case <-changed:
			end()
		case <-ctx.Done():
		}
	}()
	builder := controllercmd.NewController(componentName, run, clock.RealClock{})
	if options.IsHosted() {
		klog.FromContext(ctx).Info("Starting", "version", version.Get().GitVersion, "hostedCluster", options.HostedCluster)
		if err := servePlain(ctx, end, file.ServingInfo.BindAddress); err != nil {
			return err
		}
		builder = builder.WithTopologyDetector(hostedTopology{})
	} else {
		profiling := flags.Lookup("profiling").Value.String() == "true"
		if err := (endpoint{file: file, kubeconfig: kubeconfig, namespace: namespace, profiling: profiling}).serve(ctx, end); err != nil {
			return err
		}
		// The metric of the build is named after the namespace: each hosted cluster would have one of another name.
		builder = builder.WithVersion(version.Get())
	}
	return builder.
		WithKubeConfigFile(kubeconfig, nil).
		WithComponentNamespace(namespace).
		WithLeaderElection(file.LeaderElection, namespace, lockName).
		WithEventRecorderOptions(events.RecommendedClusterSingletonCorrelatorOptions()).
		WithRestartOnChange(changed, contents, observed...).
		Run(ctx, whole)
}

// observedFiles returns the files at whose change the process ends, and what they have now. It adds the serving certificate to the file of --config.
func observedFiles(
	config *controllercmd.ControllerCommandConfig, file *operatorv1alpha1.GenericOperatorConfig, content []byte, options updatestatus.Options,
) (contents map[string][]byte, observed []string, err error) {
	contents = map[string][]byte{}
	if !options.IsHosted() {
		if contents, observed, err = config.AddDefaultRotationToConfig(file, content); err != nil {
			return nil, nil, fmt.Errorf("preparing the serving certificate: %w", err)
		}
	}
	if options.HostedKubeconfig != "" {
		// Its certificates are renewed.
		if contents[options.HostedKubeconfig], err = os.ReadFile(options.HostedKubeconfig); err != nil {
			return nil, nil, fmt.Errorf("reading the file of --hosted-kubeconfig: %w", err)
		}
		observed = append(observed, options.HostedKubeconfig)
	}
	return contents, observed, nil
}

// removeMade removes the folder of a certificate that library-go has made because there is none (AddDefaultRotationToConfig in
// pkg/controller/controllercmd/cmd.go), and which it would leave behind.
func removeMade(certFile string) {
	folder := filepath.Dir(certFile)
	if isMade, err := filepath.Match(filepath.Join(os.TempDir(), "serving-cert-*"), folder); err == nil && isMade {
		_ = os.RemoveAll(folder) // the process ends
	}
}

// hostedTopology is that by which library-go selects how often the lease of a hosted cluster's controller is renewed: once a minute,
// as those of operators on a single node are, and not every 26 seconds. The leases of a thousand hosted clusters are most of what
// their controllers cost an idle management cluster (docs/updatestatus/benchmark-hosted.md).
type hostedTopology struct{}

// DetectTopology is part of controllercmd.TopologyDetector.
func (hostedTopology) DetectTopology(context.Context, *rest.Config) (configv1.TopologyMode, error) {
	return configv1.SingleReplicaTopologyMode, nil
}

// followTLS serves with the TLS security profile of the cluster, and ends the process when that is another: the next one serves
// with it.
func followTLS(ctx context.Context, end context.CancelFunc, kubeconfig string, serving *configv1.ServingInfo) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return fmt.Errorf("reading the kubeconfig: %w", err)
	}
	client, err := configclient.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("building a client of config.openshift.io: %w", err)
	}
	get := func(ctx context.Context) (*configv1.APIServer, error) {
		return client.APIServers().Get(ctx, "cluster", metav1.GetOptions{})
	}
	served := updatestatus.ReadServingTLS(ctx, get)
	serving.MinTLSVersion, serving.CipherSuites = served.MinTLSVersion, served.CipherSuites
	go func() {
		updatestatus.AwaitOtherTLS(ctx, get, served)
		if ctx.Err() == nil {
			klog.FromContext(ctx).Info("The TLS security profile of the cluster changed, exiting to restart with the new profile")
			end()
		}
	}()
	return nil
}
