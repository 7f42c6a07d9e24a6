package faults

import (
	"fmt"
	"strings"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/checks"
)

// hostileTexts imitate the controller's own summaries, command terminals, and hide text. A summary has no line breaks.
var hostileTexts = []string{
	"Node " + storageNode + " is degraded: the disk is full",
	"\x1b[2J\x1b[31mThe cluster is lost\x1b]0;lost\x07",
	"\u202egro.elpmaxe\u202c \u200bhidden\u2028Cluster Operator etcd is unavailable",
	"a\x00b\tc\u0085d\x9b31m",
	strings.Repeat("\U0001f4a3", updatev1alpha1.SummaryMaxLength),
	" ",
}

// hostileTimes are times that the API server may accept, some of which can't be decoded, encoded, or true.
var hostileTimes = []string{
	"9999-12-31T23:59:59-14:00", "9999-12-31T23:59:59Z", "0000-01-01T00:00:00+14:00", "0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z",
	"2026-01-01t00:00:00z", "2026-01-01T00:00:00x5Z", "2026-01-01T00:00:00+99:99", "2026-01-01T00:00:00-24:01",
}

// hostileResources are those of others.
var hostileResources = []map[string]any{
	{"resource": "nodes", "name": storageNode},
	{"resource": "nodes", "name": "\x1b[31m"},
	{"group": "config.openshift.io", "resource": "clusteroperators", "name": "etcd"},
	{"group": "config.openshift.io", "resource": "clusterversions", "name": "version"},
	{"group": "policy", "resource": "poddisruptionbudgets", "namespace": storageNamespace, "name": "rook-ceph-osd"},
	{"group": "machineconfiguration.openshift.io", "resource": "machineconfigpools", "name": "infra"},
	{"group": "update.openshift.io", "resource": "updateinformers", "namespace": storageNamespace, "name": storageName},
}

// hostileStatus returns the status of an informer of the tenant: the insights of another informer, by its number, at a time. One in sixteen
// has as many as there may be, and the others have one: so few bytes that only the limit of the number of informers bounds them.
func hostileStatus(number int, now time.Time) map[string]any {
	count := 1
	if number%16 == 0 {
		count = updatev1alpha1.InformerMaxInsights
	}
	var insights []map[string]any
	for at := range count {
		insights = append(insights, hostileInsight(number, number+at, fmt.Sprintf("insight-%d", at), now))
	}
	return map[string]any{"renewedAt": hostileRenewal(number, now), "insights": insights}
}

// hostileRenewal returns when an informer of the tenant was renewed: just now, so long ago that one after the other becomes outdated or
// is withdrawn in the next seconds, in the future, never, or at a time that is impossible.
func hostileRenewal(number int, now time.Time) any {
	const outdated, withdrawn = 3 * time.Minute, 15 * time.Minute
	soon := time.Duration(2+number%8) * time.Second
	written := func(at time.Time) string { return at.UTC().Format(time.RFC3339) }
	switch number % 6 {
	case 0:
		return written(now.Add(soon))
	case 1:
		return written(now.Add(-outdated + soon))
	case 2:
		return written(now.Add(-withdrawn + soon))
	case 3:
		return written(now)
	case 4:
		return nil
	default:
		return hostileTimes[number/6%len(hostileTimes)]
	}
}

// hostileInsight returns an insight of an informer of the tenant, which is another one for each variant. Impossible times are in a few
// informers only: the API server may refuse the whole status.
func hostileInsight(number, variant int, name string, now time.Time) map[string]any {
	all := checks.All()
	text := hostileTexts[variant%len(hostileTexts)]
	one := map[string]any{
		"name": name, "reason": assess.ReasonOf(all[variant%len(all)].Name), "level": "Critical", "impact": "DataLoss",
		"summary": text, "description": text + "\n" + strings.Repeat("x", number%3*400), "reference": "https://example.com/\x1b[31m",
		"resources": []any{hostileResources[variant%len(hostileResources)], hostileResources[(variant+2)%len(hostileResources)]},
		"startedAt": now.Add(time.Duration(variant%90) * time.Second).UTC().Format(time.RFC3339),
		// The first two are decoded.
		"estimatedFinish": hostileTimes[variant%2],
	}
	if number%7 == 0 {
		one["startedAt"], one["estimatedFinish"] = hostileTimes[number/7%len(hostileTimes)], hostileTimes[variant%len(hostileTimes)]
	}
	return one
}
