package causes

import (
	"slices"
	"strings"
	"unicode"
)

// wordsOf splits a message into what can be names, without the dots and dashes around them. A last word that is cut off is
// left out: it may be the start of another name.
func wordsOf(message string) []string {
	isOther := func(r rune) bool { return r != '-' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	message, isCut := strings.CutSuffix(message, "…")
	words := strings.FieldsFunc(message, isOther)
	if last := []rune(message); isCut && len(words) > 0 && !isOther(last[len(last)-1]) {
		words = words[:len(words)-1]
	}
	for at := range words {
		words[at] = strings.Trim(words[at], "-.")
	}
	return words
}

// What names of a kind follow in a message.
var (
	nodeWords      = []string{"node", "nodes"}
	poolWords      = []string{"pool", "pools", "machineconfigpool", "machineconfigpools"}
	operatorWords  = []string{"operator", "operators", "clusteroperator", "clusteroperators"}
	componentWords = []string{"component", "components", "controlplanecomponent", "controlplanecomponents"}
)

// listed returns the names that follow a word for their kind: "cluster operators etcd, dns and network are degraded".
func listed(words, kind []string, isName func(string) bool) []string {
	var names []string
	follows := false
	for _, word := range words {
		switch {
		case slices.Contains(kind, strings.ToLower(word)):
			follows = true
		case follows && isName(word):
			names = append(names, word)
		case word != "and":
			follows = false
		}
	}
	return names
}

// namesIn returns the objects of a kind that a message names. Operators name nodes also without the word for it ("2 of 3 members are
// available, master-1 is unhealthy"); an object whose name is a plain word needs it.
func namesIn(words, kind []string, isName func(string) bool) []string {
	return append(
		listed(words, kind, isName),
		slices.DeleteFunc(slices.Clone(words), func(word string) bool { return !strings.ContainsAny(word, "-.0123456789") || !isName(word) })...,
	)
}
