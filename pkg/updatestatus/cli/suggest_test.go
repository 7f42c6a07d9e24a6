package cli

import (
	"strings"
	"testing"
)

// TestDidYouMean: what is written almost right is named, and nothing else.
func TestDidYouMean(t *testing.T) {
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"a flag":                     {[]string{"--detail=all"}, "--details"},
		"a flag with two letters":    {[]string{"--detayls=all"}, "--details"},
		"a flag like no other":       {[]string{"--fast"}, ""},
		"a short flag":               {[]string{"-q"}, ""},
		"a value of a flag":          {[]string{"--watch", "--timeout=soon"}, ""},
		"a part":                     {[]string{"--watch", "--for=worker"}, "workers"},
		"a part like no other":       {[]string{"--watch", "--for=everything"}, ""},
		"no part":                    {[]string{"--watch", "--for="}, ""},
		"a color":                    {[]string{"--color=allways"}, "always"},
		"a record":                   {[]string{"--history", "4.20.2"}, "--history=4.20.2"},
		"a second record":            {[]string{"--history=4.20.2", "4.20.3"}, ""},
		"an argument":                {[]string{"4.20.2"}, ""},
		"one dash":                   {[]string{"-details=all"}, "--details"},
		"one dash, a short flag":     {[]string{"-watch"}, "--watch"},
		"no dashes":                  {[]string{"watch"}, "--watch"},
		"no dashes, with a value":    {[]string{"history=4.20.2"}, "--history=4.20.2"},
		"a level":                    {[]string{"--fail-on=errors"}, "error"},
		"a format":                   {[]string{"-o=jsn"}, "json"},
		"a format like no other":     {[]string{"-o=html"}, ""},
		"a command":                  {[]string{"node"}, "status nodes"},
		"a flag that is a command":   {[]string{"--nodes"}, "status nodes"},
		"the other command":          {[]string{"report"}, "report"},
		"a flag that is the other":   {[]string{"--report"}, "report"},
		"a flag of the other reader": {[]string{"--must-gathr=dir"}, "--must-gather"},
	} {
		got := run(t, "", test.args...)
		if got.err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		_, suggested, _ := strings.Cut(got.err.Error(), "did you mean ")
		if suggested = strings.TrimSuffix(suggested, "?"); suggested != test.want {
			t.Errorf("%s: suggested %q, want %q: %v", name, suggested, test.want, got.err)
		}
	}
}
