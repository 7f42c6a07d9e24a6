package builders

import (
	"math"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"
)

// Noon is about when everything happens that does not happen at an odd time.
var Noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// longestName is what an API server accepts as the name of an object.
var longestName = strings.Repeat("long.", 50) + "abc"

// texts are those that make trouble.
var texts = []string{
	"", " ", "\n\n\n", "failed to drain node", strings.Repeat("a word ", 3000), strings.Repeat("日本", 5000),
	"\x1b[31mred\x1b[0m\x07", "a\u202ecba", "a\u200bb\u00adc\ufeffd\u2060e", "tags \U000e0041\U000e007f", "\u009b2Jcleared", "\xff\xfe\x00", "%s%n%!d(MISSING)", "<script>&amp;", "null", "-1",
	strings.Repeat("<", 5000), "one\r\ntwo\tthree\u2028four", strings.Repeat("\u0301", 300),
}

// longTexts are longer than what any field takes.
var longTexts = []string{strings.Repeat("a word ", 3000), strings.Repeat("日本", 5000), strings.Repeat("<", 5000)}

// AnyText draws a text.
func AnyText() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom(texts), rapid.SampledFrom(longTexts), rapid.String(), rapid.SampledFrom(texts[:4]))
}

// AnyName draws the name of an object: a DNS subdomain.
func AnyName() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"a", "b", "worker", "master", "arbiter", "machine-config", longestName, "0", "10.0.0.1"}),
		rapid.StringMatching(`[a-z0-9]([-a-z0-9]{0,20}[a-z0-9])?`),
	)
}

// versions are releases, and texts that are none.
var versions = []string{"4.20.1", "4.20.2", "4.20.2", "4.20.2", "4.21.0-ec.1+build", "4.20", "", "latest", "v4.20.2", "4.20.2\x1b[0m", strings.Repeat("9.", 400)}

// AnyVersion draws the version of a release.
func AnyVersion() *rapid.Generator[string] {
	return rapid.SampledFrom(versions)
}

// AnyTime draws a moment: mostly one of the day before Noon, or of the day after.
func AnyTime() *rapid.Generator[metav1.Time] {
	return rapid.Custom(func(t *rapid.T) metav1.Time {
		const day = 24 * 60 * 60
		return rapid.OneOf(
			rapid.Map(rapid.IntRange(-day, day), func(seconds int) metav1.Time {
				return metav1.NewTime(Noon.Add(time.Duration(seconds) * time.Second))
			}),
			rapid.SampledFrom([]metav1.Time{{}, metav1.NewTime(Noon), metav1.Unix(0, 0)}),
			rapid.Map(rapid.SampledFrom(HostileTimes(Noon)), metav1.NewTime),
		).Draw(t, "time")
	})
}

// count draws how many there are of something: mostly few.
func count(t *rapid.T, of string, most int) int {
	return rapid.OneOf(rapid.IntRange(0, min(4, most)), rapid.IntRange(0, most)).Draw(t, of)
}

// number draws a count in a status, which may be any.
func number(t *rapid.T, of string) int32 {
	return rapid.OneOf(rapid.Int32Range(0, 10), rapid.SampledFrom([]int32{-1, math.MaxInt32, math.MinInt32})).Draw(t, of)
}
