package updatestatus

import (
	"k8s.io/utils/clock"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/alerts"
)

// Where alerts are asked for in a cluster with monitoring.
const (
	DefaultAlertsURL    = alerts.DefaultURL
	DefaultAlertsCAFile = alerts.DefaultCAFile
)

func newAlerts(in sourceInput) (*alerts.Source, error) {
	return alerts.New(alerts.Input{ //nolint:wrapcheck // the caller adds what it is for
		Pace: clock.RealClock{},
		Querier: alerts.Querier{
			URL:       in.options.AlertsURL,
			CAFile:    in.options.AlertsCAFile,
			Token:     in.KubeConfig.BearerToken,
			TokenFile: in.KubeConfig.BearerTokenFile,
			UserAgent: userAgent,
		},
		Every:  in.options.AlertsEvery,
		Update: in.view.Update,
	})
}
