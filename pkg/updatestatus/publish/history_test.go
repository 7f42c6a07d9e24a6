package publish

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned/fake"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/fakeapi"
)

// historyFixture is a History of a cluster with records of an earlier update, of one that started at minute 0, and one without a start.
type historyFixture struct {
	*History

	t       *testing.T
	client  *fake.Clientset
	last    *update.Built
	reads   int
	failure error
}

func minute(of int) *metav1.Time {
	moment := metav1.NewTime(start.Add(time.Duration(of) * time.Minute))
	return &moment
}

func newHistoryFixture(t *testing.T) *historyFixture {
	t.Helper()
	f := &historyFixture{t: t, client: fake.NewSimpleClientset()}
	for name, started := range map[string]*metav1.Time{"earlier": minute(-5000), "now": minute(0), "not written": nil} {
		_, err := f.client.UpdateV1alpha1().UpdateRecords().Create(t.Context(), &updatev1alpha1.UpdateRecord{
			ObjectMeta: metav1.ObjectMeta{Name: name}, Status: updatev1alpha1.UpdateRecordStatus{RecordTimes: updatev1alpha1.RecordTimes{StartedAt: started}},
		}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
	}
	f.client.PrependReactor("list", "updaterecords", func(clienttesting.Action) (bool, runtime.Object, error) { return f.failure != nil, nil, f.failure })
	f.History = NewHistory(HistoryInput{
		Store: Standalone(fakeapi.Client(f.client)).Records, Built: func() *update.Built { return f.last }, OnRead: func() { f.reads++ },
	})
	return f
}

// started sets what was built last to an update that started at a minute.
func (f *historyFixture) started(at int) {
	version := updatev1alpha1.Insight{ClusterVersion: &updatev1alpha1.ClusterVersionInsight{StartedAt: minute(at)}}
	f.last = &update.Built{Update: update.Read(&updatev1alpha1.UpdateStatusStatus{ControlPlane: &updatev1alpha1.ControlPlane{
		Informers: []updatev1alpha1.Informer{{Name: "control-plane-informer", Insights: []updatev1alpha1.Insight{version}}},
	}})}
}

// expect reads, and compares the starts of the records, how often others were told, and how often records were listed.
func (f *historyFixture) expect(isTried bool, reads, lists int, want ...int) {
	f.t.Helper()
	f.client.ClearActions()
	f.reads = 0
	if _, err := f.Read(f.t.Context(), false); (err != nil) != (f.failure != nil && !strings.Contains(f.failure.Error(), "not found")) {
		f.t.Errorf("error %v", err)
	}
	earlier, gotTried := f.Of(f.last)
	var got []int
	for _, one := range earlier {
		got = append(got, int(one.StartedAt.Sub(start).Minutes()))
	}
	if !slices.Equal(got, want) || gotTried != isTried || f.reads != reads || len(f.client.Actions()) != lists {
		f.t.Errorf("tried %t, %d told, %d lists, started at %v; want %v", gotTried, f.reads, len(f.client.Actions()), got, want)
	}
}

// TestHistory checks that the records of earlier updates are read before anything was built, and again for each update.
func TestHistory(t *testing.T) {
	f := newHistoryFixture(t)
	if _, isTried := f.Of(nil); isTried {
		t.Error("nothing was read")
	}
	f.expect(true, 1, 1, 0, -5000)
	f.started(0)
	f.expect(true, 1, 1, -5000)
	f.expect(true, 0, 0, -5000)
	f.started(100)
	f.expect(true, 1, 1, 0, -5000)
	f.started(200)
	f.client.ClearActions()
	if _, err := f.Read(t.Context(), true); err != nil || len(f.client.Actions()) != 0 {
		t.Errorf("at the end of the process: %d lists, error %v", len(f.client.Actions()), err)
	}
}

// TestUnreadableHistory checks that estimates go on without records that can't be read, with those known before if there are any, that they
// are tried again, and that a cluster without the resource has none.
func TestUnreadableHistory(t *testing.T) {
	f := newHistoryFixture(t)
	f.started(0)
	f.failure = errors.New("forbidden")
	f.expect(true, 1, 1)
	f.expect(true, 0, 1)
	f.failure = nil
	f.expect(true, 1, 1, -5000)
	f.started(100)
	f.failure = errors.New("forbidden")
	f.expect(true, 0, 1, 0, -5000)
	f.failure = apierrors.NewNotFound(updatev1alpha1.Resource("updaterecords"), "")
	f.expect(true, 1, 1)
	f.expect(true, 0, 0)
}
