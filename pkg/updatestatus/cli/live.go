package cli

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/pager"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/alerts"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/redirect"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/snapshot"
)

// This file assesses a cluster without an UpdateStatus, or with one that is outdated, on the spot: by the rules of files, since what the user
// may not read is missing just like what files lack.

var routes = schema.GroupVersionResource{Group: "route.openshift.io", Version: "v1", Resource: "routes"}

const (
	monitoringSpace = "openshift-monitoring"
	alertsRoute     = "thanos-querier"
	// alertsTimeout bounds the request for alerts, which the status can do without.
	alertsTimeout = 10 * time.Second
	// pollInterval is how often a cluster without an UpdateStatus is assessed again.
	pollInterval = 15 * time.Second
)

// live reads the objects of a cluster with the user's permissions.
type live struct {
	config   *rest.Config
	objects  dynamic.Interface
	metadata metadata.Interface
	pods     *livePods
	clock    func() time.Time
}

// read reads the ClusterVersion, without which nothing can be told, and assesses the cluster.
func (l live) read(ctx context.Context) (*observation, error) {
	version, err := getAs[configv1.ClusterVersion](ctx, l.objects.Resource(clusterVersions), standalone.ClusterVersionName)
	if err != nil {
		return nil, fmt.Errorf("reading the ClusterVersion: %w", err)
	}
	return l.assessAlone(ctx, version), nil
}

// assessAlone assesses a cluster without an UpdateStatus.
func (l live) assessAlone(ctx context.Context, version *configv1.ClusterVersion) *observation {
	observed := l.assess(ctx, version)
	observed.isLive, observed.warnings = true, append([]string{notServed}, observed.warnings...)
	return observed
}

// assess assesses the cluster of a ClusterVersion. What can't be read is a warning.
func (l live) assess(ctx context.Context, version *configv1.ClusterVersion) *observation {
	now := l.clock()
	s, unread := l.objectsOf(ctx, version, now)
	observed := &observation{time: now, warnings: unread}
	observed.incomplete, observed.missingNodes = standalone.Missing(s.ClusterInput()), standalone.MissingNodes(s.ClusterInput())
	observed.setShown(s.Assess(now), now)
	observed.object, observed.poolOrder = observed.updateStatus, namesOf(s.MachineConfigPools)
	return observed
}

// objectsOf reads the objects of the cluster of a ClusterVersion, and returns what can't be read.
func (l live) objectsOf(ctx context.Context, version *configv1.ClusterVersion, now time.Time) (s *snapshot.Snapshot, unread []string) {
	var firing []assess.Alert
	reads := map[string]func() error{"alerts": func() (err error) {
		firing, err = l.alerts(ctx)
		return err
	}}
	var lock sync.Mutex
	objects := snapshot.Objects{kinds.ClusterVersions: {version}}
	for kind := range kinds.All() {
		if kind.Once {
			reads[kind.String()] = func() error {
				found, err := l.readKind(ctx, kind)
				lock.Lock()
				defer lock.Unlock()
				objects[kind] = found
				return err
			}
		}
	}
	unread = readAll(reads)
	s = snapshot.New(objects)
	s.Alerts, s.CertificateRequests = firing, l.certificateRequests(ctx, s.Nodes, now)
	pods, unreadPods := l.pods.read(ctx, s, now)
	s.OperatorPods = pods
	return s, append(unread, unreadPods...)
}

// certificateRequests returns those of kubelets if they may explain why a node is not ready. Without the permission nothing is said of them.
func (l live) certificateRequests(ctx context.Context, nodes []*corev1.Node, now time.Time) []*certificatesv1.CertificateSigningRequest {
	if !standalone.NeedsCertificateRequests(nodes, now) {
		return nil
	}
	requests, err := l.readKind(ctx, kinds.CertificateSigningRequests)
	if err != nil {
		return nil
	}
	return snapshot.New(snapshot.Objects{kinds.CertificateSigningRequests: requests}).CertificateRequests
}

func namesOf(pools []*machineconfigv1.MachineConfigPool) []string {
	var names []string
	for _, pool := range pools {
		names = append(names, pool.Name)
	}
	return names
}

// notServed is the warning that there is no UpdateStatus.
const notServed = "the cluster has no UpdateStatus: the client assesses it, by the same rules and with your permissions"

// readAll calls all functions at the same time, and returns what could not be read.
func readAll(reads map[string]func() error) []string {
	var lock sync.Mutex
	var failed []string
	var all sync.WaitGroup
	for what, read := range reads {
		all.Go(func() {
			if err := read(); err != nil {
				lock.Lock()
				defer lock.Unlock()
				failed = append(failed, fmt.Sprintf("unable to read %s: %s", what, describe.OneLine(withoutAdvice(err).Error())))
			}
		})
	}
	all.Wait()
	slices.Sort(failed)
	return failed
}

// readKind returns all objects of a kind that are read, none if the cluster does not have it.
func (l live) readKind(ctx context.Context, kind *kinds.Kind) (all []kinds.Object, err error) {
	if kind.MetadataOnly {
		err = eachItem(ctx, l.metadata.Resource(kind.Served()), metav1.ListOptions{}, func(item runtime.Object) error {
			all = append(all, item.(*metav1.PartialObjectMetadata))
			return nil
		})
		return all, err
	}
	add := func(item runtime.Object) error {
		object := kind.New()
		all = append(all, object)
		return convert(item, object)
	}
	from := l.objects.Resource(kind.Served())
	if kind.Name == "" {
		err = eachItem(ctx, from, metav1.ListOptions{}, add)
		return all, err
	}
	object, err := from.Namespace(kind.Namespace).Get(ctx, kind.Name, metav1.GetOptions{})
	if err != nil && kind.Unremarked && (apierrors.IsForbidden(err) || apierrors.IsNotFound(err)) {
		return nil, nil
	}
	if err != nil {
		return nil, err //nolint:wrapcheck // the caller says what it reads
	}
	err = add(object)
	return all, err
}

// getAs returns an object.
func getAs[T any](ctx context.Context, from dynamic.ResourceInterface, name string) (*T, error) {
	object, err := from.Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, err //nolint:wrapcheck // the caller says what it reads
	}
	return convertTo[T](object)
}

// listAs returns all objects of a resource that options select, none if the cluster does not have it.
func listAs[T any](ctx context.Context, from dynamic.ResourceInterface, options metav1.ListOptions) ([]*T, error) {
	var all []*T
	err := eachItem(ctx, from, options, func(item runtime.Object) error {
		object, err := convertTo[T](item)
		all = append(all, object)
		return err
	})
	return all, err
}

// eachItem calls a function with each object of a list, with none if the cluster does not have the resource.
func eachItem[L runtime.Object](ctx context.Context, from interface {
	List(ctx context.Context, options metav1.ListOptions) (L, error)
}, options metav1.ListOptions, call func(runtime.Object) error,
) error {
	list := func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		return from.List(ctx, options)
	}
	err := pager.New(list).EachListItem(ctx, options, call)
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err //nolint:wrapcheck // the caller says what it reads
}

func convertTo[T any](read runtime.Object) (*T, error) {
	converted := new(T)
	if err := convert(read, converted); err != nil {
		return nil, err
	}
	return converted, nil
}

// convert decodes what a dynamic client returned.
func convert(read runtime.Object, into any) error {
	object := read.(*unstructured.Unstructured)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, into); err != nil {
		return fmt.Errorf("decoding %s %s: %w", object.GetKind(), object.GetName(), err)
	}
	return nil
}

// alerts asks the Thanos querier, at the route that the cluster gives it, with the user's token.
func (l live) alerts(ctx context.Context) ([]assess.Alert, error) {
	ctx, cancel := context.WithTimeout(ctx, alertsTimeout)
	defer cancel()
	route, err := l.objects.Resource(routes).Namespace(monitoringSpace).Get(ctx, alertsRoute, metav1.GetOptions{})
	if err != nil {
		return nil, err //nolint:wrapcheck // the caller says what it reads
	}
	host, _, _ := unstructured.NestedString(route.Object, "spec", "host")
	own := l.config.TLSClientConfig
	// The certificate of the route is one that the kubeconfig trusts, or else the system.
	answer, err := l.get(ctx, host, rest.TLSClientConfig{CAFile: own.CAFile, CAData: own.CAData, Insecure: own.Insecure})
	if errors.As(err, new(*tls.CertificateVerificationError)) {
		answer, err = l.get(ctx, host, rest.TLSClientConfig{})
	}
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s responded with %s", host, answer.Status)
	}
	decoded, err := alerts.Decode(answer.Body)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", host, err)
	}
	return decoded, nil
}

// get requests the alerts from a host.
func (l live) get(ctx context.Context, host string, trust rest.TLSClientConfig) (*http.Response, error) {
	config := rest.AnonymousClientConfig(l.config)
	config.BearerToken, config.BearerTokenFile, config.ExecProvider = l.config.BearerToken, l.config.BearerTokenFile, l.config.ExecProvider
	config.Host, config.TLSClientConfig = "https://"+host, trust
	transport, err := rest.TransportFor(redirect.Refuse(config))
	if err != nil {
		return nil, fmt.Errorf("building a client for %s: %w", host, err)
	}
	client := http.Client{Transport: transport}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, config.Host+"/api/v1/alerts", http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("the host %q of the route: %w", host, err)
	}
	return client.Do(request) //nolint:wrapcheck // it has the address
}
