package builders

import (
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/truncate"
)

// View returns what is known after some messages.
func View(messages []insight.Message) ledger.View {
	reported := ledger.New()
	for _, message := range messages {
		reported.Apply(message)
	}
	return reported.View()
}

// Observer builds the status of a fleet again and again, as a controller does.
type Observer struct {
	Ledger  *ledger.Ledger
	Builder *status.Builder
	// Built is what the object has, Complete and Fitted what it was made of.
	Built, Complete *updatev1alpha1.UpdateStatusStatus
	Fitted          truncate.Result
	// Minute is when a fleet is reported, after Noon.
	Minute int
}

// Observe returns an Observer of a fleet that was reported a minute after Noon.
func Observe(of *Fleet) *Observer {
	o := &Observer{Ledger: ledger.New(), Builder: status.NewBuilder(), Minute: 1}
	o.Report(of)
	return o
}

// Report reports a fleet, and builds the status.
func (o *Observer) Report(of *Fleet) {
	for _, message := range standalone.Assess(of.Cluster(Noon), Noon) {
		o.Ledger.Apply(message)
	}
	o.Build(o.Minute)
}

// Build builds the status at a minute after Noon.
func (o *Observer) Build(minute int) *updatev1alpha1.UpdateStatusStatus {
	o.Complete = o.Builder.Build(o.Ledger.View(), Noon.Add(time.Duration(minute)*time.Minute))
	o.Fitted = o.Builder.Fit()
	o.Built = o.Fitted.Status
	return o.Built
}

// Restart forgets everything but the object.
func (o *Observer) Restart() {
	o.Builder = status.NewBuilder()
	o.Builder.Stored(o.Built)
}
