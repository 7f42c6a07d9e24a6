package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// The marks around the screens.
const (
	begin = "<!-- begin screens: make update -->\n"
	end   = "<!-- end screens -->\n"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: screens FILE")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("reading the page: %w", err)
	}
	changed, err := replace(string(text), all())
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, []byte(changed), 0o644); err != nil { //nolint:gosec // a page of the repository
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}

// replace returns a page with other screens between the marks.
func replace(page, screens string) (string, error) {
	before, rest, found := strings.Cut(page, begin)
	_, after, ends := strings.Cut(rest, end)
	if !found || !ends {
		return "", errors.New("the page has no marks for the screens")
	}
	return before + begin + screens + end + after, nil
}

// all returns all screens.
func all() string {
	var text strings.Builder
	for _, one := range scenes() {
		fmt.Fprintf(&text, "\n%s\n\n```\n%s\n```\n", one.title, strings.Join(one.screen(), "\n"))
	}
	return text.String() + "\n"
}
