package main

import (
	"io"
	"strings"
	"testing"
)

func TestInvalidFlags(t *testing.T) {
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"--duration", "2s"}, "--duration 2s"},
		{[]string{"--snapshot", "somewhere/cluster", "--seed", "3"}, "leave them out"},
		{[]string{"--snapshot", "testdata/none"}, "testdata/none"},
		{[]string{"somewhere/cluster"}, "somewhere/cluster"},
	} {
		t.Run(strings.Join(tc.args, " "), func(t *testing.T) {
			command := newCommand(&console{})
			command.SetArgs(tc.args)
			command.SetOut(io.Discard)
			command.SetErr(io.Discard)
			if err := command.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, wanted something about %q", err, tc.want)
			}
		})
	}
}

func TestTail(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"", ""},
		{"a\nb\n", "a\nb"},
		{"a\nb\nc\nd\n", "c\nd"},
	} {
		if got := tail([]byte(tc.text), 2); got != tc.want {
			t.Errorf("%q: got %q, want %q", tc.text, got, tc.want)
		}
	}
}
