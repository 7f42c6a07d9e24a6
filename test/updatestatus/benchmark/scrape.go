package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	dto "github.com/prometheus/client_model/go"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	"k8s.io/component-base/metrics/testutil"
)

// pollInterval is how often a scrape is retried while the controller starts.
const pollInterval = 100 * time.Millisecond

// counters are metrics of the controller.
type counters struct {
	requests     int
	writes       int
	failedWrites int
	writtenBytes int
}

// scraper reads the metrics of the controller.
type scraper struct {
	client *http.Client
	// server is the URL of the controller.
	server string
}

// newScraper returns a scraper that authenticates by a client certificate: for a token the controller would send a
// TokenReview to the API server, which would count as one of its own requests.
func newScraper(admin *rest.Config, address string) (*scraper, error) {
	config := &rest.Config{TLSClientConfig: rest.TLSClientConfig{
		CertData: admin.CertData, KeyData: admin.KeyData,
		// The controller signs its certificate itself.
		Insecure: true,
	}}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("creating a client for metrics: %w", err)
	}
	return &scraper{client: client, server: "https://" + address}, nil
}

// wait waits until metrics are served.
func (s *scraper) wait(ctx context.Context) error {
	var last error
	err := wait.PollUntilContextTimeout(ctx, pollInterval, settleTimeout, true, func(ctx context.Context) (bool, error) {
		_, last = s.scrape(ctx)
		return last == nil, nil
	})
	return errors.Join(err, last)
}

func (s *scraper) scrape(ctx context.Context) (counters, error) {
	text, err := s.get(ctx, "/metrics")
	if err != nil {
		return counters{}, err
	}
	return parse(bytes.NewReader(text))
}

// profile writes a CPU profile of so many seconds to a file, for go tool pprof, and then one of all allocations since the
// start to the file with the suffix .allocs.
func (s *scraper) profile(ctx context.Context, path string, seconds int) error {
	for _, one := range []struct{ file, url string }{
		{path, fmt.Sprintf("/debug/pprof/profile?seconds=%d", seconds)}, {path + ".allocs", "/debug/pprof/allocs"},
	} {
		content, err := s.get(ctx, one.url)
		if err != nil {
			return err
		}
		if err := os.WriteFile(one.file, content, 0o600); err != nil {
			return fmt.Errorf("writing a profile: %w", err)
		}
	}
	return nil
}

func (s *scraper) get(ctx context.Context, path string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.server+path, http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("getting %s of the controller: %w", path, err)
	}
	response, err := s.client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("getting %s of the controller: %w", path, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("getting %s of the controller: %s", path, response.Status)
	}
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, fmt.Errorf("getting %s of the controller: %w", path, err)
	}
	return content, nil
}

// parse reads metrics in their text format.
func parse(text io.Reader) (counters, error) {
	families, err := testutil.TextToMetricFamilies(text)
	if err != nil {
		return counters{}, fmt.Errorf("reading metrics: %w", err)
	}
	sum := func(name string, filter func(*dto.Metric) bool) int {
		total := 0.0
		for _, metric := range families[name].GetMetric() {
			if filter(metric) {
				total += metric.GetCounter().GetValue()
			}
		}
		return int(total)
	}
	all := func(*dto.Metric) bool { return true }
	return counters{
		requests:     sum("rest_client_requests_total", all),
		writes:       sum("update_status_writes_total", succeeded),
		failedWrites: sum("update_status_writes_total", func(metric *dto.Metric) bool { return !succeeded(metric) }),
		writtenBytes: sum("update_status_written_bytes_total", all),
	}, nil
}

func succeeded(metric *dto.Metric) bool {
	for _, label := range metric.GetLabel() {
		if label.GetName() == "result" {
			return label.GetValue() == "success"
		}
	}
	return false
}
