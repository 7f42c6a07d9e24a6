package truncate

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// What is here hits each bound exactly, and misses it by one.

func healthOf(uid, description string) updatev1alpha1.Insight {
	return updatev1alpha1.Insight{UID: uid, Type: updatev1alpha1.InsightHealth, Health: &updatev1alpha1.HealthInsight{
		Impact: updatev1alpha1.HealthImpact{Level: updatev1alpha1.LevelWarning, Summary: uid, Description: description},
	}}
}

func statusOf(insights ...updatev1alpha1.Insight) *updatev1alpha1.UpdateStatusStatus {
	return &updatev1alpha1.UpdateStatusStatus{ControlPlane: &updatev1alpha1.ControlPlane{Informers: []updatev1alpha1.Informer{
		{Name: string(insight.NodeInformer), Insights: insights},
	}}}
}

// filledTo makes a status as large as wanted by a name, which is never cut.
func filledTo(t *testing.T, size int, status *updatev1alpha1.UpdateStatusStatus, of func() *updatev1alpha1.UpdateStatusStatus) {
	t.Helper()
	status.ControlPlane.Resource.Name = "x" // one without anything is left out
	missing := size - sizeOf(of())
	if missing < 0 {
		t.Fatalf("it is %d bytes too large without a filler", -missing)
	}
	status.ControlPlane.Resource.Name = strings.Repeat("x", 1+missing)
}

func fitted(status, previous *updatev1alpha1.UpdateStatusStatus) Result {
	return Fit(Input{
		Status: status, Previous: previous, Complete: true, NodesComplete: true,
		Rejected: func(insight.Source, string) string { return "" }, Now: metav1.Unix(1000, 0),
	})
}

// asWhole returns a status with the condition that nothing is left out.
func asWhole(status *updatev1alpha1.UpdateStatusStatus) *updatev1alpha1.UpdateStatusStatus {
	whole := *status
	whole.Conditions = append(slices.Clone(status.Conditions), (&fitter{Input: Input{Previous: nothing(), Now: metav1.Unix(1000, 0)}}).whole())
	return &whole
}

func nothing() *updatev1alpha1.UpdateStatusStatus { return &updatev1alpha1.UpdateStatusStatus{} }

// TestTextsStayWhileTheyFit: a text is cut when the status is one byte too large.
func TestTextsStayWhileTheyFit(t *testing.T) {
	for more, isCut := range []bool{false, true} {
		status := statusOf(healthOf("one", strings.Repeat("a", 4000)))
		filledTo(t, statusBytes+more, status, func() *updatev1alpha1.UpdateStatusStatus { return asWhole(status) })
		result := fitted(status, status)
		if got := len(result.Status.ControlPlane.Informers[0].Insights[0].Health.Impact.Description) < 4000; got != isCut || result.LeftOut != 0 {
			t.Errorf("%d bytes more than fit: cut %v, %d left out", more, got, result.LeftOut)
		}
	}
}

// TestSlackOfTexts: texts that were cut stay cut, and insights that were left out do, until there is some slack; a text stays cut
// no more than it was.
func TestSlackOfTexts(t *testing.T) {
	long := func() *updatev1alpha1.UpdateStatusStatus { return statusOf(healthOf("one", strings.Repeat("a", 4000))) }
	truncated := long()
	truncated.Conditions = []metav1.Condition{{Type: updatev1alpha1.ConditionInsightsComplete, Status: metav1.ConditionFalse, LastTransitionTime: metav1.Unix(1, 0)}}
	complete := long()
	complete.Conditions = []metav1.Condition{{Type: updatev1alpha1.ConditionInsightsComplete, Status: metav1.ConditionTrue}}
	cutTo := func(limit int) *updatev1alpha1.UpdateStatusStatus {
		return shortened(long(), limit)
	}
	tests := map[string]struct {
		previous *updatev1alpha1.UpdateStatusStatus
		// size is that of the status with its texts cut to a limit, and want what they are cut to.
		size, limit, want int
	}{
		"nothing was cut":                        {long(), statusBytes, textLimits[0], 4000},
		"was cut, without slack":                 {cutTo(textLimits[1]), statusBytes - slackBytes + 1, textLimits[0], textLimits[1]},
		"was cut, with slack":                    {cutTo(textLimits[1]), statusBytes - slackBytes, textLimits[0], 4000},
		"was cut as much":                        {cutTo(textLimits[1]), statusBytes, textLimits[1], textLimits[1]},
		"was cut more":                           {cutTo(textLimits[2]), statusBytes - slackBytes + 1, textLimits[1], textLimits[2]},
		"something was left out, without slack":  {truncated, statusBytes - slackBytes + 1, textLimits[0], textLimits[1]},
		"something was left out, with slack":     {truncated, statusBytes - slackBytes, textLimits[0], 4000},
		"nothing was left out, a condition says": {complete, statusBytes, textLimits[0], 4000},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			status := long()
			filledTo(t, test.size, status, func() *updatev1alpha1.UpdateStatusStatus { return asWhole(shortened(status, test.limit)) })
			description := fitted(status, test.previous).Status.ControlPlane.Informers[0].Insights[0].Health.Impact.Description
			if got := len(encode(description)); got > test.want+len(`""`) || got < test.want-10 {
				t.Errorf("cut to %d, want %d", got, test.want)
			}
		})
	}
}

// TestConditionsFit: where all space is used by what was stored, the conditions that say what is left out still fit.
func TestConditionsFit(t *testing.T) {
	var insights []updatev1alpha1.Insight
	for at := range 600 {
		insights = append(insights, healthOf(fmt.Sprintf("health-%04d", at), strings.Repeat("a", 200)))
	}
	for more := 0; more < 400; more += 30 {
		status := statusOf(insights...)
		filledTo(t, statusBytes+100+more, status, func() *updatev1alpha1.UpdateStatusStatus { return status })
		result := fitted(status, status)
		if got := sizeOf(result.Status); got > statusBytes || result.LeftOut == 0 || result.LeftOut > 5 {
			t.Errorf("%d bytes of %d, %d left out", got, statusBytes, result.LeftOut)
		}
	}
}

// TestRejected: what the API server rejects is left out, and nothing else.
func TestRejected(t *testing.T) {
	status := statusOf(healthOf("good", ""), healthOf("bad", ""), healthOf("worse", ""))
	result := Fit(Input{
		Status: status, Previous: nothing(), Complete: true, NodesComplete: true,
		Rejected: func(_ insight.Source, uid string) string {
			return map[string]string{"bad": "bad: too long", "worse": "worse: too long"}[uid]
		},
	})
	kept := result.Status.ControlPlane.Informers[0].Insights
	condition := meta.FindStatusCondition(result.Status.Conditions, updatev1alpha1.ConditionInsightsComplete)
	const want = "Left out, since the API server rejects it: 2 insights, the first is bad: too long"
	if len(kept) != 1 || kept[0].UID != "good" || result.LeftOut != 2 || condition == nil || condition.Reason != updatev1alpha1.ReasonRejected || condition.Message != want {
		t.Errorf("kept %v, %d left out, condition %v", kept, result.LeftOut, condition)
	}
}

// TestListingBound: nodes are listed by name when their insights take one byte too much, and listed until they take some less.
func TestListingBound(t *testing.T) {
	nodes := func(size int) *updatev1alpha1.UpdateStatusStatus {
		one := updatev1alpha1.Insight{UID: "node-a", Type: updatev1alpha1.InsightNode, Node: &updatev1alpha1.NodeInsight{Name: "a", Message: "m"}}
		one.Node.Message = strings.Repeat("m", 1+size-len(encode(one)))
		return statusOf(one)
	}
	listing := statusOf(updatev1alpha1.Insight{UID: "mcp-worker", Type: updatev1alpha1.InsightMachineConfigPool, MachineConfigPool: &updatev1alpha1.MachineConfigPoolInsight{
		Name: "worker", NodeGroups: []updatev1alpha1.NodeGroup{{Names: []string{"b"}}},
	}})
	tests := map[string]struct {
		size     int
		previous *updatev1alpha1.UpdateStatusStatus
		complete bool
		want     bool
	}{
		"at the bound":             {listBytes, nothing(), true, false},
		"beyond it":                {listBytes + 1, nothing(), true, true},
		"listed, with slack":       {listBytes - listSlackBytes, listing, true, false},
		"listed, without slack":    {listBytes - listSlackBytes + 1, listing, true, true},
		"listed, and not complete": {1000, listing, false, true},
		"not listed, not complete": {1000, nothing(), false, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			f := &fitter{Input: Input{Previous: test.previous, NodesComplete: test.complete}}
			if got := f.mustListNodes(nodes(test.size)); got != test.want {
				t.Errorf("listed: %v", got)
			}
		})
	}
}

// TestWhatIsSaid checks the numbers and the reasons of the conditions, and when a condition stays as it was.
func TestWhatIsSaid(t *testing.T) {
	worker := insight.Part{WorkerPool: "worker"}
	out := leftOut{}
	for at, name := range []string{"Pending node", "Completed node", "Completed node", "Warning health insight", "Completed node"} {
		part := worker
		if at == 1 {
			part = insight.ControlPlane
		}
		one := item{key: key{part, fmt.Sprint(at)}, name: name}
		out[one.key] = one
	}
	old := metav1.Condition{Type: updatev1alpha1.ConditionInsightsComplete, Status: metav1.ConditionFalse, Message: "old", LastTransitionTime: metav1.Unix(1, 0)}
	previous := statusOf()
	previous.Conditions = []metav1.Condition{old}
	previous.ControlPlane.Conditions = []metav1.Condition{old}
	previous.WorkerPools = []updatev1alpha1.WorkerPool{{Name: "worker", Conditions: []metav1.Condition{old}}}
	const (
		all     = "Left out, since the object would be too large: 3 Completed nodes, 1 Pending node, 1 Warning health insight"
		masters = "Left out, since the object would be too large: 1 Completed node"
		workers = "Left out, since the object would be too large: 2 Completed nodes, 1 Pending node, 1 Warning health insight"
	)
	tests := map[string]struct {
		complete, nodesComplete bool
		out                     leftOut
		// want are the messages about the whole, the control plane and the workers.
		want []string
	}{
		"all have reported":       {true, true, out, []string{all, masters, workers}},
		"all, nothing left out":   {true, true, nil, []string{"", "", ""}},
		"the nodes have reported": {false, true, out, []string{"old", "old", workers}},
		"none has reported":       {false, false, out, []string{"old", "old", "old"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			f := &fitter{Input: Input{Previous: previous, Complete: test.complete, NodesComplete: test.nodesComplete, Now: metav1.Unix(2, 0)}}
			status := statusOf()
			status.WorkerPools = []updatev1alpha1.WorkerPool{{Name: "worker"}}
			status = f.withConditions(status, test.out)
			var got []string
			for _, conditions := range [][]metav1.Condition{status.Conditions, status.ControlPlane.Conditions, status.WorkerPools[0].Conditions} {
				message := ""
				if found := truncation(conditions); found != nil {
					message = found.Message
					if found.LastTransitionTime != old.LastTransitionTime {
						t.Errorf("%s is since %v", message, found.LastTransitionTime)
					}
				}
				got = append(got, message)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestManagedFields compares what is reckoned for managedFields with what they are for a status.
func TestManagedFields(t *testing.T) {
	status := statusOf()
	since := metav1.NewTime(time.Unix(1, 0))
	status.Conditions = []metav1.Condition{{Type: "Available", LastTransitionTime: since}, {Type: "AlertsComplete", LastTransitionTime: since}}
	status.ControlPlane.Conditions = []metav1.Condition{{Type: "Updating", LastTransitionTime: since}}
	for _, name := range []string{"worker", strings.Repeat("long", 50)} {
		status.WorkerPools = append(status.WorkerPools, updatev1alpha1.WorkerPool{
			Name: name, Conditions: status.ControlPlane.Conditions, Informers: []updatev1alpha1.Informer{{Name: string(insight.NodeInformer)}},
		})
	}
	condition := func(kind string) string {
		return `"k:{\"type\":\"` + kind + `\"}":{".":{},"f:lastTransitionTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}}`
	}
	informer := func(name string) string {
		return `"k:{\"name\":\"` + name + `\"}":{".":{},"f:insights":{},"f:name":{}}`
	}
	const resource = `"f:resource":{".":{},"f:group":{},"f:name":{},"f:resource":{}}`
	fields := `{"f:status":{".":{},"f:conditions":{".":{},` + condition("Available") + "," + condition("AlertsComplete") + `},` +
		`"f:controlPlane":{".":{},"f:conditions":{".":{},` + condition("Updating") + `},"f:informers":{".":{},` + informer("node-informer") + `},` + resource + `},` +
		`"f:workerPools":{".":{}`
	for _, pool := range status.WorkerPools {
		fields += `,"k:{\"name\":\"` + pool.Name + `\"}":{".":{},"f:conditions":{".":{},` + condition("Updating") + `},"f:informers":{".":{},` + informer("node-informer") + `},"f:name":{},` + resource + `}`
	}
	fields += `}}}`
	if got := sizeOf(status) - len(encode(status)); got < len(fields)-50 || got > len(fields)+150 {
		t.Errorf("reckoned %d bytes, and they are %d", got, len(fields))
	}
}

// TestSizesOfItems: the sizes of what can be left out and of the rest are that of the whole, but for commas.
func TestSizesOfItems(t *testing.T) {
	status := statusOf(healthOf("a", "one"), healthOf("b", "two"), healthOf("c", "three"))
	f := &fitter{Input: Input{Previous: nothing()}}
	c := f.newChoice(status)
	sum := c.bare
	for _, items := range c.tiers {
		for _, one := range items {
			sum += one.size
		}
	}
	// A list of insights has a name, and the last of them no comma.
	if whole := sizeOf(status); sum+len(`,"insights":[]`) != whole+len(",") {
		t.Errorf("the parts take %d bytes, the whole %d", sum, whole)
	}
	for _, one := range itemsOf(statusOf(healthOf("a", "one"))) {
		if want := len(encode(healthOf("a", "one"))) + 1; one.size != want {
			t.Errorf("%s takes %d bytes, want %d", one.uid, one.size, want)
		}
	}
}

// TestFreePools: as many pools stay as the API allows.
func TestFreePools(t *testing.T) {
	for pools, want := range map[int]int{10: 10, maxWorkerPools: maxWorkerPools, maxWorkerPools + 7: maxWorkerPools} {
		status := statusOf()
		for at := range pools {
			status.WorkerPools = append(status.WorkerPools, updatev1alpha1.WorkerPool{Name: fmt.Sprintf("pool-%d", at)})
		}
		f := &fitter{Input: Input{Previous: nothing()}}
		if c := f.newChoice(status); min(c.freePools, len(c.pools)) != want || len(c.pools) != pools {
			t.Errorf("%d pools: %d may stay of %d", pools, c.freePools, len(c.pools))
		}
	}
}

// TestPoolNames: a pool that is left out is called as its users call it.
func TestPoolNames(t *testing.T) {
	status := statusOf()
	status.WorkerPools = []updatev1alpha1.WorkerPool{{Name: "a"}, {Name: "b", Resource: updatev1alpha1.ResourceRef{Resource: "nodepools"}}}
	var names []string
	for _, one := range poolsOf(status) {
		names = append(names, one.name)
	}
	if diff := cmp.Diff([]string{"worker pool", "node pool"}, names); diff != "" {
		t.Error(diff)
	}
}

// choiceOf is a choice of items of 1,000 bytes: pools, and insights by tier. Names are those of the test.
func choiceOf(pools, attention, progress, routine int) *choice {
	c := &choice{stored: map[key]bool{}, freePools: pools}
	of := func(kind string, tier insight.Tier, number int) (items []item) {
		for at := range number {
			items = append(items, item{
				key: key{insight.ControlPlane, fmt.Sprintf("%s-%d", kind, at)}, size: 1000, hash: uint64(at), priority: insight.Priority{Tier: tier},
			})
		}
		return items
	}
	for _, pool := range of("pool", 0, pools) {
		pool.part, pool.uid = insight.Part{WorkerPool: pool.uid}, ""
		c.pools = append(c.pools, pool)
	}
	c.tiers[insight.TierAttention] = of("attention", insight.TierAttention, attention)
	c.tiers[insight.TierProgress] = of("progress", insight.TierProgress, progress)
	c.tiers[insight.TierRoutine] = of("routine", insight.TierRoutine, routine)
	return c
}

// kept returns what a choice keeps in some space, by kind.
func (c *choice) kept(space int) string {
	out, counts := c.leaveOut(space), map[string]int{}
	for at, items := range append(c.tiers[:], c.pools) {
		for _, one := range items {
			if !out.has(one.key) {
				counts[[]string{"routine", "progress", "attention", "pool"}[at]]++
			}
		}
	}
	return fmt.Sprintf("%d pools, %d attention, %d progress, %d routine", counts["pool"], counts["attention"], counts["progress"], counts["routine"])
}

// TestWhatStays checks the order in which insights come in, and each of its bounds.
func TestWhatStays(t *testing.T) {
	stored := func(c *choice) *choice {
		for _, items := range append(c.tiers[:], c.pools) {
			for _, one := range items {
				c.stored[one.key] = true
			}
		}
		return c
	}
	fewer := choiceOf(2, 1, 1, 1)
	fewer.freePools = 1
	classes := choiceOf(0, 3, 0, 0)
	classes.tiers[insight.TierAttention][0].size = 50000
	classes.tiers[insight.TierAttention][2].priority.Class = -1
	tests := map[string]struct {
		choice *choice
		space  int
		want   string
	}{
		"all":                            {choiceOf(1, 1, 1, 1), poolsReserve + 100000, "1 pools, 1 attention, 1 progress, 1 routine"},
		"not what is routine":            {choiceOf(0, 2, 2, 2), slackBytes + 5000, "0 pools, 2 attention, 2 progress, 1 routine"},
		"not all in progress":            {choiceOf(0, 2, 2, 2), slackBytes + 3999, "0 pools, 2 attention, 1 progress, 0 routine"},
		"not all that needs attention":   {choiceOf(0, 2, 2, 2), slackBytes + 1999, "0 pools, 1 attention, 0 progress, 0 routine"},
		"as much as fits":                {choiceOf(0, 2, 0, 0), slackBytes + 2000, "0 pools, 2 attention, 0 progress, 0 routine"},
		"what is stored needs no slack":  {stored(choiceOf(0, 2, 0, 0)), 2000, "0 pools, 2 attention, 0 progress, 0 routine"},
		"what is stored needs its space": {stored(choiceOf(0, 2, 0, 0)), 1999, "0 pools, 1 attention, 0 progress, 0 routine"},
		"pools leave a reserve":          {choiceOf(3, 1, 0, 0), poolsReserve + slackBytes + 2000, "2 pools, 1 attention, 0 progress, 0 routine"},
		"a pool that is stored too":      {stored(choiceOf(3, 1, 0, 0)), poolsReserve + 2000, "2 pools, 1 attention, 0 progress, 0 routine"},
		"without all pools no progress":  {choiceOf(3, 1, 1, 1), poolsReserve + slackBytes + 2999, "2 pools, 1 attention, 0 progress, 0 routine"},
		"more pools than the API allows": {fewer, poolsReserve + 100000, "1 pools, 1 attention, 0 progress, 0 routine"},
		"smaller ones of the same class": {classes, slackBytes + 3000, "0 pools, 1 attention, 0 progress, 0 routine"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := test.choice.kept(test.space); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// TestBoundOfTexts: a text may take exactly the limit.
func TestBoundOfTexts(t *testing.T) {
	for text, size := range map[string]int{"ab": 4, "\"": 4, "\x00": 8, "日": 5} {
		if !fits(text, size) || fits(text, size-1) {
			t.Errorf("%q takes %d bytes", text, size)
		}
	}
	if names := list(map[string]int{"a": 1, "b": 3, "c": 3, "d": 2}); names != "3 bs, 3 cs, 2 ds, 1 a" {
		t.Errorf("listed %s", names)
	}
	if !slices.IsSorted(textLimits[1:2]) || limitOf(statusOf(healthOf("one", strings.Repeat("a", textLimits[1]-2)))) != 1 {
		t.Error("a text of the size of a limit is within it")
	}
}
