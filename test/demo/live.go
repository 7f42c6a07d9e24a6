package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/cli"
	"github.com/openshift/cluster-version-operator/pkg/describe"
)

const (
	// redrawing is how often a screen is drawn at most, and looking how often it is looked whether there is something to
	// show without a new version: durations in the text go on.
	redrawing = 100 * time.Millisecond
	looking   = 500 * time.Millisecond
	// journalLines is how many headlines a screen shows.
	journalLines = 3
)

// live shows versions of the UpdateStatus as they come.
type live struct {
	console  *console
	recorder *recorder
	start    time.Time
	length   time.Duration

	pages pages
}

// during shows versions while something happens.
func (l *live) during(ctx context.Context, happen func(context.Context) error) error {
	happening, stop := context.WithCancelCause(ctx)
	shown := make(chan error, 1)
	showing, done := context.WithCancel(ctx)
	go func() {
		err := l.run(showing)
		if err != nil {
			stop(err)
		}
		shown <- err
	}()
	err := happen(happening)
	done()
	if failed := <-shown; failed != nil {
		return failed
	}
	return err
}

// run shows versions until the context ends.
func (l *live) run(ctx context.Context) error {
	show := l.page
	if l.console.screen() != nil {
		l.console.draw(cli.OpenScreen)
		defer l.console.draw(cli.CloseScreen)
		show = l.screen
	} else if err := l.firstPage(); err != nil {
		return err
	}
	ticker := time.NewTicker(looking)
	defer ticker.Stop()
	for ctx.Err() == nil {
		if err := show(); err != nil {
			return err
		}
		pause(ctx, redrawing)
		select {
		case <-l.recorder.news:
		case <-ticker.C:
		case <-ctx.Done():
		}
	}
	return l.console.err
}

func pause(ctx context.Context, duration time.Duration) {
	select {
	case <-time.After(duration):
	case <-ctx.Done():
	}
}

// firstPage writes the cluster before the update.
func (l *live) firstPage() error {
	us, _ := l.recorder.seen()
	return l.writePage(us, []headline{{at: l.start, text: "Before the update"}})
}

// page writes a page if one is due.
func (l *live) page() error {
	us, headlines := l.recorder.seen()
	if due := l.pages.next(headlines, time.Now()); len(due) > 0 {
		return l.writePage(us, due)
	}
	return nil
}

func (l *live) writePage(us *updatev1alpha1.UpdateStatus, headlines []headline) error {
	now := time.Now()
	text, err := textOf(us, now)
	if err != nil {
		return err
	}
	l.console.say("%s\n%s", title(now.Sub(l.start), headlines), strings.TrimSuffix(text, "\n"))
	return l.console.err
}

// summary writes what the last picture leaves open: the headlines after the last page, or all that a screen has shown.
func (l *live) summary() {
	_, headlines := l.recorder.seen()
	if l.console.screen() != nil {
		l.console.say("\nWhat happened:\n%s", strings.Join(l.journal(headlines), "\n"))
		return
	}
	if rest := l.pages.rest(headlines); len(rest) > 0 {
		l.console.say("%s", title(rest[0].at.Sub(l.start), rest))
	}
}

// screen draws the screen.
func (l *live) screen() error {
	us, headlines := l.recorder.seen()
	columns, rows := cli.Size(l.console.screen())
	now := time.Now()
	lines := []string{fmt.Sprintf("A played update, %s of about %s. Ctrl-C ends it.", clock(now.Sub(l.start)), clock(l.length))}
	lines = append(lines, l.journal(headlines[max(len(headlines)-journalLines, 0):])...)
	options := describe.Options{Now: now, Width: columns, Head: describe.Head(us, now)}
	lines = append(append(lines, ""), describe.Screen(us, options, nil, max(rows, cli.DefaultRows)-2-len(lines))...)
	l.console.draw(cli.Frame(lines))
	return l.console.err
}

// journal returns headlines with their times.
func (l *live) journal(headlines []headline) []string {
	var lines []string
	for _, headline := range headlines {
		lines = append(lines, fmt.Sprintf("  %s  %s", clock(headline.at.Sub(l.start)), headline.text))
	}
	return lines
}

func textOf(us *updatev1alpha1.UpdateStatus, now time.Time) (string, error) {
	var text strings.Builder
	if err := describe.Write(&text, us, describe.Options{Now: now, Head: describe.Head(us, now)}); err != nil {
		return "", fmt.Errorf("describing the status: %w", err)
	}
	return text.String(), nil
}
