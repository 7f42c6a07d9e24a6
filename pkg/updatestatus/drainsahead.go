package updatestatus

import (
	"k8s.io/utils/clock"

	"github.com/openshift/library-go/pkg/controller/controllercmd"

	"github.com/openshift/cluster-version-operator/pkg/controller"
	"github.com/openshift/cluster-version-operator/pkg/drainahead"
	"github.com/openshift/cluster-version-operator/pkg/drainreader"
)

func newDrainsAhead(controllerContext *controllercmd.ControllerContext, from clients, primary *controller.Controller) *drainahead.Controller {
	return drainahead.New(drainahead.Input{
		Pace:     clock.RealClock{},
		Read:     drainreader.New(from.kube).Ahead,
		Update:   primary.Update,
		Waiting:  primary.Waiting,
		Send:     primary.Send,
		Recorder: controllerContext.EventRecorder,
	})
}
