package alerts

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/thanos"
)

// TestMain sets a proxy, which must not be used for an address of the cluster. Go reads it once in a process.
func TestMain(m *testing.M) {
	if err := os.Setenv("HTTPS_PROXY", "https://127.0.0.1:1"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	// Tests that leak goroutines fail.
	goleak.VerifyTestMain(m)
}

// cluster is a cluster with monitoring that accepts one token, with the files of a pod.
type cluster struct {
	*thanos.Querier

	t       *testing.T
	folder  string
	accepts func(token string) int
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{t: t, folder: t.TempDir(), accepts: func(token string) int {
		if token == "secret" {
			return http.StatusOK
		}
		return http.StatusUnauthorized
	}}
	var err error
	c.Querier, err = thanos.StartQuerier(func(_ context.Context, token string) int { return c.accepts(token) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	c.write("token", "secret\n")
	c.write("ca.crt", string(c.Authority()))
	return c
}

func (c *cluster) write(name, content string) {
	c.t.Helper()
	if err := os.WriteFile(filepath.Join(c.folder, name), []byte(content), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

func (c *cluster) querier() Querier {
	return Querier{
		URL: c.URL(), CAFile: filepath.Join(c.folder, "ca.crt"), TokenFile: filepath.Join(c.folder, "token"), UserAgent: "test",
	}
}

// expect reads the alerts and compares the reason of the failure.
func (c *cluster) expect(step, reason string) []assess.Alert {
	c.t.Helper()
	return c.expectOf(c.querier(), step, reason)
}

func (c *cluster) expectOf(querier Querier, step, reason string) []assess.Alert {
	c.t.Helper()
	alerts, why := querier.query(c.t.Context())
	if why == nil {
		why = &insight.State{}
	}
	if why.Reason != reason || (reason != "") != (why.Message != "") {
		c.t.Errorf("%s: reason %q, message %q, want reason %q", step, why.Reason, why.Message, reason)
	}
	return alerts
}

var since = time.Date(2026, 3, 2, 8, 0, 0, 25e7, time.UTC)

func TestResponses(t *testing.T) {
	c := newCluster(t)
	if alerts := c.expect("no alert", ""); alerts == nil || len(alerts) != 0 {
		t.Errorf("got %v", alerts)
	}
	c.Fire(thanos.FiringAlert("A", "warning", since), thanos.FiringAlert("B", "critical", since))
	want := []assess.Alert{{
		Labels: map[string]string{
			"alertname": "A", "severity": "warning", "namespace": "openshift-dns", "pod": "dns-default-x7k2p", "prometheus": "openshift-monitoring/k8s",
		},
		Annotations: map[string]string{
			"summary": "A fires.", "description": "It has been so for a while.", "runbook_url": "https://example.com/runbooks/A.md",
		},
		State: "firing", ActiveAt: since,
	}}
	if diff := cmp.Diff(want, c.expect("two alerts", "")[:1]); diff != "" {
		t.Errorf("alerts (-want +got):\n%s", diff)
	}

	for step, text := range map[string]string{
		"nothing":          "",
		"binary":           "\x00\xff{{{",
		"a page":           "<html><body>Log in</body></html>",
		"another response": `{"status":"success","data":{"groups":[]}}`,
		"no list":          `{"status":"success","data":{"alerts":{}}}`,
		"null":             `{"status":"success","data":{"alerts":null}}`,
		"other elements":   `{"status":"success","data":{"alerts":[7]}}`,
		"no time":          `{"status":"success","data":{"alerts":[{"activeAt":"yesterday"}]}}`,
		"an error":         `{"status":"error","errorType":"internal","error":"boom","data":{"alerts":[]}}`,
		"truncated":        `{"status":"success","data":{"alerts":[{"labels":{"alertname":"A"`,
		"nested":           `{"status":"success","data":{"alerts":` + strings.Repeat("[", 100_000),
		"too many":         `{"status":"success","data":{"alerts":[` + strings.Repeat("{},", maxAlerts) + `{}]}}`,
		"too large":        `{"status":"success","data":{"alerts":[` + strings.Repeat(" ", maxResponseBytes) + `]}}`,
		"large and empty":  strings.Repeat(" ", maxResponseBytes+1),
	} {
		c.Respond(text)
		c.expect(step, updatev1alpha1.ReasonMonitoringFailed)
	}
	c.Handle(func(w http.ResponseWriter, _ *http.Request) {
		for err := error(nil); err == nil; {
			_, err = w.Write(make([]byte, 1<<20))
		}
	})
	c.expect("unlimited", updatev1alpha1.ReasonMonitoringFailed)
	c.Respond(`{"status":"success","data":{"alerts":[` + strings.Repeat("{},", maxAlerts-1) + `{}]}}`)
	if alerts := c.expect("maximum", ""); len(alerts) != maxAlerts {
		t.Errorf("%d alerts", len(alerts))
	}
}

func TestStatuses(t *testing.T) {
	c := newCluster(t)
	elsewhere := newCluster(t)
	for status, reason := range map[int]string{
		http.StatusUnauthorized:        updatev1alpha1.ReasonMonitoringRefused,
		http.StatusForbidden:           updatev1alpha1.ReasonMonitoringRefused,
		http.StatusInternalServerError: updatev1alpha1.ReasonMonitoringFailed,
		http.StatusServiceUnavailable:  updatev1alpha1.ReasonMonitoringFailed,
		http.StatusNotFound:            updatev1alpha1.ReasonMonitoringFailed,
		http.StatusNoContent:           updatev1alpha1.ReasonMonitoringFailed,
		http.StatusFound:               updatev1alpha1.ReasonMonitoringFailed,
		799:                            updatev1alpha1.ReasonMonitoringFailed,
	} {
		c.Handle(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", elsewhere.URL()+thanos.QuerierPath)
			w.WriteHeader(status)
		})
		c.expect(fmt.Sprint(status), reason)
	}
	if requests, _ := elsewhere.Requests(); requests != 0 {
		t.Error("a redirect was followed, with the token")
	}
}

// TestConnectionErrors: the message is the same for as long as the cause is.
func TestConnectionErrors(t *testing.T) {
	c := newCluster(t)
	unreachable := updatev1alpha1.ReasonMonitoringUnreachable
	same := func(step string, querier Querier) {
		t.Helper()
		_, first := querier.query(t.Context())
		_, second := querier.query(t.Context())
		if first == nil || second == nil || *first != *second || first.Reason != unreachable {
			t.Errorf("%s: %v, and then %v", step, first, second)
		}
	}
	hurried := c.querier()
	hurried.Timeout = 50 * time.Millisecond
	c.Handle(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	same("slow", hurried)
	c.Handle(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(`{"status":`))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	same("slow in the middle", hurried)
	c.Handle(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	same("connection closed", c.querier())

	c.Fire()
	c.write("token", "stolen")
	c.expect("another token", updatev1alpha1.ReasonMonitoringRefused)
	c.write("token", "secret")
	c.expect("the right token again", "")
	if err := os.Remove(filepath.Join(c.folder, "token")); err != nil {
		t.Fatal(err)
	}
	same("no token", c.querier())
	c.write("token", "secret")

	if err := c.Rotate(); err != nil {
		t.Fatal(err)
	}
	same("another authority", c.querier())
	c.write("ca.crt", string(c.Authority()))
	c.expect("the new authority", "")
	c.write("ca.crt", "none")
	same("not a certificate", c.querier())
	if err := os.Remove(filepath.Join(c.folder, "ca.crt")); err != nil {
		t.Fatal(err)
	}
	same("no authority", c.querier())
	c.write("ca.crt", string(c.Authority()))

	elsewhere := c.querier()
	elsewhere.URL = "https://monitoring.invalid:9091"
	same("no such host", elsewhere)
	if _, why := elsewhere.query(t.Context()); !strings.Contains(why.Message, "no such host: monitoring.invalid") {
		t.Errorf("message %q", why.Message)
	}
	c.Stop()
	same("connection refused", c.querier())
	if _, why := c.querier().query(t.Context()); !strings.Contains(why.Message, "connection refused") || strings.Contains(why.Message, "127.0.0.1") {
		t.Errorf("message %q", why.Message)
	}
}

func TestValidate(t *testing.T) {
	for address, good := range map[string]bool{
		"": true, DefaultURL: true, "https://[fd00::1]:9091/": true, "https://querier": true,
		"http://querier": false, "querier:9091": false, "https://": false, "https://querier/api": false,
		"https://me:secret@querier": false, "https://querier?a=b": false, "https://querier#a": false, "https://quer ier": false,
	} {
		if err := (Querier{URL: address}).Validate(); (err == nil) != good {
			t.Errorf("%s: %v", address, err)
		}
	}
}
