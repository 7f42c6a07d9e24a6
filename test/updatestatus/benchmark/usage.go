package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/prometheus/procfs"

	"github.com/openshift/cluster-version-operator/test/updatestatus/benchmark/report"
)

// reading is what was used up to a point in time.
type reading struct {
	at         time.Time
	server     float64
	controller float64
	counters   counters
}

// meter reads what processes use.
type meter struct {
	server procfs.Proc
	// controller and scraper are nil in a replay without the controller.
	controller *procfs.Proc
	scraper    *scraper
}

// newMeter returns a meter of the API server, which runs as a child of this process.
func newMeter() (*meter, error) {
	servers, err := children("kube-apiserver")
	if err != nil {
		return nil, err
	}
	if len(servers) != 1 {
		return nil, fmt.Errorf("%d of the children are kube-apiservers", len(servers))
	}
	return &meter{server: servers[0]}, nil
}

// children returns the children of this process that run a command, whose name Linux shortens to 15 characters.
func children(command string) ([]procfs.Proc, error) {
	processes, err := procfs.AllProcs()
	if err != nil {
		return nil, fmt.Errorf("listing processes: %w", err)
	}
	var found []procfs.Proc
	for _, process := range processes {
		// A process without a stat has ended.
		if stat, err := process.Stat(); err == nil && stat.PPID == os.Getpid() && stat.Comm == command {
			found = append(found, process)
		}
	}
	return found, nil
}

// start reads before a part of a run with the controller: the scrape is not of the part.
func (m *meter) start(ctx context.Context) (reading, error) {
	counters, err := m.scraper.scrape(ctx)
	if err != nil {
		return reading{}, err
	}
	now, err := m.processes()
	now.counters = counters
	return now, err
}

// end reads after a part of a run with the controller.
func (m *meter) end(ctx context.Context) (reading, error) {
	now, err := m.processes()
	if err != nil {
		return now, err
	}
	now.counters, err = m.scraper.scrape(ctx)
	return now, err
}

func (m *meter) processes() (reading, error) {
	now := reading{at: time.Now()}
	var err error
	if now.server, err = cpuOf(m.server); err != nil || m.controller == nil {
		return now, err
	}
	now.controller, err = cpuOf(*m.controller)
	return now, err
}

func cpuOf(process procfs.Proc) (float64, error) {
	stat, err := process.Stat()
	if err != nil {
		return 0, fmt.Errorf("reading the CPU time of process %d: %w", process.PID, err)
	}
	return stat.CPUTime(), nil
}

// peakMemory returns the peak of the controller's resident memory in bytes.
func (m *meter) peakMemory() (int, error) {
	status, err := m.controller.NewStatus()
	if err != nil {
		return 0, fmt.Errorf("reading the memory of the controller: %w", err)
	}
	return int(status.VmHWM), nil
}

// add adds what was used between two readings.
func add(used *report.Usage, before, after reading) {
	used.Seconds = after.at.Sub(before.at).Seconds()
	used.ControllerCPU = after.controller - before.controller
	used.ServerCPU = after.server - before.server
	used.Requests = after.counters.requests - before.counters.requests
	used.Writes = after.counters.writes - before.counters.writes
	used.FailedWrites = after.counters.failedWrites - before.counters.failedWrites
	used.WrittenBytes = after.counters.writtenBytes - before.counters.writtenBytes
}
