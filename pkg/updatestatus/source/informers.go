package source

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/types"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/checks"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/informers"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
)

// Informers is what others contribute.
type Informers struct {
	Caches Caches
	// Update returns the update of the cluster, Reported what the sources have reported, and Settings the settings of informers.
	Update   func() ledger.Update
	Reported func(context.Context) (ledger.View, error)
	Settings func() updatev1alpha1.UpdateStatusSpec
	IsHosted bool

	assessor informers.Assessor
}

// Assess is an Assess. Until it is known whether an update is in progress, and which nodes there are, it reports nothing: what the object
// has stays.
func (i *Informers) Assess(ctx context.Context, now time.Time) (insight.Message, time.Time, error) {
	update := i.Update()
	if !update.Known {
		return insight.Message{}, time.Time{}, nil
	}
	reported, err := i.Reported(ctx)
	if err != nil {
		return insight.Message{}, time.Time{}, err
	}
	message, next := i.assessor.Assess(informers.Input{
		Informers: list[*updatev1alpha1.UpdateInformer](i.Caches, kinds.UpdateInformers), Settings: i.Settings().Informers, Update: update,
		PartOf: reported.PartOf, IsHosted: i.IsHosted, IsReserved: checks.IsReason,
	}, now)
	return message, next, nil
}

// Renewals returns when each UpdateInformer that settings trust was last renewed. It is safe for concurrent use.
func (c Caches) Renewals(settings updatev1alpha1.UpdateStatusSpec) map[types.NamespacedName]time.Time {
	return informers.Renewals(list[*updatev1alpha1.UpdateInformer](c, kinds.UpdateInformers), settings.Informers)
}
