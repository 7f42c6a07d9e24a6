package main

import (
	"fmt"
	"os"
)

// console is the output of the demo. It keeps the first error of a write, and drops everything after it.
type console struct {
	file *os.File
	err  error
}

// say writes lines. Long loops check the error that is kept.
func (c *console) say(format string, args ...any) {
	if c.err != nil {
		return
	}
	if _, err := fmt.Fprintf(c.file, format+"\n", args...); err != nil {
		c.err = fmt.Errorf("writing to standard output: %w", err)
	}
}
