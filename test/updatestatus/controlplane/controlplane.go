package controlplane

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// Options say what a control plane is to be like.
type Options struct {
	// Without are resources whose CRDs are left out, as in clusters that do not have them. Install brings them in later.
	Without []schema.GroupResource
	// Bare is whether the manifests are left out: to install them is up to the caller.
	Bare bool
	// Hosted is whether the manifests for hosted clusters are there as well, as in a management cluster.
	Hosted bool
	// APIServerFlags are flags of kube-apiserver (without dashes), in addition to or instead of the usual ones.
	APIServerFlags map[string]string
	// Audited, if it is not empty, is the one whose requests are recorded: see Requests.
	Audited types.NamespacedName
}

// ControlPlane is a running control plane.
type ControlPlane struct {
	dir         string
	logs        []*os.File
	environment *envtest.Environment
	admin       *rest.Config
	killed      map[Component]killed
	revived     map[Component]*exec.Cmd
	// held are what keeps its ports free, and its room.
	held []io.Closer
	// guard removes what is left of it, however this process ends.
	guard *guard
}

// Start starts a control plane with the CRDs of OpenShift and the objects of manifests/. The caller stops it.
func Start(ctx context.Context, options Options) (*ControlPlane, error) {
	binaries, err := findBinaries()
	if err != nil {
		return nil, err
	}
	contents, err := readContents(ctx, options)
	if err != nil {
		return nil, err
	}
	snapshot, err := contents.snapshot(ctx, binaries)
	if err != nil {
		return nil, fmt.Errorf("snapshot of the control plane: %w", err)
	}
	return start(ctx, binaries, options, snapshot)
}

// start starts a control plane with a copy of a folder with data of etcd, or with none if the folder is empty.
func start(ctx context.Context, binaries string, options Options, snapshot string) (*ControlPlane, error) {
	dir, err := os.MkdirTemp("", "control-plane-")
	if err != nil {
		return nil, err
	}
	plane := &ControlPlane{dir: dir}
	if err := plane.start(ctx, binaries, options, snapshot); err != nil {
		return nil, errors.Join(err, plane.Stop())
	}
	return plane, nil
}

func (c *ControlPlane) start(ctx context.Context, binaries string, options Options, snapshot string) (err error) {
	// Otherwise the library complains that nobody told it where to log.
	setLogger()

	if c.guard, err = startGuard(c.dir); err != nil {
		return err
	}
	environment, err := c.configure(ctx, binaries, options)
	if err != nil {
		return err
	}
	if snapshot != "" {
		if err := os.CopyFS(environment.ControlPlane.Etcd.DataDir, os.DirFS(snapshot)); err != nil {
			return fmt.Errorf("copying the data of etcd: %w", err)
		}
	}
	c.environment = environment
	if c.admin, err = environment.Start(); err != nil {
		return fmt.Errorf("control plane: %w%s", err, tailOfLogs(c.dir))
	}
	// The client's own rate limiter must not be what a test measures.
	c.admin.QPS = -1
	return nil
}

func (c *ControlPlane) configure(ctx context.Context, binaries string, options Options) (*envtest.Environment, error) {
	etcdLog, err := c.log(etcdBinary)
	if err != nil {
		return nil, err
	}
	serverLog, err := c.log(apiServerBinary)
	if err != nil {
		return nil, err
	}
	etcd := &envtest.Etcd{
		Path:    filepath.Join(binaries, etcdBinary),
		DataDir: filepath.Join(c.dir, "etcd"),
		Err:     etcdLog,
	}
	environment := &envtest.Environment{
		UseExistingCluster: ptr.To(false), ControlPlaneStartTimeout: hangTimeout, ControlPlaneStopTimeout: hangTimeout,
	}
	environment.ControlPlane.Etcd = etcd
	environment.ControlPlane.KubectlPath = filepath.Join(binaries, kubectlBinary)
	server := environment.ControlPlane.GetAPIServer()
	server.Path = filepath.Join(binaries, apiServerBinary)
	server.CertDir = filepath.Join(c.dir, "apiserver")
	server.Err = serverLog
	if err := c.listenAt(ctx, etcd, server); err != nil {
		return nil, err
	}
	flags, err := aggregatorFlags(c.dir)
	if err != nil {
		return nil, err
	}
	if options.Audited != (types.NamespacedName{}) {
		audit, err := auditFlags(c.dir, options.Audited)
		if err != nil {
			return nil, err
		}
		maps.Copy(flags, audit)
	}
	// A ServiceAccount needs a controller to be usable, and an evaluation of quotas that takes ten seconds of a busy machine fails.
	flags["disable-admission-plugins"] = "ServiceAccount,ResourceQuota"
	maps.Copy(flags, options.APIServerFlags)
	for flag, value := range flags {
		server.Configure().Set(flag, value)
	}
	for _, folder := range []string{etcd.DataDir, server.CertDir} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			return nil, err
		}
	}
	return environment, nil
}

// listenAt says where the processes listen, instead of the ephemeral ports that envtest would choose.
func (c *ControlPlane) listenAt(ctx context.Context, etcd *envtest.Etcd, server *envtest.APIServer) error {
	clients, errClients := c.port(ctx)
	peers, errPeers := c.port(ctx)
	secure, errSecure := c.port(ctx)
	if err := errors.Join(errClients, errPeers, errSecure); err != nil {
		return err
	}
	etcd.URL = &url.URL{Scheme: "http", Host: net.JoinHostPort(loopback, clients)}
	etcd.Configure().Set("listen-peer-urls", "http://"+net.JoinHostPort(loopback, peers))
	server.SecureServing.ListenAddr.Address, server.SecureServing.ListenAddr.Port = loopback, secure
	return nil
}

func (c *ControlPlane) log(binary string) (*os.File, error) {
	file, err := c.openLog(binary)
	if err != nil {
		return nil, err
	}
	c.logs = append(c.logs, file)
	return file, nil
}

func (c *ControlPlane) openLog(binary string) (*os.File, error) {
	return os.OpenFile(filepath.Join(c.dir, binary+logSuffix), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
}

// hangTimeout is how long the processes may take to start, and to end, whatever else runs on the machine.
const hangTimeout = 10 * time.Minute

// Stop ends the processes and removes all files of the control plane. It may be called twice.
func (c *ControlPlane) Stop() error {
	err := c.stopProcesses()
	for _, held := range c.held {
		err = errors.Join(err, held.Close())
	}
	for _, file := range c.logs {
		err = errors.Join(err, file.Close())
	}
	c.held, c.logs = nil, nil
	if c.guard != nil {
		err = errors.Join(err, c.guard.Close())
		c.guard = nil
	}
	return err
}

func (c *ControlPlane) stopProcesses() error {
	c.stopRevived()
	if c.environment == nil {
		return nil
	}
	// They have nothing to save. An API server that ends gracefully waits for requests, and for an etcd that a test has killed.
	for _, component := range []Component{APIServer, Etcd} {
		if process, _, err := c.find(component); err == nil {
			_ = syscall.Kill(process.PID, syscall.SIGKILL)
		}
	}
	err := c.environment.Stop()
	c.environment = nil
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// Admin returns a client configuration of one who may do everything, without a rate limit.
func (c *ControlPlane) Admin() *rest.Config {
	return rest.CopyConfig(c.admin)
}

// setLogger drops the log of the package that starts processes, once: control planes start in parallel.
var setLogger = sync.OnceFunc(func() { log.SetLogger(logr.Discard()) })
