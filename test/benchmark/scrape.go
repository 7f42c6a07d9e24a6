package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"os"
	"slices"
	"time"

	dto "github.com/prometheus/client_model/go"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	"k8s.io/component-base/metrics/testutil"

	"github.com/openshift/cluster-version-operator/test/benchmark/report"
)

// polling is how often it is looked whether a process serves its metrics.
const polling = 100 * time.Millisecond

// told is what the controller tells of itself.
type told struct {
	requests     int
	writes       int
	failedWrites int
	writtenBytes int
	// lag counts writes by the upper bound of how long their oldest report waited.
	lag map[float64]int
	// took counts writes by the upper bound of how long they took.
	took map[float64]int
}

// scraper reads the metrics of the controller.
type scraper struct {
	client *http.Client
	// server is where the controller serves.
	server string
}

// newScraper returns a scraper that is known by a client certificate: about a token the controller would have to ask the
// API server, and that would count as requests of its own.
func newScraper(admin *rest.Config, address string) (*scraper, error) {
	config := &rest.Config{TLSClientConfig: rest.TLSClientConfig{
		CertData: admin.CertData, KeyData: admin.KeyData,
		// The controller has made its certificate for itself.
		Insecure: true,
	}}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("making a client for metrics: %w", err)
	}
	return &scraper{client: client, server: "https://" + address}, nil
}

// wait waits until metrics are served.
func (s *scraper) wait(ctx context.Context) error {
	var last error
	err := wait.PollUntilContextTimeout(ctx, polling, awaiting, true, func(ctx context.Context) (bool, error) {
		_, last = s.scrape(ctx)
		return last == nil, nil
	})
	return errors.Join(err, last)
}

func (s *scraper) scrape(ctx context.Context) (told, error) {
	text, err := s.get(ctx, "/metrics")
	if err != nil {
		return told{}, err
	}
	return parse(bytes.NewReader(text))
}

// profile takes profiles of the controller for some seconds, to be read with go tool pprof: of its CPU time into the file,
// and then, with the suffix .allocs, of what it has allocated since its start.
func (s *scraper) profile(ctx context.Context, path string, seconds int) error {
	for _, one := range []struct{ file, asked string }{
		{path, fmt.Sprintf("/debug/pprof/profile?seconds=%d", seconds)}, {path + ".allocs", "/debug/pprof/allocs"},
	} {
		content, err := s.get(ctx, one.asked)
		if err != nil {
			return err
		}
		if err := os.WriteFile(one.file, content, 0o600); err != nil {
			return fmt.Errorf("keeping a profile: %w", err)
		}
	}
	return nil
}

func (s *scraper) get(ctx context.Context, path string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.server+path, http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("asking the controller for %s: %w", path, err)
	}
	response, err := s.client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("asking the controller for %s: %w", path, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("asking the controller for %s: %s", path, response.Status)
	}
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, fmt.Errorf("asking the controller for %s: %w", path, err)
	}
	return content, nil
}

// parse reads metrics in their text format.
func parse(text io.Reader) (told, error) {
	families, err := testutil.TextToMetricFamilies(text)
	if err != nil {
		return told{}, fmt.Errorf("reading metrics: %w", err)
	}
	counter := func(name string, of func(labels map[string]string) bool) int {
		total := 0.0
		for _, metric := range families[name].GetMetric() {
			if of(labelsOf(metric)) {
				total += metric.GetCounter().GetValue()
			}
		}
		return int(total)
	}
	all := func(map[string]string) bool { return true }
	success := func(labels map[string]string) bool { return labels["result"] == "success" }
	now := told{
		requests:     counter("rest_client_requests_total", all),
		writes:       counter("update_status_writes_total", success),
		failedWrites: counter("update_status_writes_total", func(labels map[string]string) bool { return !success(labels) }),
		writtenBytes: counter("update_status_written_bytes_total", all),
		lag:          buckets(families["update_status_write_lag_seconds"]),
		took:         buckets(families["update_status_write_duration_seconds"]),
	}
	return now, nil
}

// buckets returns how many observations of a histogram are in each bucket, by its upper bound.
func buckets(histogram *dto.MetricFamily) map[float64]int {
	counts := map[float64]int{}
	for _, metric := range histogram.GetMetric() {
		below := 0
		for _, bucket := range metric.GetHistogram().GetBucket() {
			count := int(bucket.GetCumulativeCount())
			counts[bucket.GetUpperBound()] += count - below
			below = count
		}
	}
	return counts
}

func labelsOf(metric *dto.Metric) map[string]string {
	labels := map[string]string{}
	for _, label := range metric.GetLabel() {
		labels[label.GetName()] = label.GetValue()
	}
	return labels
}

// observed returns what a histogram has observed between two moments: upper bounds.
func observed(before, after map[float64]int) report.Lag {
	bounds := slices.Sorted(maps.Keys(after))
	total := 0
	for _, bound := range bounds {
		total += after[bound] - before[bound]
	}
	percentile := func(percent int) float64 {
		rank := (total*percent + 99) / 100
		count, most := 0, 0.0
		for _, bound := range bounds {
			if math.IsInf(bound, 1) {
				break
			}
			most = bound
			if count += after[bound] - before[bound]; count >= rank {
				break
			}
		}
		return most
	}
	if total == 0 {
		return report.Lag{}
	}
	return report.Lag{
		Transitions: total, Seen: total,
		P50: percentile(50), P95: percentile(95), P99: percentile(99), Max: percentile(100),
	}
}
