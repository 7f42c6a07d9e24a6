package cli

import (
	"context"
	"fmt"
	"slices"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/podreader"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/snapshot"
)

// podsInterval is how often the pods of operators that fail are read while a cluster is watched.
const podsInterval = time.Minute

// livePods are the pods of operators that fail, read with the user's permissions.
type livePods struct {
	kube kubernetes.Interface

	// last is what was read last, at lastAt, and unread what could not be.
	last   map[string]*assess.Pods
	lastAt time.Time
	unread []string
}

// read returns the worst pods of operators that fail, and what could not be read, in words.
func (p *livePods) read(ctx context.Context, of *snapshot.Snapshot, now time.Time) (map[string]*assess.Pods, []string) {
	if p.last != nil && now.Sub(p.lastAt) < podsInterval {
		return p.last, p.unread
	}
	wanted, view := standalone.PodsToRead(of.ClusterInput(), now)
	chosen, away := causes.ChoosePods(wanted, view)
	pods := map[string]*assess.Pods{}
	var unread []string
	for _, one := range chosen {
		request := podreader.Request{Wanted: one, Away: away}
		if known := p.last[one.Operator]; known != nil {
			request.Previous = known.Worst
		}
		worst, err := podreader.Read(ctx, p.kube, request, now)
		pods[one.Operator] = &assess.Pods{Worst: worst}
		if err != nil {
			pods[one.Operator] = &assess.Pods{Unread: one.First()}
			unread = append(unread, fmt.Sprintf("unable to read the pods in %s: %s", one.First(), describe.OneLine(withoutAdvice(err).Error())))
		}
	}
	p.last, p.lastAt, p.unread = pods, now, slices.Compact(unread)
	return p.last, p.unread
}
