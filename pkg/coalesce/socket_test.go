package coalesce_test

import (
	"bytes"
	"io"
	"net"
	"sync"
)

// socket is the end of a connection that reads. As a kernel does, it keeps what nobody has read yet, and has who writes wait when
// that is too much.
type socket struct {
	net.Conn

	mu      sync.Mutex
	changed *sync.Cond
	content bytes.Buffer
	ended   bool
	// room is how much is kept.
	room int
}

func newSocket() *socket {
	made := &socket{room: 64 << 10}
	made.changed = sync.NewCond(&made.mu)
	return made
}

// Read is part of net.Conn.
func (s *socket) Read(into []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.changed.Broadcast()
	for s.content.Len() == 0 {
		if s.ended {
			return 0, io.EOF
		}
		s.changed.Wait()
	}
	return s.content.Read(into)
}

// SetReadBuffer is what a connection of the kernel's has.
func (s *socket) SetReadBuffer(bytes int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.room = bytes
	return nil
}

// send is what the other end writes.
func (s *socket) send(message []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.changed.Broadcast()
	for s.content.Len() >= s.room {
		s.changed.Wait()
	}
	s.content.Write(message)
}

// end is the end of what the other end writes.
func (s *socket) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.changed.Broadcast()
	s.ended = true
}
