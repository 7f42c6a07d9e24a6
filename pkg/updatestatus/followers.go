package updatestatus

import (
	"context"
	"sync"

	"k8s.io/utils/clock"

	"github.com/openshift/library-go/pkg/controller/controllercmd"

	"github.com/openshift/cluster-version-operator/pkg/controller"
	"github.com/openshift/cluster-version-operator/pkg/estimate"
	"github.com/openshift/cluster-version-operator/pkg/publish"
)

// followers are the controllers that follow the status: they write the summary and the records, and read the records of earlier updates.
type followers []*publish.Follower

func newFollowers(controllerContext *controllercmd.ControllerContext, platform publish.Platform, primary *controller.Controller) followers {
	pace := clock.RealClock{}
	follower := func(name string, write publish.Write) *publish.Follower {
		return publish.NewFollower(publish.FollowerInput{Name: name, Write: write, Recorder: controllerContext.EventRecorder})
	}
	var summary *publish.Follower
	history := publish.NewHistory(publish.HistoryInput{
		Store: platform.Records, Built: primary.LastBuild, OnRead: func() { summary.Notify() },
	})
	primary.SetHistory(func() estimate.History {
		earlier, _ := history.Of(primary.LastBuild())
		return earlier
	})
	summaries := publish.NewSummaryWriter(publish.SummaryInput{Platform: platform, Built: primary.LastBuild, History: history.Of, Pace: pace})
	primary.SetSummary(summaries.Last)
	summary = follower("UpdateStatusSummaryController", summaries.Write)
	records := follower("UpdateRecordController", publish.NewRecordWriter(publish.RecordInput{
		Store: platform.Records, Built: primary.LastBuild, Summary: summaries.Last, Pace: pace,
	}).Write)
	return followers{summary, records, follower("UpdateHistoryController", history.Read)}
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
