package updatestatus

import (
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
