#!/usr/bin/env bash
# Runs the Go benchmarks (assessments, ledger, status, its JSON, text, of a cluster of 5,000 nodes; reading a Node) and
# compares them with the figures that are checked in. With --update the figures are written instead. Times say something only
# on a machine like the one that the figures are from (its cores are in the file); allocations are the same everywhere.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

figures=test/benchmark/testdata/go.txt
packages=(./pkg/assess ./pkg/ledger ./pkg/status ./pkg/controller ./pkg/describe)

temporary_directory
{
	echo "cores: $(nproc)"
	# The kind of processor is left out: it is nobody's business, and benchstat would not compare across it.
	go test -run '^$' -bench . -count 6 "${packages[@]}" | grep -v -E '^(cpu:|ok|PASS)'
} >"${TEMPORARY}/now"

if [[ ${1:-} == --update ]]; then
	mkdir -p "$(dirname "${figures}")"
	cp "${TEMPORARY}/now" "${figures}"
	exit 0
fi
build_tools golang.org/x/perf/cmd/benchstat
"${TOOLS}/benchstat" -ignore cores "checked-in=${figures}" "now=${TEMPORARY}/now"
