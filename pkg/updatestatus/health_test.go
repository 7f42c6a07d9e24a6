package updatestatus

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// observation is the result of a list or watch, some time after the one before.
type observation struct {
	after time.Duration
	of    *resource
	err   error
}

// TestSourceHealth: what an API server that restarts does is not reported, what lasts is, and the end of it as well.
func TestSourceHealth(t *testing.T) {
	const second = time.Second
	var (
		errAway        = errors.New("connection refused")
		errUndecodable = errors.New("can't be decoded")
		tooOld         = apierrors.NewResourceExpired("too old")
		denied, absent = forbidden(clusterNodes), missing(clusterNodes)
	)
	retries := func(times int, err error) (all []observation) {
		for range times {
			all = append(all, observation{second, clusterNodes, err})
		}
		return all
	}
	for _, tc := range []struct {
		name     string
		observed []observation
		// want are the reasons that were reported, one after the other, and "" when the watches worked again.
		want []string
	}{
		{name: "unavailable for 29 s", observed: append(retries(30, unavailable), observation{0, clusterNodes, nil})},
		{name: "unavailable for long", observed: append(retries(40, unavailable), observation{0, clusterNodes, nil}), want: []string{"CannotListNodes", ""}},
		{name: "unavailable twice in a minute, as seen by a reflector that waits", observed: []observation{
			{0, clusterNodes, unavailable}, {time.Minute, clusterNodes, unavailable}, {time.Minute, clusterNodes, nil},
		}},
		{name: "undecodable for long", observed: []observation{
			{0, clusterNodes, errUndecodable}, {20 * second, clusterNodes, errUndecodable}, {20 * second, clusterNodes, errUndecodable},
		}, want: []string{"CannotListNodes"}},
		{name: "too old", observed: []observation{{0, clusterNodes, tooOld}, {3 * second, clusterNodes, nil}}},
		{name: "forbidden for a moment", observed: []observation{{0, clusterNodes, denied}, {4 * second, clusterNodes, denied}, {second, clusterNodes, nil}}},
		{name: "without a valid token for a moment", observed: []observation{{0, clusterNodes, apierrors.NewUnauthorized("expired")}, {6 * second, clusterNodes, nil}}},
		{name: "forbidden by one API server and then by the next", observed: []observation{
			{0, clusterNodes, denied}, {3 * second, clusterNodes, nil}, {second, clusterNodes, denied}, {3 * second, clusterNodes, nil},
		}},
		{name: "forbidden, and unavailable in between", observed: []observation{
			{0, clusterNodes, denied}, {3 * second, clusterNodes, unavailable}, {3 * second, clusterNodes, denied}, {3 * second, clusterNodes, nil},
		}},
		{name: "forbidden", observed: []observation{
			{0, clusterNodes, denied}, {5 * second, clusterNodes, denied}, {second, clusterNodes, denied}, {second, clusterNodes, nil},
		}, want: []string{"CannotListNodes", ""}},
		{
			name: "forbidden after it was unavailable for long", observed: append(retries(30, unavailable), observation{second, clusterNodes, denied}),
			want: []string{"CannotListNodes"},
		},
		{name: "not served", observed: []observation{{0, clusterNodes, absent}, {5 * second, clusterNodes, absent}}, want: []string{"CannotListNodes"}},
		{name: "an optional resource that is not served any more", observed: []observation{
			{0, machineConfigPools, missing(machineConfigPools)}, {time.Hour, machineConfigPools, missing(machineConfigPools)},
		}},
		{name: "the first resource is reported", observed: []observation{
			{0, clusterNodes, denied},
			{5 * second, clusterNodes, denied},
			{0, machineConfigPools, denied},
			{5 * second, machineConfigPools, denied},
			{0, machineConfigPools, nil},
			{0, clusterNodes, nil},
		}, want: []string{"CannotListNodes", "CannotListMachineConfigPools", "CannotListNodes", ""}},
		{name: "the API server is away for long, and a reflector waits after it is back", observed: append(retries(3, nil), []observation{
			{0, clusterNodes, errAway},
			{0, machineConfigPools, errAway},
			{time.Minute, clusterNodes, errAway},
			{0, machineConfigPools, errAway},
			{time.Hour, clusterNodes, errAway},
			{0, machineConfigPools, errAway},
			{second, clusterNodes, nil},
			{time.Minute, machineConfigPools, nil},
		}...)},
		{name: "watches that failed before the API server was away fail until they work", observed: []observation{
			{0, clusterNodes, denied},
			{5 * second, clusterNodes, denied},
			{second, clusterNodes, errAway},
			{0, machineConfigPools, errAway},
			{time.Hour, machineConfigPools, nil},
			{second, clusterNodes, nil},
		}, want: []string{"CannotListNodes", ""}},
		{name: "watches that work for less than a second", observed: []observation{
			{0, clusterNodes, denied}, {5 * second, clusterNodes, denied}, {second, clusterNodes, nil}, {second / 2, clusterNodes, denied},
		}, want: []string{"CannotListNodes"}},
		{name: "a resource of another source", observed: []observation{{0, clusterOperators, absent}, {time.Hour, clusterOperators, absent}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				health := newSourceHealth(sourceEntry{name: insight.NodeInformer, resources: []*resource{machineConfigPools, clusterNodes}}, newAPIServerHealth())
				var got []string
				health.resync = func() {
					reason := ""
					if health.state != nil { // observe holds the lock
						reason = health.state.Reason
					}
					got = append(got, reason)
				}
				for _, each := range tc.observed {
					time.Sleep(each.after) // in the bubble
					health.observe(t.Context(), each.of, each.err)
				}
				time.Sleep(recoveryDelay) // in the bubble
				synctest.Wait()
				if diff := cmp.Diff(tc.want, got); diff != "" {
					t.Errorf("reported (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// TestOneResourceOfMany: what fails of a source with one resource is reported while the API server processes what other sources ask for, and
// not while it is away.
func TestOneResourceOfMany(t *testing.T) {
	for name, test := range map[string]struct {
		other error
		want  string
	}{
		"others work":        {nil, "CannotListNodes"},
		"others are refused": {forbidden(clusterOperators), "CannotListNodes"},
		"others fail too":    {unavailable, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			server := newAPIServerHealth()
			health := newSourceHealth(sourceEntry{name: insight.NodeInformer, resources: []*resource{clusterNodes}}, server)
			other := newSourceHealth(sourceEntry{name: insight.ControlPlaneInformer, resources: []*resource{clusterOperators}}, server)
			other.observe(t.Context(), clusterOperators, test.other)
			for range 60 {
				time.Sleep(time.Second) // in the bubble
				health.observe(t.Context(), clusterNodes, unavailable)
			}
			got := ""
			if state := health.State(); state != nil {
				got = state.Reason
			}
			if got != test.want {
				t.Errorf("%s: %q, want %q", name, got, test.want)
			}
		})
	}
}

func TestAPIServerMessageIsShortened(t *testing.T) {
	health := newSourceHealth(sourceEntry{resources: []*resource{clusterNodes}}, newAPIServerHealth())
	health.add(clusterNodes, errors.New(strings.Repeat("long", 10000)), time.Now().Add(-time.Hour))
	health.failures[clusterNodes].times = failureThreshold
	health.failures[clusterNodes].since = time.Now().Add(-time.Hour)
	if state := health.judge(time.Now()); state == nil || len(state.Message) > reasonLength+3 {
		t.Errorf("state %v", state)
	}
}
