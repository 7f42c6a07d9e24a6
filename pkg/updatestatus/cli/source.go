package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/redirect"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

var (
	updateStatuses  = kinds.UpdateStatuses.Served()
	hostedStatuses  = kinds.HostedClusterUpdateStatuses.Served()
	hostedRecords   = kinds.HostedClusterUpdateRecords.Served()
	hostedSummaries = kinds.HostedClusterUpdateStatusSummaries.Served()
	summaries       = kinds.UpdateStatusSummaries.Served()
	updateRecords   = kinds.UpdateRecords.Served()
	clusterVersions = kinds.ClusterVersions.Served()
)

// cluster reads from an API server. Its dynamic client preserves the fields of a newer version.
type cluster struct {
	host string
	// target is the object with the status; statuses and summaries are those of its resources.
	target          target
	statuses        dynamic.ResourceInterface
	summaries       dynamic.ResourceInterface
	updateRecords   dynamic.ResourceInterface
	clusterVersions dynamic.ResourceInterface
	// live assesses a cluster without an UpdateStatus.
	live  live
	clock func() time.Time
}

func newCluster(config *rest.Config, of target, clock func() time.Time) (cluster, error) {
	config, err := withoutPassword(config)
	if err != nil {
		return cluster{}, configError(err)
	}
	config = bounded(redirect.Refuse(config), maxResponses)
	// The API server is the one to say how many requests are too many: client-go would write into the terminal that it waits.
	config.QPS = -1
	objects, err := dynamic.NewForConfig(config)
	if err != nil {
		return cluster{}, configError(err)
	}
	metadataOnly, err := metadata.NewForConfig(config)
	if err != nil {
		return cluster{}, configError(err)
	}
	kube, err := kubernetes.NewForConfig(config)
	if err != nil {
		return cluster{}, configError(err)
	}
	return cluster{
		host:            config.Host,
		target:          of,
		statuses:        objects.Resource(of.resource()).Namespace(of.hosted.Namespace),
		summaries:       objects.Resource(of.summaryResource()).Namespace(of.hosted.Namespace),
		updateRecords:   objects.Resource(updateRecords),
		clusterVersions: objects.Resource(clusterVersions),
		live:            live{config: config, objects: objects, metadata: metadataOnly, pods: &livePods{kube: kube}, clock: clock},
		clock:           clock,
	}, nil
}

func (c cluster) read(ctx context.Context) (*observation, error) {
	if c.target.isHosted() {
		return c.readHosted(ctx)
	}
	// The ClusterVersion first: a controller that runs is not behind it then.
	version, versionErr := getAs[configv1.ClusterVersion](ctx, c.clusterVersions, standalone.ClusterVersionName)
	object, err := c.statuses.Get(ctx, c.target.name(), metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err) && version != nil:
		return c.live.assessAlone(ctx, version), nil
	case apierrors.IsNotFound(err):
		return nil, noClusterError(c.host, versionErr)
	case err != nil:
		return nil, readError(err, c.target, c.host)
	}
	observed, err := c.observe(ctx, object)
	if err != nil {
		return nil, err
	}
	if versionErr != nil && !apierrors.IsNotFound(versionErr) {
		observed.warnings = append(observed.warnings, notCompared(versionErr))
	}
	observed.outdated = c.outdated(observed, version)
	return c.current(ctx, observed, version), nil
}

// current returns an observation, or that of the cluster as it is now if the UpdateStatus is outdated. The ClusterVersion may be nil, or the user
// may not read the rest: then nothing can be assessed.
func (c cluster) current(ctx context.Context, observed *observation, version *configv1.ClusterVersion) *observation {
	if observed.outdated == "" || version == nil {
		return observed
	}
	current := c.live.assess(ctx, version)
	if current.update.State == update.Unknown {
		return observed // what was reported last says more than what the user may read
	}
	current.target, current.stale = c.target, observed
	current.warnings = slices.Concat(observed.warnings, []string{observed.outdatedError(c.clock()).Error()}, current.warnings)
	return current
}

// unavailable returns why the controller says that it may be outdated, empty if it doesn't.
func (observed *observation) unavailable() string {
	available := meta.FindStatusCondition(observed.updateStatus.Status.Conditions, updatev1alpha1.ConditionAvailable)
	if available == nil || available.Status != metav1.ConditionFalse {
		return ""
	}
	return available.Message
}

// instead returns what the outdated UpdateStatus says, and why it is outdated, nothing if there is none.
func (observed *observation) instead(now time.Time) []string {
	stale := observed.stale
	if stale == nil {
		return nil
	}
	reported := "Last reported: "
	if stale.confirmedAt != nil {
		reported = "Last reported at " + stale.confirmedAt.UTC().Format(time.RFC3339) + ": "
	}
	title := strings.TrimSuffix(describe.OneLine(describe.Title(stale.head(now), now)[0]), ".")
	return []string{
		fmt.Sprintf("The %s is outdated: %s.", stale.target, describe.OneLine(stale.outdated)),
		reported + title + ".",
		"Assessed by the client, with your permissions:",
	}
}

// outdated returns why an object is outdated, empty if it is not. The ClusterVersion may be nil.
func (c cluster) outdated(observed *observation, version *configv1.ClusterVersion) string {
	return cmp.Or(update.Outdated(observed.updateStatus, version, c.clock()), update.Unconfirmed(observed.summary, c.target.isHosted(), c.clock()),
		observed.unconfirmed())
}

// unconfirmed returns that nothing tells whether the status is current, empty if its summary has when the controller confirmed it.
func (observed *observation) unconfirmed() string {
	switch {
	case observed.confirmedAt != nil:
		return ""
	case observed.summaryErr != nil:
		return fmt.Sprintf("the summary beside it, which says when the controller confirmed it, can't be read (%v)", observed.summaryErr)
	default:
		return "the summary beside it doesn't say when the controller confirmed it"
	}
}

// observe returns the observation of an object that is current, with the summary as it is now.
func (c cluster) observe(ctx context.Context, object *unstructured.Unstructured) (*observation, error) {
	us, err := c.decode(object)
	if err != nil {
		return nil, fmt.Errorf("this client is unable to decode the %s, oc get %s -o yaml prints it: %w", c.target, c.target.resource().Resource, err)
	}
	observed := &observation{target: c.target, object: object, time: c.clock()}
	c.readSummary(ctx, observed)
	observed.setStatus(us, observed.summary, observed.time)
	return observed, nil
}

// decode returns the status that an object has.
func (c cluster) decode(object *unstructured.Unstructured) (*updatev1alpha1.UpdateStatus, error) {
	if !c.target.isHosted() {
		return convertTo[updatev1alpha1.UpdateStatus](object)
	}
	hosted, err := convertTo[updatev1alpha1.HostedClusterUpdateStatus](object)
	if err != nil {
		return nil, err
	}
	return likeStandalone(hosted), nil
}

// readSummary sets the summary as it is now, and leaves it as it was if it can't be read. That of a hosted cluster is like that of any other.
func (c cluster) readSummary(ctx context.Context, observed *observation) {
	whole, err := c.summaries.Get(ctx, c.target.name(), metav1.GetOptions{})
	if err != nil {
		observed.summaryErr = err
		return
	}
	summary, err := convertTo[updatev1alpha1.UpdateStatusSummary](whole)
	if observed.summaryErr = err; err == nil {
		observed.summary, observed.wholeSummary = summary, whole
	}
}
