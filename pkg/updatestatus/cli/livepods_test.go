package cli

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Responses about the pods of the operator network, as a table and in full.
const (
	podTable = `{kind: Table, apiVersion: meta.k8s.io/v1, metadata: {},
  columnDefinitions: [{name: Name}, {name: Ready}, {name: Status}, {name: Restarts}, {name: Age}, {name: IP}, {name: Node}],
  rows: [{cells: [ovnkube-a, 8/8, Running, 0, 5d, 10.0.0.1, master-0]}, {cells: [ovnkube-b, 7/8, CrashLoopBackOff, 9, 5d, 10.0.0.2, elsewhere]}]}`
	podList = `{kind: PodList, apiVersion: v1, items: [{metadata: {name: ovnkube-b, namespace: openshift-ovn-kubernetes}, spec: {nodeName: elsewhere}, status: {
  phase: Running, conditions: [{type: Ready, status: "False", lastTransitionTime: "2025-03-01T11:30:00Z"}],
  containerStatuses: [{name: ovnkube, restartCount: 9, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {exitCode: 2, reason: Error, message: no route, startedAt: "2025-03-01T12:20:00Z"}}}]}}]}`
	podsPath = "/api/v1/namespaces/openshift-ovn-kubernetes/pods"
)

// TestLivePods checks that the client reads the pods of an operator that fails with the user's permissions, and says what it may not read.
func TestLivePods(t *testing.T) {
	const degraded = `    conditions:
    - {type: Available, status: "True", lastTransitionTime: "2025-01-01T10:00:00Z"}
    - {type: Degraded, status: "True"`
	operators := strings.Replace(content(t, recordedCluster+"-co.yaml"), degraded,
		"    relatedObjects: [{group: '', resource: namespaces, name: openshift-ovn-kubernetes}]\n"+degraded, 1)
	responses := recordedResponses(t, map[string]string{"/apis/config.openshift.io/v1/clusteroperators": ""})
	responses["/apis/config.openshift.io/v1/clusteroperators"] = objectResponse(t, operators)
	for _, test := range []struct {
		name        string
		isForbidden bool
		out, errOut []string
	}{
		{"permitted", false, []string{"; pod ovnkube-b on elsewhere is CrashLoopBackOff (", "the pod for 1h", "oc describe pod -n openshift-ovn-kubernetes ovnkube-b"}, nil},
		{"forbidden", true, []string{"oc get pods -n openshift-ovn-kubernetes -o wide"}, []string{"unable to read the pods in openshift-ovn-kubernetes: "}},
	} {
		tables := 0
		serveOthers := handlerOf(responses)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			answer := objectResponse(t, podList)
			switch {
			case r.URL.Path != podsPath:
				serveOthers(w, r)
				return
			case test.isForbidden:
				answer = errorResponse(t, http.StatusForbidden, "Forbidden")
			case strings.Contains(r.Header.Get("Accept"), "as=Table"):
				tables++
				answer = objectResponse(t, podTable)
			}
			w.Header().Set("Content-Type", answer.contentType)
			w.WriteHeader(answer.code)
			_, _ = w.Write([]byte(answer.body))
		}))
		t.Cleanup(server.Close)
		got := run(t, "", "--server", server.URL, "--now", "2025-03-01T12:30:00Z", "--details=health")
		for _, want := range test.out {
			if !strings.Contains(got.out, want) {
				t.Errorf("%s: the output lacks %q:\n%s", test.name, want, got.out)
			}
		}
		for _, want := range test.errOut {
			if !strings.Contains(got.errOut, want) {
				t.Errorf("%s: standard error lacks %q:\n%s", test.name, want, got.errOut)
			}
		}
		if !test.isForbidden && (tables != 1 || strings.Contains(got.errOut, "the pods in")) {
			t.Errorf("%s: %d tables; standard error:\n%s", test.name, tables, got.errOut)
		}
	}
}
