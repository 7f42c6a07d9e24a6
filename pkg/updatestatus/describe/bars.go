package describe

import (
	"strings"
)

// barWidth is the number of cells of a bar of progress.
const barWidth = 10

// bar returns how far something is as a bar, of which each cell is a part that is complete. It is full only at 100 percent.
func (p *page) bar(percent int32) string {
	done := int(min(max(percent, 0), 100)) * barWidth / 100
	bar := strings.Repeat(string(cellBar), done) + strings.Repeat("░", barWidth-done)
	if p.ASCII {
		bar = "[" + bar + "]"
	}
	return p.plain(bar)
}

// asciiOf are the characters that have others on a terminal without UTF-8.
var asciiOf = strings.NewReplacer("→", "->", "…", "...", string(cellBar), "#", string(cellHidden), ":", "░", "-",
	"‘", "'", "’", "'", "“", `"`, "”", `"`, "–", "-", "—", "-", "\u00a0", " ")

// plain returns a text as the terminal can show it.
func (p *page) plain(text string) string {
	if !p.ASCII || p.isClassic() {
		return text
	}
	return ASCII(text)
}

// ASCII returns a text without the characters that a terminal without UTF-8 does not have.
func ASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if r > '~' {
			return '?'
		}
		return r
	}, asciiOf.Replace(text))
}

// ellipsis is where something is cut.
func (p *page) ellipsis() string {
	if p.ASCII {
		return "..."
	}
	return "…"
}

// cutTo cuts a text to a number of columns, with an ellipsis at the end if anything was cut.
func (p *page) cutTo(text string, columns int) string {
	return cutTo(text, columns, p.ellipsis())
}
