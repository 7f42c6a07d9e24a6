package main

import (
	"fmt"
	"strings"
)

// Escape sequences of a terminal.
const (
	clearScreen = "\x1b[2J"
	toTop       = "\x1b[H"
	clearLine   = "\x1b[K"
	clearBelow  = "\x1b[J"
	hideCursor  = "\x1b[?25l"
	showCursor  = "\x1b[?25h"
)

// frame returns what draws some lines onto a screen in place of those before, without clearing it in between. It is for
// one write. Lines that do not fit are cut, and those below the screen are counted.
func frame(lines []string, columns, rows int) string {
	// The last row is for the cursor.
	if most := rows - 1; most > 0 && len(lines) > most {
		hidden := len(lines) - most + 1
		lines = append(lines[:most-1:most-1], fmt.Sprintf("... %d more lines: make the terminal higher to see them", hidden))
	}
	var text strings.Builder
	text.WriteString(toTop)
	for _, line := range lines {
		if characters := []rune(line); columns > 0 && len(characters) > columns {
			line = string(characters[:columns])
		}
		text.WriteString(line + clearLine + "\r\n")
	}
	text.WriteString(clearBelow)
	return text.String()
}
