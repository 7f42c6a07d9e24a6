package standalone_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// attempt is what the Cluster Version Operator says at a moment: the message of Progressing, and that of Failing if it fails.
type attempt struct {
	at      time.Duration
	says    string
	failing string
	// ended is when the last failure did.
	ended   time.Duration
	updated int
	want    string
}

// TestAttempts follows what is known of an update over the attempts of the Cluster Version Operator.
func TestAttempts(t *testing.T) {
	const (
		towards = "Working towards 4.20.2: %d of 9 done (1%% complete)"
		broken  = "Cluster operator operator-03 is degraded"
	)
	says := func(done int, waiting string) string { return fmt.Sprintf(towards, done) + waiting }
	for name, attempts := range map[string][]attempt{
		"the highest count stays": {
			{at: 0, says: says(3, ""), want: "3/9 [] 0s"},
			{at: time.Minute, says: says(1, ""), want: "3/9 [] 0s"},
			{at: 2 * time.Minute, says: says(4, ""), want: "4/9 [] 2m0s"},
		},
		"an operator that reaches the release is progress": {
			{at: 0, says: says(3, ""), want: "3/9 [] 0s"},
			{at: time.Minute, says: says(3, ""), updated: 1, want: "3/9 [] 1m0s"},
		},
		"operators are waited for until the count grows": {
			{at: 0, says: says(3, ", waiting on operator-02"), want: "3/9 [operator-02 0s] 0s"},
			{at: time.Minute, says: says(1, ""), want: "3/9 [operator-02 0s] 0s"},
			{at: 2 * time.Minute, says: says(4, ""), want: "4/9 [] 2m0s"},
		},
		"another operator is waited for only after two minutes": {
			{at: 0, says: says(3, ", waiting on operator-02"), want: "3/9 [operator-02 0s] 0s"},
			{at: time.Minute, says: says(1, ", waiting on operator-03"), want: "3/9 [operator-02 0s] 0s"},
			{at: 3*time.Minute - time.Second, says: says(1, ", waiting on operator-03"), want: "3/9 [operator-02 0s] 0s"},
			{at: 3 * time.Minute, says: says(1, ", waiting on operator-03"), want: "3/9 [operator-03 3m0s] 0s"},
		},
		"another operator for a moment": {
			{at: 0, says: says(3, ", waiting on operator-02"), want: "3/9 [operator-02 0s] 0s"},
			{at: time.Minute, says: says(1, ", waiting on operator-03"), want: "3/9 [operator-02 0s] 0s"},
			{at: 2 * time.Minute, says: says(2, ", waiting on operator-02"), want: "3/9 [operator-02 0s] 0s"},
			{at: 4 * time.Minute, says: says(1, ", waiting on operator-03"), want: "3/9 [operator-02 0s] 0s"},
		},
		"an operator that is done": {
			{at: 0, says: says(3, ", waiting on operator-00, operator-03"), want: "3/9 [operator-00 0s operator-03 0s] 0s"},
			{at: time.Minute, says: says(3, ", waiting on operator-00, operator-03"), updated: 1, want: "3/9 [operator-03 0s] 1m0s"},
		},
		"a failure with a gap": {
			{at: 0, says: says(3, ""), failing: broken, want: "3/9 [] 0s failing 0s"},
			{at: 6 * time.Minute, says: "Unable to apply 4.20.2", failing: broken, want: "3/9 [] 0s failing 0s"},
			{at: 7 * time.Minute, says: says(1, ""), ended: 7 * time.Minute, want: "3/9 [] 0s failing 0s"},
			{at: 17 * time.Minute, says: says(1, ""), ended: 7 * time.Minute, want: "3/9 [] 0s failing 0s"},
			{at: 17*time.Minute + time.Second, says: says(1, ""), ended: 7 * time.Minute, want: "3/9 [] 0s"},
		},
		"a failure that is mended": {
			{at: 0, says: says(3, ""), failing: broken, want: "3/9 [] 0s failing 0s"},
			{at: 6 * time.Minute, says: "Unable to apply 4.20.2", failing: broken, want: "3/9 [] 0s failing 0s"},
			{at: 7 * time.Minute, says: says(4, ""), ended: 7 * time.Minute, want: "4/9 [] 7m0s failing 0s"},
			{at: 9 * time.Minute, says: says(4, ""), ended: 7 * time.Minute, want: "4/9 [] 7m0s failing 0s"},
			{at: 9*time.Minute + time.Second, says: says(4, ""), ended: 7 * time.Minute, want: "4/9 [] 7m0s"},
		},
		"a failure that another follows unobserved": {
			{at: 0, says: says(3, ""), failing: broken, want: "3/9 [] 0s failing 0s"},
			{at: 2 * time.Minute, says: says(4, ""), ended: 2 * time.Minute, want: "4/9 [] 2m0s failing 0s"},
			{at: 5 * time.Minute, says: says(4, ""), ended: 4 * time.Minute, want: "4/9 [] 2m0s failing 0s"},
			{at: 14 * time.Minute, says: says(4, ""), ended: 4 * time.Minute, want: "4/9 [] 2m0s failing 0s"},
			{at: 14*time.Minute + time.Second, says: says(4, ""), ended: 4 * time.Minute, want: "4/9 [] 2m0s"},
		},
		"a failure that ends by a clock that is ahead": {
			{at: 0, says: says(3, ""), failing: broken, want: "3/9 [] 0s failing 0s"},
			{at: time.Minute, says: says(3, ""), ended: time.Hour, want: "3/9 [] 0s failing 0s"},
			{at: 11 * time.Minute, says: says(3, ""), ended: time.Hour, want: "3/9 [] 0s"},
		},
		"a failure whose count was not shown": {
			{at: 0, says: says(3, ""), want: "3/9 [] 0s"},
			{at: time.Minute, says: "Unable to apply 4.20.2", failing: broken, want: "3/9 [] 0s failing 0s"},
			{at: 4 * time.Minute, says: says(5, ""), ended: 4 * time.Minute, want: "5/9 [] 4m0s failing 0s"},
			{at: 4*time.Minute + 23*time.Second, says: "Unable to apply 4.20.2", failing: broken, want: "5/9 [] 4m0s failing 0s"},
			{at: 8 * time.Minute, says: says(5, ""), ended: 8 * time.Minute, want: "5/9 [] 4m0s failing 0s"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var observed standalone.VersionObserved
			for _, one := range attempts {
				in := standalone.ClusterVersionInput{ClusterVersion: one.version(), ClusterOperators: fleet(4, one.updated), Observed: observed}
				message, next, _ := standalone.ControlPlane(in, start.Add(one.at))
				observed = next
				if got := known(message.Reports[0].Insights[0].Insight.ClusterVersion); got != strings.Split(one.want, " failing")[0] {
					t.Errorf("after %s: %s, want %s", one.at, got, one.want)
				}
				var failing string
				for _, each := range message.Reports[0].Insights[1:] {
					if each.Insight.Health.Reason == "ClusterVersionFailing" {
						failing = fmt.Sprint(" failing ", each.Insight.Health.StartedAt.Sub(start))
					}
				}
				if !strings.HasSuffix(one.want, failing) || failing == "" && strings.Contains(one.want, "failing") {
					t.Errorf("after %s:%s, want %s", one.at, failing, one.want)
				}
			}
		})
	}
}

func (a attempt) version() *configv1.ClusterVersion {
	failing := builders.Condition("Failing", configv1.ConditionFalse, start.Add(a.ended), "", "")
	if a.failing != "" {
		failing = builders.Condition("Failing", configv1.ConditionTrue, start, "ClusterOperatorDegraded", a.failing)
	}
	return updating(builders.VersionCondition(builders.Condition(configv1.OperatorProgressing, configv1.ConditionTrue, start, "", a.says)), builders.VersionCondition(failing))
}

// known returns how many manifests are applied, what is waited for, and when there was progress last.
func known(version *updatev1alpha1.ClusterVersionInsight) string {
	var waiting []string
	for _, one := range version.WaitingOn {
		waiting = append(waiting, fmt.Sprint(one.Name, " ", one.Since.Sub(start)))
	}
	return fmt.Sprintf("%d/%d [%s] %s", version.Manifests.Applied, version.Manifests.Total, strings.Join(waiting, " "), version.ProgressedAt.Sub(start))
}
