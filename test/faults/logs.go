package faults

import (
	"bytes"
	"sync"
)

// logs collect the output of a process.
type logs struct {
	lock sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (l *logs) Write(content []byte) (int, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.text.Write(content)
}

// tailLength is how much of the log is shown, in bytes.
const tailLength = 16 << 10

func (l *logs) tail() string {
	l.lock.Lock()
	defer l.lock.Unlock()
	content := l.text.Bytes()
	return string(content[max(0, len(content)-tailLength):])
}
