package assess

import (
	"cmp"
	"fmt"
	"maps"
	"strings"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// Noun is what insights are about: as a summary begins with one of them, and names several.
type Noun struct {
	One, Many string
}

// The nouns of objects whose insights are told together. ("7 nodes are degraded: …")
var (
	NodeNoun     = Noun{"Node", "nodes"}
	PoolNoun     = Noun{"Pool", "pools"}
	OperatorNoun = Noun{"Cluster Operator", "cluster operators"}
)

// NoCase is the case of a check that has one only.
const NoCase = ""

// Texts are those of a check by case.
type Texts map[string]Text

// Text is what an insight says. In it, {name} stands for the name of the subject, {reason} for the reason that a component reports, in
// parentheses, {message} for its message, and other words in braces for Finding.Words.
type Text struct {
	// One follows the subject in a summary, and Many several subjects: "is degraded", "are degraded".
	One, Many string
	// Sentence is the summary of a check whose summaries do not begin with the subject.
	Sentence string
	// Blocker says what a blocker does, if that is known, as the start of a chain: "{budget} never allows a disruption".
	Blocker string
	// Description is the text in full. Where it begins with the message of a component, the summary ends with the informative part of that.
	Description string
}

// Message is the description of what a component says in full itself.
const Message = "{message}"

// summary returns the template of a summary.
func (t Text) summary(subject Noun) string {
	if t.Sentence != "" {
		return t.Sentence
	}
	return subject.One + " {name} " + t.One
}

// quoted returns a summary with the informative part of what a component reports, if the text is about that.
func (t Text) quoted(summary, message string) string {
	quote := Quote(message)
	if quote == "" || !strings.HasPrefix(t.Description, Message) || strings.Contains(summary, quote) {
		return summary
	}
	return summary + ": " + quote
}

// Unquoted returns the summary of a health insight without what a component reports, as the classic text has it.
func (c HealthCheck) Unquoted(health *updatev1alpha1.HealthInsight) string {
	summary := health.Impact.Summary
	if health.Reported == nil || !strings.HasPrefix(c.Texts[health.Case].Description, Message) {
		return summary
	}
	quote := []rune(Quote(health.Reported.Message))
	before, _, found := strings.Cut(summary, ": "+string(quote[:min(len(quote), quoteStart)]))
	if len(quote) == 0 || !found {
		return summary
	}
	return before
}

// Predicate returns the summary of a health insight without its subject, for where that is named already.
func (c HealthCheck) Predicate(health *updatev1alpha1.HealthInsight) string {
	summary := health.Impact.Summary
	if c.Subject.One == "" || len(health.Scope.Resources) == 0 {
		return summary
	}
	return strings.TrimPrefix(summary, c.Subject.One+" "+health.Scope.Resources[0].Name+" ")
}

// quoteStart is how many characters tell a quote: it may be cut.
const quoteStart = 12

// Several returns the summary of a number of insights that are like one, with their names and what each reports, empty if there is no text
// for several.
func (c HealthCheck) Several(like *updatev1alpha1.HealthInsight, number int, names, message string) string {
	text := c.Texts[like.Case]
	if text.Many == "" || c.Subject.Many == "" {
		return ""
	}
	return text.quoted(fmt.Sprintf("%d %s %s: %s", number, c.Subject.Many, Words(nil).with("", like.Reported).in(text.Many), names), message)
}

// Blocker returns what a blocker of a condition does, with its name, empty if the condition has none.
func (c HealthCheck) Blocker(health *updatev1alpha1.HealthInsight) string {
	name := func(resource, noun string) string {
		for _, one := range health.Scope.Resources {
			if one.Resource == resource && one.Role == updatev1alpha1.RoleBlocker {
				return noun + " " + one.Namespace + "/" + one.Name
			}
		}
		return "a " + noun
	}
	words := Words{"budget": name("poddisruptionbudgets", "PodDisruptionBudget"), "pod": name("pods", "pod"), "deleted": name("pods", "deleted pod")}
	return words.in(c.Texts[health.Case].Blocker)
}

// Words are what the words in the braces of a text stand for.
type Words map[string]string

// NoMessage replaces a message that is empty.
const NoMessage = "<no message>"

// with returns the words that each text may have besides.
func (w Words) with(name string, reported *updatev1alpha1.ComponentReport) Words {
	reported = cmp.Or(reported, &updatev1alpha1.ComponentReport{})
	all := Words{"name": name, "reason": Because(reported.Reason), "message": cmp.Or(reported.Message, NoMessage)}
	maps.Copy(all, w)
	return all
}

// in returns a text with what its words stand for.
func (w Words) in(text string) string {
	pairs := make([]string, 0, 2*len(w))
	for word, means := range w {
		pairs = append(pairs, "{"+word+"}", means)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// Because returns a reason in parentheses, as the end of a summary.
func Because(reason string) string {
	if reason == "" {
		return ""
	}
	return " (" + reason + ")"
}
