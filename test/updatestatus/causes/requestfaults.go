package causes

import (
	"math/rand/v2"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// This file has the faults of requests.

// aboutRequest is a fault of a request: no update begins.
func aboutRequest(check string, change func(script *simulator.Update)) *fault {
	return &fault{
		lasts: true, act: func(*cluster) {}, insights: []about{{check, "version"}},
		begin: func(_ *rand.Rand, script *simulator.Update) { change(script) },
	}
}

func refused(reason, message string) func() *fault {
	return func() *fault {
		return aboutRequest("update-not-accepted", func(script *simulator.Update) {
			script.Refused = simulator.Refusal{Reason: reason, Message: builders.CVOSyncWorker.Says(message, simulator.DefaultTo, builders.Image(simulator.DefaultTo))}
		})
	}
}

func unanswered() *fault {
	return aboutRequest("update-request-ignored", func(script *simulator.Update) { script.Unanswered = true })
}

func noResponse() *fault {
	return aboutRequest("update-request-ignored", func(script *simulator.Update) { script.NoResponse = true })
}
