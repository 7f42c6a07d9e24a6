package simulator

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// The pools of the cluster, and what the render controller does with them: openshift/machine-config-operator,
// pkg/controller/render.

type pool struct {
	script  Pool
	object  *machineconfigv1.MachineConfigPool
	configs []*machineconfigv1.MachineConfig
	nodes   []*node
	image   *imageMode
	// queued says that the node controller will look at the pool, looking that it does now and again that it has to once more.
	queued, looking, again bool
	// degraded and updating are what its status says, renderFails is why its configuration can't be rendered.
	degraded, updating bool
	renderFails        string
}

// NodeName returns the name of a node of a pool, counted from 0.
func NodeName(pool string, at int) string {
	return fmt.Sprintf("%s-%d.cluster.example.com", pool, at)
}

func rendered(pool, version string) string {
	return "rendered-" + pool + "-" + builders.Digest(pool + version)[:32]
}

func (s *Simulation) buildPool(script Pool) *pool {
	from, since := rendered(script.Name, s.update.From), s.ago(sinceUpdateBefore)
	p := &pool{
		script: script,
		object: builders.MachineConfigPool(script.Name, builders.Configuration(from),
			builders.MaxUnavailable(script.MaxUnavailable)),
		configs: []*machineconfigv1.MachineConfig{
			builders.MachineConfig("00-"+script.Name, ""),
			builders.MachineConfig(rendered(script.Name, installedVersion), installedVersion),
			builders.MachineConfig(from, s.update.From),
		},
	}
	p.object.Generation = 1
	p.object.Spec.Paused = script.Paused
	if p.isRequired() {
		p.object.Labels[requiredLabel] = ""
	}
	if script.Name != masterPool && script.Name != workerPool {
		// A custom pool has the configurations of worker besides its own.
		p.object.Spec.MachineConfigSelector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{
			Key:      "machineconfiguration.openshift.io/role",
			Operator: metav1.LabelSelectorOpIn,
			Values:   []string{workerPool, script.Name},
		}}}
	}
	if script.ImageBuild > 0 {
		p.image = newImageMode(script.Name, s.update.From)
	}
	for at := range script.Nodes {
		p.nodes = append(p.nodes, s.buildNode(p, at, from))
	}
	p.object.Status.Configuration.Name = from
	p.object.Status = s.poolStatus(p, since)
	return p
}

// isRequired returns whether the operator waits for the pool: manifests/master.machineconfigpool.yaml and
// arbiter.machineconfigpool.yaml.
func (p *pool) isRequired() bool {
	return p.script.Name == masterPool || p.script.Name == arbiterPool
}

// target is the configuration that the pool wants on its nodes.
func (p *pool) target() string {
	return p.object.Spec.Configuration.Name
}

// renderPool renders the configuration of a release for a pool.
func (s *Simulation) renderPool(p *pool, release string) {
	if s.update.NoController {
		return
	}
	if why := s.update.RenderFails[p.script.Name]; why != "" {
		s.failRendering(p, why)
		return
	}
	config := builders.MachineConfig(rendered(p.script.Name, s.images(release)), release)
	if !slices.ContainsFunc(p.configs, func(other *machineconfigv1.MachineConfig) bool { return other.Name == config.Name }) {
		p.configs = append(p.configs, config)
		s.create(config)
	}
	s.after(2*time.Second, func() {
		if p.target() == config.Name {
			s.observePools() // nothing of it changes: the update before did not get to it
			return
		}
		changeSpec(s, p.object, func(object *machineconfigv1.MachineConfigPool) {
			object.Spec.Configuration.Name = config.Name
		})
		s.buildImage(p, release)
		s.poolChanged(p)
	})
}

// failRendering reports that the configuration of a pool can't be rendered, which degrades it: syncFailingStatus in
// pkg/controller/render/render_controller.go.
func (s *Simulation) failRendering(p *pool, why string) {
	p.renderFails = fmt.Sprintf("Failed to render configuration for pool %s: %s", p.script.Name, why)
	s.writePoolStatus(p)
}

func poolCondition(pool *machineconfigv1.MachineConfigPool, kind machineconfigv1.MachineConfigPoolConditionType) bool {
	for _, condition := range pool.Status.Conditions {
		if condition.Type == kind {
			return condition.Status == corev1.ConditionTrue
		}
	}
	return false
}
