package main

import (
	"fmt"
	"os"

	"github.com/openshift/cluster-version-operator/pkg/cli"
)

// console is the output of the demo. It keeps the first error of a write, and drops everything after it.
type console struct {
	file *os.File
	err  error
}

// Write implements io.Writer.
func (c *console) Write(content []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	written, err := c.file.Write(content)
	if err != nil {
		c.err = fmt.Errorf("writing to standard output: %w", err)
	}
	return written, c.err
}

// say writes lines. Long loops check the error that is kept.
func (c *console) say(format string, args ...any) {
	c.draw(fmt.Sprintf(format+"\n", args...))
}

// draw writes a text as it is, in one write.
func (c *console) draw(text string) {
	_, _ = c.Write([]byte(text))
}

// screen returns the file if frames can be drawn there, else nil.
func (c *console) screen() *os.File {
	return cli.Screen(c.file)
}
