package conformance

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// unremarkable is a text in which nothing differs from ours on purpose, though each rule looks at some of its lines.
const unremarkable = `= Control Plane =
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
`

// TestExpectedIsNarrow: a text to which no rule applies has to be the same. That the rules are right is shown by recorded clusters.
func TestExpectedIsNarrow(t *testing.T) {
	got, rules := Expected(unremarkable)
	if diff := cmp.Diff(unremarkable, got); diff != "" || len(rules) > 0 {
		t.Errorf("rules %q (-want +got):\n%s", rules, diff)
	}
}
