package promql

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/promql/promqltest"
	"github.com/prometheus/prometheus/storage"
)

// prometheus evaluates expressions on the metrics of the update.
type prometheus struct {
	engine  *promql.Engine
	storage storage.Queryable
	// labels are the names of the labels of each metric.
	labels map[string]map[string]bool
}

func newPrometheus(t *testing.T) *prometheus {
	t.Helper()
	p := &prometheus{engine: promqltest.NewTestEngine(t, false, 0, 1_000_000), storage: stored(t), labels: map[string]map[string]bool{}}
	for _, one := range samples() {
		name := string(one.Metric[labels.MetricName])
		if p.labels[name] == nil {
			p.labels[name] = map[string]bool{}
		}
		for label := range one.Metric {
			p.labels[name][string(label)] = true
		}
		for _, added := range []map[string]string{target, hostedTarget} {
			for label := range added {
				p.labels[name][label] = true
			}
		}
	}
	return p
}

// evaluate returns the values of an expression in each minute of the update.
func (p *prometheus) evaluate(t *testing.T, expression string) (promql.Matrix, error) {
	t.Helper()
	query, err := p.engine.NewRangeQuery(t.Context(), p.storage, nil, expression, start, end, time.Minute)
	if err != nil {
		return nil, err
	}
	result := query.Exec(t.Context())
	if result.Err != nil {
		return nil, result.Err
	}
	matrix, err := result.Matrix()
	return slices.Clone(matrix), err
}

// check returns what is wrong with an expression: that it can't be parsed or evaluated, or what it selects or groups by that is not served
// at any moment of the update.
func (p *prometheus) check(t *testing.T, expression string) error {
	t.Helper()
	parsed, err := parser.ParseExpr(expression)
	if err != nil {
		return err
	}
	if _, err := p.evaluate(t, expression); err != nil {
		return err
	}
	served := map[string]bool{}
	var wanted, wrong []string
	parser.Inspect(parsed, func(node parser.Node, _ []parser.Node) error {
		switch one := node.(type) {
		case *parser.VectorSelector:
			wrong = append(wrong, p.checkSelector(t, one)...)
			for label := range p.labels[one.Name] {
				served[label] = true
			}
		case *parser.AggregateExpr:
			wanted = append(wanted, one.Grouping...)
		case *parser.BinaryExpr:
			if one.VectorMatching != nil {
				wanted = append(wanted, one.VectorMatching.MatchingLabels...)
			}
		}
		return nil
	})
	for _, label := range wanted {
		if !served[label] {
			wrong = append(wrong, "no metric of it has the label "+label)
		}
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%s: %s", expression, strings.Join(wrong, "; "))
	}
	return nil
}

// checkSelector returns what a selector selects that is not served. A matcher that excludes values matches without its label as well.
func (p *prometheus) checkSelector(t *testing.T, selector *parser.VectorSelector) []string {
	t.Helper()
	var wrong []string
	for _, matcher := range selector.LabelMatchers {
		if !p.labels[selector.Name][matcher.Name] && matcher.Name != labels.MetricName {
			wrong = append(wrong, fmt.Sprintf("%s has no label %s", selector.Name, matcher.Name))
		}
	}
	if found, err := p.evaluate(t, selector.String()); err != nil || len(found) == 0 {
		wrong = append(wrong, fmt.Sprintf("nothing matches %s (error %v)", selector, err))
	}
	return wrong
}

// TestCheck: an expression that is wrong in any way is found.
func TestCheck(t *testing.T) {
	p := newPrometheus(t)
	for expression, want := range map[string]string{
		`max by (pool) (update_status_pool_stalled{pool!="master"}) == 1 and on () max(update_status_updating) == 1`: "",
		`absent_over_time(update_status_available{job="update-status-controller"}[5m])`:                              "",
		`update_status_available{`:                                              "unexpected end of input",
		`rate(update_status_available)`:                                         "expected type range vector",
		`update_status_availble`:                                                "nothing matches update_status_availble",
		`max(update_status_updating) or max(update_status_updated)`:             "nothing matches update_status_updated",
		`update_status_pool_nodes{phase="Complete"}`:                            "nothing matches update_status_pool_nodes",
		`update_status_pool_nodes{pol!="master"}`:                               "update_status_pool_nodes has no label pol",
		`max by (node) (update_status_pool_stalled)`:                            "has the label node",
		`max(update_status_updating) == on (node) max(update_status_available)`: "has the label node",
		`update_status_pool_stalled + on (job) update_status_pool_stalled`:      "many-to-many",
		`rate(update_status_write_lag_seconds_buckets[5m])`:                     "nothing matches",
	} {
		err := p.check(t, expression)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", expression, err, want)
		}
	}
}
