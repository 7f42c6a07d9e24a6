package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/openshift/cluster-version-operator/pkg/controller"
)

const head = `<!-- Made by hack/update-metrics.sh from the definitions in pkg/controller. -->
# Metrics

The controller serves these at ` + "`/metrics`" + `, over TLS, with those of Kubernetes components: of the process, its build
(` + "`openshift_update_status_controller_build_info`" + `), its work queues (` + "`workqueue_…`" + `), its requests
(` + "`rest_client_…`" + `) and its leader election. They require ` + "`get`" + ` on the non-resource URL ` + "`/metrics`" + `: the API server
reviews each token. ` + "`go test ./test/integration -run TestScrape`" + ` shows it with the built binary.

Gauges are read from the state of the controller when they are scraped: what was deleted from the cluster has no series. Only
the leader has the metrics below, and those of a source only after that has reported everything once; until then
` + "`update_status_available`" + ` is 0.

The number of series depends only on the number of MachineConfigPools (eight for each). Times are Unix times in seconds;
compute ages and remaining times in a query: ` + "`time() - …`" + `.

| metric | type | labels | stability | meaning |
|---|---|---|---|---|
`

func main() {
	if err := write(os.Stdout, controller.Definitions()); err != nil {
		fmt.Fprintln(os.Stderr, "metrics:", err)
		os.Exit(1)
	}
}

func write(out io.Writer, definitions []controller.Definition) error {
	var page strings.Builder
	page.WriteString(head)
	for _, one := range definitions {
		fmt.Fprintf(&page, "| `%s` | %s | %s | %s | %s |\n",
			one.Name, one.Type, strings.Join(one.Labels, ", "), one.Stability(), one.Help+buckets(one.Buckets))
	}
	_, err := io.WriteString(out, page.String())
	return err
}

func buckets(bounds []float64) string {
	if len(bounds) == 0 {
		return ""
	}
	return " Buckets up to " + strings.Trim(strings.ReplaceAll(fmt.Sprint(bounds), " ", ", "), "[]") + "."
}
