package cli

import (
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// Escape sequences of terminals (ECMA-48, and the private modes of DEC that all current terminals support).
const (
	// clearScreen is written before the first frame.
	clearScreen = "\x1b[2J"
	toTop       = "\x1b[H"
	clearLine   = "\x1b[K"
	clearBelow  = "\x1b[J"
	hideCursor  = "\x1b[?25l"
	showCursor  = "\x1b[?25h"
	// Without wrapping, a terminal that has just become narrower cuts lines instead of scrolling.
	stopWrapping  = "\x1b[?7l"
	startWrapping = "\x1b[?7h"
)

// Frame returns what to write, in one call, to replace the text on a terminal without flickering. There must be fewer lines
// than rows: the last row is for the cursor. Each row is cleared before its text: behind a text that fills the row the cursor
// is on its last character, and would take that away. After each frame the terminal is as it was: a process that is suspended or
// killed can't restore it.
func Frame(lines []string) string {
	return hideCursor + stopWrapping + toTop + clearLine + strings.Join(lines, "\n"+clearLine) + "\n" + clearBelow + startWrapping + showCursor
}

// terminalOf returns the file behind a stream if it is a terminal, else nil.
func terminalOf(out io.Writer) *os.File {
	file, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return nil
	}
	return file
}

// Screen returns the file behind a stream if it is a terminal that supports escape sequences, as for frames and colors, else
// nil.
func Screen(out io.Writer) *os.File {
	if os.Getenv("TERM") == "dumb" {
		return nil
	}
	return terminalOf(out)
}

// Size returns the columns and rows of a terminal, zero if they are not known.
func Size(terminal *os.File) (columns, rows int) {
	if terminal == nil {
		return 0, 0
	}
	columns, rows, err := term.GetSize(int(terminal.Fd()))
	if err != nil {
		return 0, 0
	}
	return columns, rows
}
