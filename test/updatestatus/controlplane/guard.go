package controlplane

import (
	"fmt"
	"io"
	"os/exec"
	"syscall"
)

// guardScript waits for the end of its input, which comes with the end of the process that has started it. Then it kills whatever has
// the folder in its command line, and removes the folder.
const guardScript = `cat; pkill -KILL -f -- "${FOLDER}"; rm -rf "${FOLDER}"`

// guard is a process that removes what this one leaves behind, however it ends: with a panic, by a signal, or killed.
type guard struct {
	command *exec.Cmd
	input   io.Closer
}

// startGuard starts the guard of a folder.
func startGuard(folder string) (*guard, error) {
	command := exec.Command("sh", "-c", guardScript) //nolint:noctx // it must outlive any context
	command.Env = append(command.Environ(), "FOLDER="+folder)
	// Ctrl-C is for the foreground process group: the guard is in none.
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	input, err := command.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("starting a guard: %w", err)
	}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("starting a guard: %w", err)
	}
	return &guard{command: command, input: input}, nil
}

// Close lets the guard kill and remove everything now, and waits for its end.
func (g *guard) Close() error {
	if err := g.input.Close(); err != nil {
		return err
	}
	return g.command.Wait()
}
