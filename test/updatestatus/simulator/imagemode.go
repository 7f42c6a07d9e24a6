package simulator

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// What the build controller does for a pool in image mode, whose nodes get an image that is built for it:
// openshift/machine-config-operator, pkg/updatestatus/controller/build.

// imageMode is the image of a pool; nil is a pool without one.
type imageMode struct {
	// config asks for images, builds are those that were built.
	config *machineconfigv1.MachineOSConfig
	builds []*machineconfigv1.MachineOSBuild
	// current is the image that nodes should have.
	current string
	state   buildState
}

type buildState int

const (
	built buildState = iota
	building
	buildFailed
)

func newImageMode(pool, version string) *imageMode {
	return &imageMode{
		current: poolImage(pool, version),
		config: &machineconfigv1.MachineOSConfig{
			TypeMeta:   metav1.TypeMeta{APIVersion: machineconfigv1.GroupVersion.String(), Kind: "MachineOSConfig"},
			ObjectMeta: metav1.ObjectMeta{Name: pool},
			Spec: machineconfigv1.MachineOSConfigSpec{
				MachineConfigPool:       machineconfigv1.MachineConfigPoolReference{Name: pool},
				ImageBuilder:            machineconfigv1.MachineOSImageBuilder{ImageBuilderType: machineconfigv1.JobBuilder},
				RenderedImagePushSecret: machineconfigv1.ImageSecretObjectReference{Name: "push-secret"},
				RenderedImagePushSpec:   "registry.example.com/os/" + machineconfigv1.ImageTagFormat(pool) + ":latest",
				Containerfile:           []machineconfigv1.MachineOSContainerfile{{Content: "FROM configs AS final"}},
			},
			Status: machineconfigv1.MachineOSConfigStatus{
				ObservedGeneration: 1, CurrentImagePullSpec: machineconfigv1.ImageDigestFormat(poolImage(pool, version)),
			},
		},
	}
}

func poolImage(pool, version string) string {
	return "registry.example.com/os/" + pool + "@sha256:" + builders.Digest(pool+version)
}

func (i *imageMode) objects() []Object {
	if i == nil {
		return nil
	}
	objects := []Object{i.config}
	for _, build := range i.builds {
		objects = append(objects, build)
	}
	return objects
}

// isReady returns whether nodes may be assigned: canLayeredPoolContinue in pkg/controller/node/node_controller.go.
func (i *imageMode) isReady() bool {
	return i == nil || i.state == built
}

// waits is what the pool waits for, empty if for no image.
func (i *imageMode) waits() string {
	if i.isReady() {
		return ""
	}
	return fmt.Sprintf("Pool is waiting for OS image build to complete (mosb: %s)", i.builds[len(i.builds)-1].Name)
}

// rollsOut is what a pool waits for once its image is built, empty if it has none.
func (i *imageMode) rollsOut() string {
	if i == nil || len(i.builds) == 0 {
		return ""
	}
	return fmt.Sprintf("Pool is waiting for nodes to apply OS image (mosb: %s)", i.builds[len(i.builds)-1].Name)
}

// reason and message are those of the condition ImageBuildDegraded.
func (i *imageMode) reason() string {
	return map[buildState]string{built: "BuildSuccess", building: "Building", buildFailed: "BuildFailed"}[i.state]
}

func (i *imageMode) message() string {
	switch i.state {
	case building:
		return "New build started"
	case buildFailed:
		return fmt.Sprintf("Failed to build OS image for pool %s (MachineOSBuild: %s): build failed", i.config.Name, i.builds[len(i.builds)-1].Name)
	default:
		return "Build completed successfully"
	}
}

// buildImage builds the image of a release for a pool, if it has one.
func (s *Simulation) buildImage(p *pool, release string) {
	if p.image == nil {
		return
	}
	image := poolImage(p.script.Name, s.images(release))
	build := &machineconfigv1.MachineOSBuild{
		TypeMeta:   metav1.TypeMeta{APIVersion: machineconfigv1.GroupVersion.String(), Kind: "MachineOSBuild"},
		ObjectMeta: metav1.ObjectMeta{Name: p.script.Name + "-" + builders.Digest(image)[:32]},
		Spec: machineconfigv1.MachineOSBuildSpec{
			MachineConfig:         machineconfigv1.MachineConfigReference{Name: p.target()},
			MachineOSConfig:       machineconfigv1.MachineOSConfigReference{Name: p.image.config.Name},
			RenderedImagePushSpec: p.image.config.Spec.RenderedImagePushSpec,
		},
	}
	now := metav1.NewTime(s.time())
	build.Status.BuildStart = &now
	s.setBuild(build, machineconfigv1.MachineOSBuilding)
	p.image.builds, p.image.state = append(p.image.builds, build), building
	s.create(build)
	s.after(p.script.ImageBuild, func() { s.endBuild(p, build, image) })
}

func (s *Simulation) endBuild(p *pool, build *machineconfigv1.MachineOSBuild, image string) {
	if build != p.image.builds[len(p.image.builds)-1] {
		return
	}
	end := metav1.NewTime(s.time())
	if p.script.BuildFails {
		p.image.state = buildFailed
		change(s, build, status, func(object *machineconfigv1.MachineOSBuild) {
			object.Status.BuildEnd = &end
			s.setBuild(object, machineconfigv1.MachineOSBuildFailed)
		})
		s.failBuild(p)
		return
	}
	p.image.state, p.image.current = built, image
	change(s, build, status, func(object *machineconfigv1.MachineOSBuild) {
		object.Status.BuildEnd, object.Status.DigestedImagePushSpec = &end, machineconfigv1.ImageDigestFormat(image)
		s.setBuild(object, machineconfigv1.MachineOSBuildSucceeded)
	})
	change(s, p.image.config, status, func(object *machineconfigv1.MachineOSConfig) {
		object.Status.CurrentImagePullSpec = machineconfigv1.ImageDigestFormat(image)
	})
	s.poolChanged(p)
}

// failBuild writes the only condition that tells a failed build: the node controller does not get as far as the pool's status.
func (s *Simulation) failBuild(p *pool) {
	if !atLeast(s.cvo.release, sinceImageBuildDegraded) {
		return
	}
	reconcile(s, p.object, status, func(object *machineconfigv1.MachineConfigPool) {
		conditions := poolConditions{before: object.Status.Conditions, now: s.time()}
		for _, condition := range object.Status.Conditions {
			if condition.Type == machineconfigv1.MachineConfigPoolImageBuildDegraded {
				conditions.set(condition.Type, true, p.image.reason(), p.image.message())
				continue
			}
			conditions.after = append(conditions.after, condition)
		}
		object.Status.Conditions = conditions.after
	})
}

// setBuild sets the one condition of a build that is True.
func (s *Simulation) setBuild(build *machineconfigv1.MachineOSBuild, is machineconfigv1.BuildProgress) {
	build.Status.Conditions = nil
	for _, kind := range []machineconfigv1.BuildProgress{
		machineconfigv1.MachineOSBuildPrepared, machineconfigv1.MachineOSBuilding, machineconfigv1.MachineOSBuildFailed,
		machineconfigv1.MachineOSBuildInterrupted, machineconfigv1.MachineOSBuildSucceeded,
	} {
		condition := stepCondition{machineconfigv1.StateProgress(kind), metav1.ConditionFalse, string(kind), "Build " + string(kind)}
		if kind == is {
			condition.status = metav1.ConditionTrue
		}
		build.Status.Conditions = append(build.Status.Conditions, condition.at(s.time()))
	}
}
