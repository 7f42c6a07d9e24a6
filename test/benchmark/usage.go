package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/prometheus/procfs"
	"k8s.io/utils/ptr"

	"github.com/openshift/cluster-version-operator/test/benchmark/report"
)

// reading is what was used up to a point in time.
type reading struct {
	at         time.Time
	server     float64
	store      float64
	controller float64
	// stolen is the CPU time that the host of a virtual machine gave to others while there was work.
	stolen      float64
	read, wrote uint64
	counters    counters
}

// meter reads what processes use.
type meter struct {
	machine       procfs.FS
	server, store procfs.Proc
	// controller and scraper are nil in a replay without the controller.
	controller *procfs.Proc
	scraper    *scraper
}

// newMeter returns a meter of the control plane, which runs as children of this process.
func newMeter() (*meter, error) {
	machine, err := procfs.NewDefaultFS()
	if err != nil {
		return nil, fmt.Errorf("opening /proc: %w", err)
	}
	processes, err := machine.AllProcs()
	if err != nil {
		return nil, fmt.Errorf("listing processes: %w", err)
	}
	children := map[string]procfs.Proc{}
	for _, process := range processes {
		// A process without a stat has ended.
		if stat, err := process.Stat(); err == nil && stat.PPID == os.Getpid() {
			children[stat.Comm] = process
		}
	}
	server, hasServer := children["kube-apiserver"]
	store, hasStore := children["etcd"]
	if !hasServer || !hasStore {
		return nil, fmt.Errorf("kube-apiserver or etcd is not among %d children", len(children))
	}
	return &meter{machine: machine, server: server, store: store}, nil
}

// start reads before a part of a run: the scrape is not of the part.
func (m *meter) start(ctx context.Context) (reading, error) {
	counters, err := m.scrape(ctx)
	if err != nil {
		return reading{}, err
	}
	now, err := m.processes()
	now.counters = counters
	return now, err
}

// end reads after a part of a run.
func (m *meter) end(ctx context.Context) (reading, error) {
	now, err := m.processes()
	if err != nil {
		return now, err
	}
	now.counters, err = m.scrape(ctx)
	return now, err
}

func (m *meter) scrape(ctx context.Context) (counters, error) {
	if m.controller == nil {
		return counters{}, nil
	}
	return m.scraper.scrape(ctx)
}

func (m *meter) processes() (reading, error) {
	now := reading{at: time.Now()}
	machine, err := m.machine.Stat()
	if err != nil {
		return now, fmt.Errorf("reading the CPU time of the machine: %w", err)
	}
	now.stolen = machine.CPUTotal.Steal
	if now.server, err = cpuOf(m.server); err != nil {
		return now, err
	}
	if now.store, err = cpuOf(m.store); err != nil || m.controller == nil {
		return now, err
	}
	if now.controller, err = cpuOf(*m.controller); err != nil {
		return now, err
	}
	traffic, err := m.controller.IO()
	if err != nil {
		return now, fmt.Errorf("reading the traffic of the controller: %w", err)
	}
	now.read, now.wrote = traffic.RChar, traffic.WChar
	return now, nil
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

// between returns what was used between two readings.
func between(before, after reading) report.Usage {
	return report.Usage{
		Seconds:       after.at.Sub(before.at).Seconds(),
		ControllerCPU: after.controller - before.controller,
		ServerCPU:     after.server - before.server,
		StoreCPU:      after.store - before.store,
		StolenCPU:     ptr.To(after.stolen - before.stolen),
		Requests:      after.counters.requests - before.counters.requests,
		Writes:        after.counters.writes - before.counters.writes,
		FailedWrites:  after.counters.failedWrites - before.counters.failedWrites,
		WrittenBytes:  after.counters.writtenBytes - before.counters.writtenBytes,
		Read:          int(after.read - before.read),
		Written:       int(after.wrote - before.wrote),
	}
}
