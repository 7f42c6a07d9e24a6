package conformance

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestExpected shows each difference on a text, and that a text without it stays as it is.
func TestExpected(t *testing.T) {
	for _, tc := range []struct {
		name           string
		recorded, want string
		rules          []string
	}{
		{
			name: "nothing differs",
			recorded: `= Control Plane =
Completion:      100% (33 operators updated, 0 updating, 0 waiting)

Control Plane Nodes
NAME   ASSESSMENT   PHASE     VERSION   EST   MESSAGE
a      Outdated     Pending   4.14.1    ?     

= Worker Upgrade =

WORKER POOL   ASSESSMENT   COMPLETION    STATUS
worker        Completed    100% (2/2)    2 Available, 0 Progressing, 0 Draining
infra         Empty                      0 Total

Worker Pool Nodes: worker
NAME   ASSESSMENT   PHASE     VERSION   EST   MESSAGE
b      Completed    Updated   4.14.1    -     
c      Degraded     Pending   4.14.1    ?     it failed
...
Omitted additional 1 Total

= Update Health =
SINCE   LEVEL     IMPACT   MESSAGE
1m      Error     None     B
1m      Warning   None     A
2m      Warning   None     A

Run with --details=health
`,
		},
		{
			name: "a node that reboots",
			recorded: `Control Plane Nodes
NAME                                       ASSESSMENT    PHASE      VERSION   EST    MESSAGE
ip-10-0-33-81.us-east-2.compute.internal   Progressing   Updating   4.18.0    +5m    
b                                          Outdated      Pending    4.18.0    ?      

= Worker Upgrade =
`,
			want: `Control Plane Nodes
NAME                                       ASSESSMENT    PHASE       VERSION   EST   MESSAGE
ip-10-0-33-81.us-east-2.compute.internal   Progressing   Rebooting   4.18.0    +5m   
b                                          Outdated      Pending     4.18.0    ?     

= Worker Upgrade =
`,
			rules: []string{"a node reboots by the annotation that its daemon writes"},
		},
		{
			name: "messages of nodes",
			recorded: `Worker Pool Nodes: infra
NAME    ASSESSMENT   PHASE     VERSION   EST   MESSAGE
b       Outdated     Pending   4.14.1    ?     

Worker Pool Nodes: worker
NAME    ASSESSMENT   PHASE     VERSION   EST   MESSAGE
a       Degraded     Pending   4.14.1    ?     one
two

  three
a-long-name   Completed   Updated   4.14.1    -   

= Update Health =
`,
			want: `Worker Pool Nodes: infra
NAME    ASSESSMENT   PHASE     VERSION   EST   MESSAGE
b       Outdated     Pending   4.14.1    ?     

Worker Pool Nodes: worker
NAME          ASSESSMENT   PHASE     VERSION   EST   MESSAGE
a             Degraded     Pending   4.14.1    ?     one two three
a-long-name   Completed    Updated   4.14.1    -     

= Update Health =
`,
			rules: []string{"the messages of nodes are one line in tables"},
		},
		{
			name: "order of counts",
			recorded: `WORKER POOL   ASSESSMENT   COMPLETION   STATUS
worker        Degraded     0% (0/1)     1 Degraded, 2 Excluded, 3 Draining, 4 Progressing, 5 Available
`,
			want: `WORKER POOL   ASSESSMENT   COMPLETION   STATUS
worker        Degraded     0% (0/1)     5 Available, 4 Progressing, 3 Draining, 2 Excluded, 1 Degraded
`,
			rules: []string{"the counts of a pool are always in the same order"},
		},
		{
			name: "shares that were rounded up",
			recorded: `Completion:      100% (250 operators updated, 0 updating, 1 waiting)

WORKER POOL   ASSESSMENT    COMPLETION       STATUS
worker        Progressing   100% (399/400)   400 Available
infra         Completed     100% (200/200)   200 Available
`,
			want: `Completion:      99% (250 operators updated, 0 updating, 1 waiting)

WORKER POOL   ASSESSMENT    COMPLETION       STATUS
worker        Progressing   99% (399/400)    400 Available
infra         Completed     100% (200/200)   200 Available
`,
			rules: []string{"99.x % is never shown as 100 %"},
		},
		{
			name: "lines of descriptions",
			recorded: `= Update Health =
Message: A
  Since:       1m
  Level:       Error
  Description: one
, two

	three

Message: B
  Since:       2m
  Level:       Error
  Description: four
`,
			want: `= Update Health =
Message: A
  Since:       1m
  Level:       Error
  Description: one
               two
               three

Message: B
  Since:       2m
  Level:       Error
  Description: four
`,
			rules: []string{"the continuation lines of descriptions are aligned, without a comma at their start"},
		},
		{
			name: "order of health rows",
			recorded: `= Update Health =
SINCE   LEVEL     IMPACT   MESSAGE
1m      Error     None     C
1m      Error     Unknown  B
2m      Error     None     A
2m      Warning   None     B
2m      Warning   None     A

Run with --details=health
`,
			want: `= Update Health =
SINCE   LEVEL     IMPACT   MESSAGE
1m      Error     Unknown  B
1m      Error     None     C
2m      Error     None     A
2m      Warning   None     A
2m      Warning   None     B

Run with --details=health
`,
			rules: []string{"health rows of the same level and age are ordered by summary"},
		},
		{
			name: "an alert without a runbook",
			recorded: `= Update Health =
Message: Alert is firing: A
  Since:       1m
  Level:       Warning
  Reference:   <alert does not have a runbook_url annotation>
`,
			want: `= Update Health =
Message: Alert is firing: A
  Since:       1m
  Level:       Warning
  Reference:   https://docs.redhat.com/en/documentation/monitoring_stack_for_red_hat_openshift/4.21/html/managing_alerts/managing-alerts-as-an-administrator
`,
			rules: []string{"an alert without a runbook has a page all the same"},
		},
		{
			name: "a line that contradicts its files",
			recorded: `NAME             SINCE   REASON          MESSAGE
kube-apiserver   6m8s    NodeInstaller   NodeInstallerProgressing: 3 nodes are at revision 274; 0 nodes have achieved new revision 276
etcd             6m8s    NodeInstaller   NodeInstallerProgressing: 3 nodes are at revision 274; 0 nodes have achieved new revision 276
`,
			want: `NAME             SINCE   REASON          MESSAGE
kube-apiserver   now     NodeInstaller   NodeInstallerProgressing: 3 nodes are at revision 274; 0 nodes have achieved new revision 276
etcd             6m8s    NodeInstaller   NodeInstallerProgressing: 3 nodes are at revision 274; 0 nodes have achieved new revision 276
`,
			rules: []string{"a recorded text contradicts the files that it was made from"},
		},
		{
			name: "order of health blocks",
			recorded: `= Update Health =
Message: C
  Since:       1m
  Level:       Error

Message: B
  Since:       1m
  Level:       Error

Message: A
  Since:       2m
  Level:       Error
`,
			want: `= Update Health =
Message: B
  Since:       1m
  Level:       Error

Message: C
  Since:       1m
  Level:       Error

Message: A
  Since:       2m
  Level:       Error
`,
			rules: []string{"health rows of the same level and age are ordered by summary"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.rules == nil {
				tc.want = tc.recorded
			}
			got, rules := Expected(tc.recorded)
			if diff := cmp.Diff(strings.Split(tc.want, "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.rules, rules); diff != "" {
				t.Errorf("rules (-want +got):\n%s", diff)
			}
			if again, rules := Expected(got); again != got || rules != nil {
				t.Errorf("applied again, it changes:\n%s", cmp.Diff(got, again))
			}
		})
	}
}
