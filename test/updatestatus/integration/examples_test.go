package integration_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/examples/ceph"
	"github.com/openshift/cluster-version-operator/test/updatestatus/examples/clusters"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// screenLines is how many lines a terminal shows at least.
const screenLines = 24

// contribution is a blocked drain, about which the example of docs/updatestatus/informers.md reports as its ServiceAccount.
type contribution struct {
	*blockedDrain

	informer ceph.Informer
	client   *client
	// summary and drain are those of the insights of the example and of the drain.
	summary, drain string
	// uid and startedAt are those of the insight of the example once it is reported.
	uid       string
	startedAt *metav1.Time
	// renewedAt is when the example was last renewed.
	renewedAt time.Time
}

// TestExampleInUpdate plays an update whose last node is not drained for more than ten minutes because of what the example of
// docs/updatestatus/informers.md reports about. Once the administrator trusts the example, its insight is the cause of the drain. It is withdrawn if
// it is not renewed, disabled or deleted, and stays over a restart.
func TestExampleInUpdate(t *testing.T) {
	w := newWorld(t)
	node := simulator.NodeName("worker", 0)
	c := &contribution{
		summary: "openshift-storage/ceph: Ceph rebuilds 12 of 96 objects, which blocks the drain of " + node,
		drain:   "Node " + node + " does not drain: a PodDisruptionBudget never allows a disruption",
	}
	t.Cleanup(func() {
		if t.Failed() {
			for _, one := range insightsOf(w.get()) {
				if one.Health != nil {
					t.Logf("%s caused by %v", one.Health.Impact.Summary, one.Health.CausedBy)
				}
			}
		}
		if err := clusters.Remove(context.WithoutCancel(w.ctx), w.plane, node); err != nil {
			t.Error(err)
		}
	})
	var err error
	if c.informer, err = clusters.Install(w.ctx, w.plane); err != nil {
		t.Fatal(err)
	}
	c.client = w.newClient("get")
	c.blockedDrain = w.playUntilBlocked()
	c.clock.SetTime(c.since.Add(11 * time.Minute))
	c.renew() // before the controller reads the pods of the node, which it does once a minute by the real clock
	c.triggerSync()
	c.expectUntrusted()
	c.expectTrusted()
	c.expectText()
	c.expectRestart()
	c.expectOutdated()
	c.expectDisabled()
	c.expectDeleted()
}

// renew renews the UpdateInformer. Rook has just checked Ceph.
func (c *contribution) renew() {
	c.t.Helper()
	if err := clusters.Put(c.ctx, c.plane, c.node, c.second()); err != nil {
		c.t.Fatal(err)
	}
	if err := c.informer.Renew(c.ctx, c.second()); err != nil {
		c.t.Fatal(err)
	}
	c.renewedAt = c.second()
}

// sinceRenewal sets the clock to a time after the last renewal. What waits for that time waits by the real clock, so that another
// UpdateInformer, which has no insight, makes the controller read all of them.
func (c *contribution) sinceRenewal(after time.Duration) {
	c.t.Helper()
	c.clock.SetTime(c.renewedAt.Add(after))
	c.put(&updatev1alpha1.UpdateInformer{
		TypeMeta:   metav1.TypeMeta{APIVersion: updatev1alpha1.SchemeGroupVersion.String(), Kind: "UpdateInformer"},
		ObjectMeta: metav1.ObjectMeta{Namespace: metav1.NamespaceDefault, Name: "after-" + after.String()},
	})
}

// set changes the setting of the UpdateInformer, as oc edit does.
func (c *contribution) set(state updatev1alpha1.InformerState) {
	c.t.Helper()
	us := c.get()
	us.Spec.Informers = []updatev1alpha1.InformerSetting{{Namespace: clusters.Informer.Namespace, Name: clusters.Informer.Name, State: state}}
	if _, err := updateclient.NewForConfigOrDie(c.plane.Admin()).UpdateV1alpha1().UpdateStatuses().Update(c.ctx, us, metav1.UpdateOptions{}); err != nil {
		c.t.Fatal(err)
	}
}

// untilReported waits until the example is reported as the cause of the drain, or not as its cause.
func (c *contribution) untilReported(step string, isCause bool) *updatev1alpha1.Insight {
	c.t.Helper()
	var found *updatev1alpha1.Insight
	c.until(step, func(us *updatev1alpha1.UpdateStatus) bool {
		found = healthOf(us, c.summary)
		return found != nil && healthOf(us, c.drain) != nil && isCause == c.isCause(us, found.UID)
	})
	return found
}

// isCause returns whether an insight is a cause of the drain.
func (c *contribution) isCause(us *updatev1alpha1.UpdateStatus, uid string) bool {
	drain := healthOf(us, c.drain)
	return drain != nil && slices.ContainsFunc(drain.Health.CausedBy, func(cause updatev1alpha1.HealthCause) bool { return cause.UID == uid })
}

// untilGone waits until nothing of the example is reported, and the drain has no cause.
func (c *contribution) untilGone(step string) *updatev1alpha1.UpdateStatus {
	c.t.Helper()
	return c.until(step, func(us *updatev1alpha1.UpdateStatus) bool {
		drain := healthOf(us, c.drain)
		return find(us, c.uid) == nil && drain != nil && len(drain.Health.CausedBy) == 0
	})
}

// expectUntrusted checks that an example that is not trusted is reported as a Warning, and is no cause.
func (c *contribution) expectUntrusted() {
	c.t.Helper()
	c.sinceRenewal(2 * time.Minute) // it is read once a minute
	found := c.untilReported("the example", false)
	if level := found.Health.Impact.Level; level != updatev1alpha1.LevelWarning {
		c.t.Errorf("level %s", level)
	}
	out, _, _ := c.client.run(c.ctx, "--details", "health", "--now", c.second().Format(time.RFC3339))
	if !strings.Contains(out, "To trust, or to disable, this informer:") || !strings.Contains(out, `"state":"Trusted"`) {
		c.t.Errorf("it does not name how to trust the informer:\n%s", out)
	}
	c.uid = found.UID
}

// expectTrusted trusts the example with the patch of docs/updatestatus/informers.md, and checks that it is the cause of the drain.
func (c *contribution) expectTrusted() {
	c.t.Helper()
	patch, err := clusters.TrustExample()
	if err != nil {
		c.t.Fatal(err)
	}
	statuses := updateclient.NewForConfigOrDie(c.plane.Admin()).UpdateV1alpha1().UpdateStatuses()
	if _, err := statuses.Patch(c.ctx, updatev1alpha1.SingletonName, types.JSONPatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
		c.t.Fatal(err)
	}
	found := c.untilReported("the cause of the drain", true)
	if found.UID != c.uid {
		c.t.Errorf("uid %s, before it was trusted %s", found.UID, c.uid)
	}
	c.startedAt = found.Health.StartedAt
	c.untilSummary("what needs attention", func(summary *updatev1alpha1.UpdateStatusSummary) []string {
		needs := meta.FindStatusCondition(summary.Status.Conditions, updatev1alpha1.ConditionNeedsAttention)
		if needs == nil || needs.Status != metav1.ConditionTrue || !strings.Contains(needs.Message, c.summary) || strings.Contains(needs.Message, c.drain) {
			return []string{"needs attention: " + needs.String()}
		}
		return nil
	})
}

// expectText checks that the first screen of the client has the example as a cause and the drain as its consequence, and that the
// details name how to change the setting of the example.
func (c *contribution) expectText() {
	c.t.Helper()
	now := c.second().Format(time.RFC3339)
	out, errOut, status := c.client.run(c.ctx, "--now", now)
	lines := strings.Split(out, "\n")
	screen := strings.Join(lines[:min(len(lines), screenLines)], "\n")
	if !strings.Contains(screen, c.summary+" (+1 consequence, ") || errOut != "" || status != 0 {
		c.t.Errorf("the first screen has no %q, exit status %d, %s:\n%s", c.summary, status, errOut, out)
	}
	details, _, _ := c.client.run(c.ctx, "--details", "health", "--now", now)
	for _, want := range []string{
		"Message: " + c.summary + " (+1 consequence)\n", "  Consequences:\n    Message: " + c.drain + "\n",
		"This informer is trusted. To change that:\n    oc edit updatestatus cluster\n",
	} {
		if !strings.Contains(details, want) {
			c.t.Errorf("the details have no %q:\n%s", want, details)
		}
	}
}

// expectRestart checks that a restart neither drops nor duplicates the insight.
func (c *contribution) expectRestart() {
	c.t.Helper()
	seen := len(c.observer.Versions())
	c.stop()
	c.start()
	c.put(builders.MachineConfigPool("joined"))
	c.until("something new after the restart", func(us *updatev1alpha1.UpdateStatus) bool { return find(us, "mcp-joined") != nil })
	for _, us := range c.observer.Versions()[seen:] {
		c.expectOnce(us)
	}
	c.untilReported("the cause after the restart", true)
}

// expectOnce checks that a version has the insight once, as it was.
func (c *contribution) expectOnce(us *updatev1alpha1.UpdateStatus) {
	c.t.Helper()
	var found []*updatev1alpha1.Insight
	for _, one := range insightsOf(us) {
		if one.Health != nil && strings.HasPrefix(one.Health.Impact.Summary, c.summary) {
			found = append(found, one)
		}
	}
	if len(found) != 1 || found[0].UID != c.uid || !found[0].Health.StartedAt.Equal(c.startedAt) {
		c.t.Errorf("version %s has %+v, want %s since %s", us.ResourceVersion, found, c.uid, c.startedAt)
	}
}

// expectOutdated checks that the insight is outdated three minutes after it was renewed, withdrawn after fifteen minutes, and reported
// again once it is renewed.
func (c *contribution) expectOutdated() {
	c.t.Helper()
	c.sinceRenewal(3*time.Minute + time.Second)
	us := c.until("an outdated insight", func(us *updatev1alpha1.UpdateStatus) bool {
		return healthOf(us, c.summary+" (as of "+c.renewedAt.UTC().Format(time.RFC3339)+")") != nil
	})
	reporting := meta.FindStatusCondition(us.Status.Conditions, updatev1alpha1.ConditionInformersReporting)
	if reporting == nil || reporting.Status != metav1.ConditionFalse || reporting.Reason != updatev1alpha1.ReasonNotRenewed ||
		!strings.Contains(reporting.Message, clusters.Informer.String()) {
		c.t.Errorf("reporting: %v", reporting)
	}
	if !c.isCause(us, c.uid) {
		c.t.Error("it is no cause of the drain while it is outdated")
	}
	c.expectOnce(us)
	c.sinceRenewal(15*time.Minute + time.Second)
	c.untilGone("an insight that is withdrawn")
	c.renew()
	c.expectBack("renewed")
}

// expectBack checks that the insight is reported again, with the uid that it had.
func (c *contribution) expectBack(how string) {
	c.t.Helper()
	if found := c.untilReported("an insight that is back when it is "+how, true); found.UID != c.uid {
		c.t.Errorf("%s: uid %s, was %s", how, found.UID, c.uid)
	}
}

// expectDisabled checks that an example that is disabled is not reported, without any time passing.
func (c *contribution) expectDisabled() {
	c.t.Helper()
	c.set(updatev1alpha1.InformerDisabled)
	c.untilGone("an example that is disabled")
	c.set(updatev1alpha1.InformerTrusted)
	c.expectBack("trusted again")
}

// expectDeleted checks that an example that is deleted is not reported, without any time passing.
func (c *contribution) expectDeleted() {
	c.t.Helper()
	informers := updateclient.NewForConfigOrDie(c.plane.Admin()).UpdateV1alpha1().UpdateInformers(clusters.Informer.Namespace)
	if err := informers.Delete(c.ctx, clusters.Informer.Name, metav1.DeleteOptions{}); err != nil {
		c.t.Fatal(err)
	}
	us := c.untilGone("an example that is deleted")
	if reporting := meta.FindStatusCondition(us.Status.Conditions, updatev1alpha1.ConditionInformersReporting); reporting != nil && reporting.Status != metav1.ConditionTrue {
		c.t.Errorf("reporting: %v", reporting)
	}
}
