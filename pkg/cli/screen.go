package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// Escape sequences of a terminal (ECMA-48, and DEC's private modes that every terminal of today has).
const (
	clearScreen = "\x1b[2J"
	toTop       = "\x1b[H"
	clearLine   = "\x1b[K"
	clearBelow  = "\x1b[J"
	hideCursor  = "\x1b[?25l"
	showCursor  = "\x1b[?25h"
	// Without wrapping a terminal cuts lines that are too long for it, and a frame has as many rows as lines.
	stopWrapping  = "\x1b[?7l"
	startWrapping = "\x1b[?7h"
)

// OpenScreen is what makes a terminal ready for frames.
const OpenScreen = hideCursor + stopWrapping + clearScreen

// CloseScreen is what gives a terminal back after the last frame.
const CloseScreen = startWrapping + showCursor

// Frame returns what draws a text onto an open screen in place of what was there, without clearing it in between. It is
// for one write. Lines below the screen's rows are counted; zero rows are as many as there are lines.
func Frame(text string, rows int) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	// The last row is for the cursor.
	if most := rows - 1; most > 0 && len(lines) > most {
		hidden := len(lines) - most + 1
		lines = append(lines[:most-1], fmt.Sprintf("... %d more lines: make the terminal higher to see them", hidden))
	}
	return toTop + strings.Join(lines, clearLine+"\n") + clearLine + "\n" + clearBelow
}

// terminalOf returns the file behind a stream if it is a terminal, else nil.
func terminalOf(out io.Writer) *os.File {
	file, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return nil
	}
	return file
}

// Screen returns the file behind a stream if it is a terminal that understands escape sequences, so that frames and
// colours can be drawn on it, else nil.
func Screen(out io.Writer) *os.File {
	if os.Getenv("TERM") == "dumb" {
		return nil
	}
	return terminalOf(out)
}

// Size returns the columns and rows of a terminal, zero where it has none.
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
