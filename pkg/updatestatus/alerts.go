package updatestatus

import (
	"time"

	"k8s.io/utils/clock"

	"github.com/openshift/library-go/pkg/controller/controllercmd"

	"github.com/openshift/cluster-version-operator/pkg/alerts"
	"github.com/openshift/cluster-version-operator/pkg/controller"
)

// Where alerts are asked for in a cluster with monitoring.
const (
	DefaultAlertsURL    = alerts.DefaultURL
	DefaultAlertsCAFile = alerts.DefaultCAFile
)

// Options say how to run the controller.
type Options struct {
	// AlertsURL is where the alerts that fire are asked for, with the controller's own token; empty if nowhere.
	AlertsURL string
	// AlertsCAFile holds the authority of its certificate.
	AlertsCAFile string
	// AlertsEvery is how often they are asked for while the cluster is updated, zero for the usual.
	AlertsEvery time.Duration
}

func newAlerts(controllerContext *controllercmd.ControllerContext, options Options, primary *controller.Controller) (*alerts.Controller, error) {
	return alerts.New(alerts.Input{
		Clock: controllerContext.Clock,
		Pace:  clock.RealClock{},
		Querier: alerts.Querier{
			URL:       options.AlertsURL,
			CAFile:    options.AlertsCAFile,
			Token:     controllerContext.KubeConfig.BearerToken,
			TokenFile: controllerContext.KubeConfig.BearerTokenFile,
			UserAgent: userAgent,
		},
		Every:    options.AlertsEvery,
		Update:   primary.Update,
		Send:     primary.Send,
		Recorder: controllerContext.EventRecorder,
	})
}
