package cli

import (
	"strings"
	"testing"
	"unicode"
)

// TestLocale checks of which variable the characters depend.
func TestLocale(t *testing.T) {
	for name, test := range map[string]struct {
		variables map[string]string
		system    string
		want      bool
	}{
		"nothing is set":         {want: true},
		"Windows sets nothing":   {system: "windows"},
		"UTF-8":                  {variables: map[string]string{"LANG": "en_US.UTF-8"}},
		"another spelling":       {variables: map[string]string{"LANG": "de_DE.utf8"}},
		"another character set":  {variables: map[string]string{"LANG": "de_DE.ISO-8859-1"}, want: true},
		"set on Windows":         {variables: map[string]string{"LANG": "C"}, system: "windows", want: true},
		"LC_ALL comes first":     {variables: map[string]string{"LC_ALL": "C", "LC_CTYPE": "C.UTF-8", "LANG": "C.UTF-8"}, want: true},
		"LC_CTYPE before LANG":   {variables: map[string]string{"LC_CTYPE": "C.UTF-8", "LANG": "C"}},
		"LC_ALL is set to empty": {variables: map[string]string{"LC_ALL": "", "LANG": "C.UTF-8"}},
	} {
		if got := isASCII(func(variable string) string { return test.variables[variable] }, test.system); got != test.want {
			t.Errorf("%s: ASCII is %t", name, got)
		}
	}
}

// TestASCIIOnly: with LC_ALL=C every text has ASCII characters alone, but formats for other programs are as they are.
func TestASCIIOnly(t *testing.T) {
	t.Setenv("LC_ALL", "C")
	object := strings.Replace(content(t, updateStatusFile), "Something is wrong", "Something → is wröng", 1)
	for _, args := range [][]string{nil, {"--details=all"}, {"--timeline"}} {
		got := run(t, object, append(args, "-f", "-")...)
		if len(args) > 0 && args[0] == "--timeline" {
			got = run(t, "", "--timeline", "--must-gather", "testdata")
		}
		if got.err != nil || strings.ContainsFunc(got.out, func(r rune) bool { return r > unicode.MaxASCII }) || got.out == "" {
			t.Errorf("%v: error %v\n%s", args, got.err, got.out)
		}
	}
	got := run(t, object, "-f", "-")
	for _, want := range []string{"Attention      Warning: Something -> is wr?ng (for 1m)\n               -> see ", "\nControl plane  [####------] 40%, "} {
		if !strings.Contains(got.out, want) {
			t.Errorf("the text lacks %q:\n%s", want, got.out)
		}
	}
	if got := run(t, object, "-f", "-", "-o", "markdown"); !strings.Contains(got.out, "Something → is wröng") {
		t.Errorf("Markdown:\n%s", got.out)
	}
}

// TestConfirmed: the text of a cluster says how old it is.
func TestConfirmed(t *testing.T) {
	summary := "apiVersion: update.openshift.io/v1alpha1\nkind: UpdateStatusSummary\nmetadata: {name: cluster}\nstatus: {observedAt: \"2025-03-01T11:59:48Z\"}\n"
	api := serve(t, map[string]response{updateStatusPath: objectResponse(t, content(t, updateStatusFile)), summaryPath: objectResponse(t, summary)})
	for now, want := range map[string]string{"2025-03-01T12:00:00Z": "\nAs of          12s ago\n", "2025-03-01T11:59:48Z": "\nAs of          1s ago\n", "2025-03-01T11:59:40Z": ""} {
		got := run(t, "", "--server", api.url, "--now", now)
		if got.err != nil || !strings.Contains(got.out, want) || strings.Contains(got.out, "As of") != (want != "") {
			t.Errorf("at %s: error %v\n%s", now, got.err, got.out)
		}
	}
}
