package updatestatus

import (
	"context"
	"sync"

	"k8s.io/utils/clock"

	"github.com/openshift/library-go/pkg/controller/controllercmd"

	"github.com/openshift/cluster-version-operator/pkg/controller"
	"github.com/openshift/cluster-version-operator/pkg/publish"
)

// followers are the controllers that write what is made of the status: the summary and the records.
type followers []*publish.Follower

func newFollowers(controllerContext *controllercmd.ControllerContext, platform publish.Platform, primary *controller.Controller) followers {
	pace := clock.RealClock{}
	summary := publish.NewSummaryWriter(publish.SummaryInput{Platform: platform, Built: primary.LastBuild, Pace: pace})
	records := publish.NewRecordWriter(publish.RecordInput{Store: platform.Records, Built: primary.LastBuild, Pace: pace})
	return followers{
		publish.NewFollower(publish.FollowerInput{
			Name: "UpdateStatusSummaryController", Kind: "UpdateStatusSummary", Write: summary.Write, Recorder: controllerContext.EventRecorder,
		}),
		publish.NewFollower(publish.FollowerInput{
			Name: "UpdateRecordController", Kind: "UpdateRecord", Write: records.Write, Recorder: controllerContext.EventRecorder,
		}),
	}
}

// notify tells them that a status was built.
func (f followers) notify() {
	for _, one := range f {
		one.Notify()
	}
}

// start runs them until stop is called, also when the context has ended: what they write last is about the last status.
func (f followers) start(ctx context.Context, running *sync.WaitGroup) (stop func()) {
	ctx, stop = context.WithCancel(context.WithoutCancel(ctx))
	for _, one := range f {
		running.Go(func() { one.Run(ctx) })
	}
	return stop
}
