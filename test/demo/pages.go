package main

import (
	"fmt"
	"strings"
	"time"
)

// settling is how long a page waits after its first headline, so that what belongs together comes together.
const settling = time.Second

// pages returns the headlines of the next page of a text that is written page by page.
type pages struct {
	// printed is how many headlines were on pages before.
	printed int
}

// next returns the headlines of a page that is due, none if none is.
func (p *pages) next(all []headline, now time.Time) []headline {
	open := all[p.printed:]
	if len(open) == 0 || now.Sub(open[0].at) < settling {
		return nil
	}
	return p.rest(all)
}

// rest returns the headlines that were not on a page yet.
func (p *pages) rest(all []headline) []headline {
	open := all[p.printed:]
	p.printed = len(all)
	return open
}

// title returns the lines above a page: the time since the start and the headlines.
func title(elapsed time.Duration, headlines []headline) string {
	begin := "---- " + clock(elapsed) + "  "
	var text strings.Builder
	for _, headline := range headlines {
		text.WriteString("\n" + begin + headline.text)
		begin = strings.Repeat(" ", len(begin))
	}
	return text.String()
}

// clock returns a time since the start as minutes and seconds.
func clock(elapsed time.Duration) string {
	seconds := int(max(elapsed, 0).Seconds())
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}
