package status_test

import (
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/truncate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
)

// TestLongAnyCluster: whatever an API server holds, the object is one that it has room for, and can be shown;
// whatever changes then, nothing of what is gone is left and no time that was kept goes back. The seeds of FuzzCluster are its short form.
func TestLongAnyCluster(t *testing.T) {
	t.Parallel()
	rapid.Check(t, anyCluster)
}

// FuzzCluster looks for a cluster for which that is not so.
func FuzzCluster(f *testing.F) {
	for seed := range uint64(8) {
		// A cluster is drawn from such bytes.
		begin := make([]byte, 256<<10)
		_, _ = rand.NewChaCha8([32]byte{byte(seed)}).Read(begin)
		f.Add(begin)
	}
	f.Fuzz(rapid.MakeFuzz(anyCluster))
}

func anyCluster(t *rapid.T) {
	said, builder := ledger.New(), status.NewBuilder()
	subjects := map[insight.Subject]bool{}
	built := &updatev1alpha1.UpdateStatusStatus{}
	for step := range rapid.IntRange(1, 3).Draw(t, "clusters") {
		now := builders.Noon.Add(time.Duration(step) * time.Minute)
		messages := standalone.Assess(builders.HostileCluster().Draw(t, "cluster"), now)
		messages = append(messages, withdrawn(subjects, messages)...)
		reordered := ledger.New()
		for _, message := range messages {
			said.Apply(message)
		}
		for _, message := range rapid.Permutation(append(slices.Clone(messages), messages...)).Draw(t, "order") {
			message.Reports = slices.Clone(message.Reports)
			slices.Reverse(message.Reports)
			reordered.Apply(message)
		}
		before := built
		builder.Build(said.View(), now)
		fitted := builder.Fit()
		built = fitted.Status
		encoded := invariants.JSON(t, built)
		invariants.ExpectSame(t, "its encoding", encoded, fitted.JSON)
		check(t, built)
		notBack(t, before, built)
		later := now.Add(time.Minute)
		if next := builder.NextCheck(); !next.IsZero() && !next.After(later) {
			later = next.Add(-time.Second) // a node counts as stuck from then on
		}
		invariants.ExpectSame(t, "built twice", encoded, invariants.JSON(t, buildAndFit(builder, said.View(), later)))
		invariants.ExpectSame(t, "in another order, and reported twice", encoded, invariants.JSON(t, buildAndFit(builder, reordered.View(), later)))
	}
}

// withdrawn returns an empty report for each subject that is not reported any more, and remembers those that are.
func withdrawn(subjects map[insight.Subject]bool, messages []insight.Message) []insight.Message {
	reported := map[insight.Subject]bool{}
	for _, message := range messages {
		for _, report := range message.Reports {
			reported[report.Subject] = true
		}
	}
	var gone []insight.Report
	for subject := range subjects {
		if !reported[subject] {
			gone = append(gone, insight.Report{Subject: subject})
		}
	}
	clear(subjects)
	for subject := range reported {
		subjects[subject] = true
	}
	var empty []insight.Message
	for _, source := range insight.Sources() {
		empty = append(empty, insight.Message{Source: source, Reports: gone})
	}
	return empty
}

// check is whether an API server has room for a status, and whether it can be shown. Whether its schema accepts it is a test of
// test/updatestatus/schema.
func check(t *rapid.T, built *updatev1alpha1.UpdateStatusStatus) {
	expectKnownTimes(t, built)
	expectCleanTexts(t, "status", reflect.ValueOf(built))
	us := objectOf(built)
	if size := len(invariants.JSON(t, built)); size > truncate.MaxObjectBytes {
		t.Errorf("it has %d bytes", size)
	}
	uids := map[string]bool{}
	for _, one := range invariants.Insights(built) {
		if uids[one.UID] {
			t.Errorf("the uid %s is there twice", one.UID)
		}
		uids[one.UID] = true
	}
	for _, details := range describe.AllDetails() {
		if err := describe.Write(io.Discard, update.ReadAt(built, builders.Noon), describe.Options{Now: builders.Noon, Object: us, Details: details, Width: 80}); err != nil {
			t.Errorf("it can't be shown: %v", err)
		}
	}
}

// expectCleanTexts expects no character in any text that is not visible.
func expectCleanTexts(t *rapid.T, path string, value reflect.Value) {
	switch value.Kind() {
	case reflect.Pointer:
		if !value.IsNil() {
			expectCleanTexts(t, path, value.Elem())
		}
	case reflect.Slice:
		for at := range value.Len() {
			expectCleanTexts(t, path, value.Index(at))
		}
	case reflect.Struct:
		for at := range value.NumField() {
			if field := value.Type().Field(at); field.IsExported() {
				expectCleanTexts(t, path+"."+field.Name, value.Field(at))
			}
		}
	case reflect.String:
		if at := strings.IndexFunc(value.String(), isInvisible); at >= 0 || !utf8.ValidString(value.String()) {
			t.Errorf("%s is %q", path, value)
		}
	default:
	}
}

func isInvisible(r rune) bool {
	return r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf)
}

// notBack: what is as it was began when it began. An assessment brings the times that objects tell, which may be any;
// those of nodes are observed.
func notBack(t *rapid.T, before, after *updatev1alpha1.UpdateStatusStatus) {
	old := map[string]*updatev1alpha1.Insight{}
	for _, one := range invariants.Insights(before) {
		old[one.UID] = one
	}
	for _, one := range invariants.Insights(after) {
		was := old[one.UID]
		if was == nil {
			continue
		}
		if one.AcquiredAt.Before(&was.AcquiredAt) {
			t.Errorf("%s was acquired at %s, and earlier now: %s", one.UID, was.AcquiredAt, one.AcquiredAt)
		}
		if one.Node == nil || was.Node == nil {
			continue
		}
		updating := meta.FindStatusCondition(one.Node.Conditions, updatev1alpha1.ConditionUpdating)
		wasUpdating := meta.FindStatusCondition(was.Node.Conditions, updatev1alpha1.ConditionUpdating)
		if updating.LastTransitionTime.Before(&wasUpdating.LastTransitionTime) {
			t.Errorf("%s: the time of its condition went from %s to %s", one.UID, wasUpdating.LastTransitionTime, updating.LastTransitionTime)
		}
	}
}

func objectOf(built *updatev1alpha1.UpdateStatusStatus) *updatev1alpha1.UpdateStatus {
	return &updatev1alpha1.UpdateStatus{
		TypeMeta:   metav1.TypeMeta{APIVersion: updatev1alpha1.SchemeGroupVersion.String(), Kind: "UpdateStatus"},
		ObjectMeta: metav1.ObjectMeta{Name: updatev1alpha1.SingletonName},
		Status:     *built,
	}
}
