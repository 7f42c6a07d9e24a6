package faults

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/prometheus/procfs"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"k8s.io/component-base/metrics/testutil"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
)

// Sample is the resource usage of the controller while it is idle.
type Sample struct {
	// Since is the time since its start.
	Since time.Duration
	// Resident is its memory, Heap what of it is in use; in bytes.
	Resident, Heap int
	Goroutines     int
	// Files are its open files, connections among them.
	Files int
	// Object is the size of UpdateStatus/cluster as JSON, with managedFields.
	Object int
}

// String returns a line of a table.
func (s Sample) String() string {
	const mib = 1 << 20
	return fmt.Sprintf("%8s  %5.1f MiB resident  %5.1f MiB heap  %4d goroutines  %3d files  %4d KiB object",
		s.Since.Round(time.Second), float64(s.Resident)/mib, float64(s.Heap)/mib, s.Goroutines, s.Files, s.Object>>10)
}

// sample samples a process of the controller.
func (w *World) sample(ctx context.Context, controller *harness.Process) (Sample, error) {
	taken := Sample{Since: time.Since(controller.Started())}
	process, err := procfs.NewProc(controller.PID())
	if err != nil {
		return taken, fmt.Errorf("finding the process of the controller: %w", err)
	}
	admin := w.Plane.Admin()
	metrics, errClient := discovery.NewDiscoveryClientForConfig(&rest.Config{
		Host: "https://" + controller.Address(),
		// The controller has made its certificate for itself.
		TLSClientConfig: rest.TLSClientConfig{CertData: admin.CertData, KeyData: admin.KeyData, Insecure: true},
	})
	status, errStatus := process.NewStatus()
	files, errFiles := process.FileDescriptorsLen()
	us, errObject := w.client.Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
	if err := errors.Join(errClient, errStatus, errFiles, errObject); err != nil {
		return taken, fmt.Errorf("reading the resource usage of the controller: %w", err)
	}
	object, errJSON := json.Marshal(us)
	text, errText := metrics.RESTClient().Get().AbsPath("/metrics").DoRaw(ctx)
	families, errFamilies := testutil.TextToMetricFamilies(bytes.NewReader(text))
	if err := errors.Join(errJSON, errText, errFamilies); err != nil {
		return taken, fmt.Errorf("reading metrics: %w", err)
	}
	gauge := func(name string) int {
		for _, metric := range families[name].GetMetric() {
			return int(metric.GetGauge().GetValue())
		}
		return 0
	}
	taken.Resident, taken.Files, taken.Object = int(status.VmRSS), files, len(object)
	taken.Heap, taken.Goroutines = gauge("go_memstats_heap_inuse_bytes"), gauge("go_goroutines")
	if taken.Heap == 0 || taken.Goroutines == 0 {
		return taken, errors.New("metrics have no heap or no goroutines")
	}
	return taken, nil
}

// What a process may hold more at the end than after its first quarter, by the medians of the quarters.
const (
	heapGrowth      = 8 << 20
	goroutineGrowth = 10
	fileGrowth      = 5
)

// Growth returns what has grown beyond what is usual.
func Growth(samples []Sample) (grown []string) {
	quarter := len(samples) / 4
	if quarter == 0 {
		return nil
	}
	compare := func(what string, most int, of func(Sample) int) {
		before, after := medianOf(samples[quarter:2*quarter], of), medianOf(samples[len(samples)-quarter:], of)
		if after > before+most {
			grown = append(grown, fmt.Sprintf("%s: from %d to %d", what, before, after))
		}
	}
	compare("heap", heapGrowth, func(s Sample) int { return s.Heap })
	compare("goroutines", goroutineGrowth, func(s Sample) int { return s.Goroutines })
	compare("open files", fileGrowth, func(s Sample) int { return s.Files })
	return grown
}

func medianOf(samples []Sample, of func(Sample) int) int {
	var values []int
	for _, one := range samples {
		values = append(values, of(one))
	}
	slices.Sort(values)
	return values[len(values)/2]
}
