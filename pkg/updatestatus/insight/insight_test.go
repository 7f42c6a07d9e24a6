package insight_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation"
	"pgregory.net/rapid"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

func TestUID(t *testing.T) {
	for _, test := range []struct{ prefix, name, want string }{
		{"cv", "version", "cv-version"},
		{"co", "kube-apiserver", "co-kube-apiserver"},
		{"node", "ip-10-0-1-2.ec2.internal", "node-ip-10-0-1-2-ec2-internal-c40faa881fb189ca"},
		{"node", "", "node-e3b0c44298fc1c14"},
		{"node", strings.Repeat("a", 58), "node-" + strings.Repeat("a", 58)},
		{"node", strings.Repeat("a", 59), "node-" + strings.Repeat("a", 41) + "-111bb261277afd65"},
		{"node", "A..B", "node-a-b-c553d5fde5848ab6"},
	} {
		got := insight.UID(test.prefix, test.name)
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestUIDProperties(t *testing.T) {
	names := rapid.OneOf(rapid.StringMatching(`[a-z0-9]([-a-z0-9.]{0,250}[a-z0-9])?`), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		a, b := names.Draw(t, "a"), names.Draw(t, "b")
		uid := insight.UID("node", a)
		if problems := validation.IsDNS1123Label(uid); len(problems) != 0 {
			t.Errorf("%q: %s: %v", a, uid, problems)
		}
		if a != b && uid == insight.UID("node", b) {
			t.Errorf("%q and %q share %s", a, b, uid)
		}
		if again := insight.UID("node", uid[len("node-"):]); a != uid[len("node-"):] && again == uid {
			t.Errorf("a node that is called like the uid of %q shares it", a)
		}
	})
}

func TestShorten(t *testing.T) {
	for _, test := range []struct {
		text       string
		characters int
		want       string
	}{
		{"short", 5, "short"},
		{"longer", 5, "long…"},
		{"日本語です", 3, "日本…"},
		{"日本", 2, "日本"},
		{"bad \xff", 9, "bad \uFFFD"},
		{"", 1, ""},
		{"\x1b", 9, ""},
		{"\x7f", 9, ""},
		{" ~", 9, " ~"},
		{"lines\n\tstay\r\nin place", 99, "lines\n\tstay\nin place"},
		{strings.Repeat("\u200b", 99) + "not hidden", 10, "not hidden"},
	} {
		if got := insight.Shorten(test.text, test.characters); got != test.want {
			t.Errorf("%q in %d: %q, want %q", test.text, test.characters, got, test.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text, characters := rapid.String().Draw(t, "text"), rapid.IntRange(1, 40).Draw(t, "characters")
		if got := insight.Shorten(text, characters); utf8.RuneCountInString(got) > characters || !utf8.ValidString(got) || insight.Shorten(got, characters) != got {
			t.Errorf("%q", got)
		}
	})
}

func TestOneLine(t *testing.T) {
	if got := insight.OneLine("  a\n\tb \u200b\r\n\x1b[0m c  "); got != "a b c" {
		t.Errorf("%q", got)
	}
}

func TestLogEntry(t *testing.T) {
	for entry, want := range map[string]string{
		"I0101 a\n":                       "I0101 a\n",
		"I0101 a":                         "I0101 a\n",
		"E0101 a err=<\n\tb\x1b[2J\n >\n": "E0101 a err=<\n\t\tb\n\t >\n",
		"E0101 a\rI0101 b\nI0101 c\n":     "E0101 a\n\tI0101 b\n\tI0101 c\n",
	} {
		if got := insight.LogEntry(entry); got != want {
			t.Errorf("%q: got %q, want %q", entry, got, want)
		}
	}
}

func TestNodeStateWithoutConditions(t *testing.T) {
	state := insight.StateOf(&updatev1alpha1.NodeInsight{Name: "a"})
	if !state.Available || state.VersionKnown || state.Assessment() != insight.NodeUnknown {
		t.Errorf("%+v is %s", state, state.Assessment())
	}
	if state := insight.StateOf(&updatev1alpha1.NodeInsight{Name: "a", Version: "4.20.1"}); !state.VersionKnown {
		t.Errorf("%+v with a version", state)
	}
}

func TestCompareNodes(t *testing.T) {
	type named struct {
		name  string
		state insight.NodeState
	}
	ordered := []named{
		{"z-degraded", insight.NodeState{Phase: insight.PhaseDraining, Updating: true, Degraded: true}},
		{"a-degraded", insight.NodeState{Phase: insight.PhasePending, Available: true, Degraded: true}},
		{"a-unavailable", insight.NodeState{Phase: insight.PhasePending}},
		{"b-unavailable", insight.NodeState{Phase: insight.PhaseCompleted}},
		{"c-draining", insight.NodeState{Phase: insight.PhaseDraining, Updating: true}},
		{"b-updating", insight.NodeState{Phase: insight.PhaseUpdating, Updating: true, Available: true}},
		{"a-rebooting", insight.NodeState{Phase: insight.PhaseRebooting, Updating: true}},
		{"a-paused", insight.NodeState{Phase: insight.PhasePaused, Available: true}},
		{"a-pending", insight.NodeState{Phase: insight.PhasePending, Available: true}},
		{"b-pending", insight.NodeState{Phase: insight.PhasePending, Available: true}},
		{"a-completed", insight.NodeState{Phase: insight.PhaseCompleted, Available: true}},
		{"a-new", insight.NodeState{Phase: "Teleporting", Available: true}},
	}
	rapid.Check(t, func(t *rapid.T) {
		shuffled := rapid.Permutation(ordered).Draw(t, "nodes")
		slices.SortFunc(shuffled, func(a, b named) int { return insight.CompareNodes(a.state, b.state, a.name, b.name) })
		for at := range ordered {
			if shuffled[at].name != ordered[at].name {
				t.Fatalf("at %d is %s, want %s", at, shuffled[at].name, ordered[at].name)
			}
		}
	})
}
