package updatestatus

import (
	"context"
	"sync"

	"k8s.io/utils/clock"

	"github.com/openshift/library-go/pkg/controller/controllercmd"

	"github.com/openshift/cluster-version-operator/pkg/controller"
	"github.com/openshift/cluster-version-operator/pkg/follow"
	"github.com/openshift/cluster-version-operator/pkg/recordwriter"
	"github.com/openshift/cluster-version-operator/pkg/summarywriter"
)

// followers are the controllers that write what is made of the status: the summary and the records.
type followers []*follow.Follower

func newFollowers(controllerContext *controllercmd.ControllerContext, from clients, primary *controller.Controller) followers {
	client, pace := from.update.UpdateV1alpha1(), clock.RealClock{}
	summaries := summarywriter.New(summarywriter.Input{Client: client.UpdateStatusSummaries(), Records: client.UpdateRecords(), Built: primary.LastBuild, Pace: pace})
	return followers{
		follow.New(follow.Input{
			Name: "UpdateStatusSummaryController", Kind: "UpdateStatusSummary", Write: summaries.Write, Recorder: controllerContext.EventRecorder,
		}),
		newRecordFollower(controllerContext, client.UpdateRecords(), primary),
	}
}

func newRecordFollower(
	controllerContext *controllercmd.ControllerContext, client recordwriter.Client, primary *controller.Controller,
) *follow.Follower {
	records := recordwriter.New(recordwriter.Input{Client: client, Built: primary.LastBuild, Pace: clock.RealClock{}})
	return follow.New(follow.Input{
		Name: "UpdateRecordController", Kind: "UpdateRecord", Write: records.Write, Recorder: controllerContext.EventRecorder,
	})
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
