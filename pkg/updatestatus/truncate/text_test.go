package truncate

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// texts are short and long ones, and such as JSON writes longer than they are.
var texts = rapid.OneOf(
	rapid.StringN(0, 40, -1),
	rapid.SampledFrom([]string{"", "<&>\"\\", "\u2028\u2029", "\x00\x1f\x7f\n\t", "bad \xff\xfe", "…日本語"}),
	rapid.Custom(func(t *rapid.T) string {
		return strings.Repeat(rapid.SampledFrom([]string{"a", "<", "日", "\n", "\u2028", "\"b"}).Draw(t, "character"), rapid.IntRange(100, 3000).Draw(t, "times"))
	}),
)

func TestCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := texts.Draw(t, "text")
		whole, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, limit := range textLimits {
			got := cut(text, limit)
			encoded, err := json.Marshal(got)
			switch {
			case err != nil || len(encoded) > limit:
				t.Errorf("%q has %d bytes of %d: %v", got, len(encoded), limit, err)
			case len(whole) <= limit && got != text:
				t.Errorf("%q fits into %d and became %q", text, limit, got)
			case len(whole) > limit && (!utf8.ValidString(got) || !strings.HasSuffix(got, ellipsis) || len(encoded) < limit-20):
				t.Errorf("%q of at most %d bytes became %q", text, limit, got)
			case cut(got, limit) != got:
				t.Errorf("%q was cut again", got)
			}
		}
	})
}

func TestIsShortened(t *testing.T) {
	insightOf := func(text string) *updatev1alpha1.Insight {
		return &updatev1alpha1.Insight{UID: "a", Health: &updatev1alpha1.HealthInsight{Impact: updatev1alpha1.HealthImpact{Description: text}}}
	}
	long := strings.Repeat("text ", 1000)
	whole := insightOf(long)
	for at, limit := range textLimits {
		if IsShortened(shorten(whole, limit), whole) != (at > 0) {
			t.Errorf("with texts of %d: IsShortened is %t", limit, at == 0)
		}
	}
	if IsShortened(insightOf("other"), whole) || IsShortened(insightOf("short"), insightOf("short")) {
		t.Error("another insight is taken for a shortened one")
	}
	if whole.Health.Impact.Description != long {
		t.Error("the insight was changed")
	}
}
