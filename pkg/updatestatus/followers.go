package updatestatus

import (
	"context"
	"sync"

	"k8s.io/utils/clock"

	"github.com/openshift/library-go/pkg/controller/controllercmd"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/publish"
)

// followers are the controllers that follow the status: they write the summary and the records, and read the records of earlier updates.
type followers struct {
	all []*publish.Follower
	// history returns the records of earlier updates, and summary what was written last.
	history func() estimate.History
	summary func() *updatev1alpha1.UpdateStatusSummaryStatus
}

// newFollowers returns the followers of what was built last.
func newFollowers(controllerContext *controllercmd.ControllerContext, platform publish.Platform, built publish.Built) followers {
	pace := clock.RealClock{}
	follower := func(name string, write publish.Write) *publish.Follower {
		return publish.NewFollower(publish.FollowerInput{Name: name, Write: write, Recorder: controllerContext.EventRecorder})
	}
	var summary *publish.Follower
	history := publish.NewHistory(publish.HistoryInput{
		Store: platform.Records, Built: built, OnRead: func() { summary.Notify() },
	})
	summaries := publish.NewSummaryWriter(publish.SummaryInput{Platform: platform, Built: built, History: history.Of, Pace: pace})
	summary = follower("UpdateStatusSummaryController", summaries.Write)
	records := follower("UpdateRecordController", publish.NewRecordWriter(publish.RecordInput{
		Store: platform.Records, Built: built, Summary: summaries.Last, Pace: pace,
	}).Write)
	return followers{
		all: []*publish.Follower{summary, records, follower("UpdateHistoryController", history.Read)},
		history: func() estimate.History {
			earlier, _ := history.Of(built())
			return earlier
		},
		summary: summaries.Last,
	}
}

// notify tells them that a status was built.
func (f followers) notify() {
	for _, one := range f.all {
		one.Notify()
	}
}

// start runs them until stop is called, also when the context has ended: what they write last is about the last status.
func (f followers) start(ctx context.Context, running *sync.WaitGroup) (stop func()) {
	ctx, stop = context.WithCancel(context.WithoutCancel(ctx))
	for _, one := range f.all {
		running.Go(func() { one.Run(ctx) })
	}
	return stop
}
