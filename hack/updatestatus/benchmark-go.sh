#!/usr/bin/env bash
# Runs the Go benchmarks (assessments, ledger, status, its JSON, text, of a cluster of 5,000 nodes; reading a Node) and
# compares them with the figures that are checked in, or updates those with --update. Times are comparable only on machines
# with the same number of cores, which is in the file; allocations are the same on all machines.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

figures=test/updatestatus/benchmark/testdata/go.txt
packages=(./pkg/updatestatus/assess/standalone ./pkg/updatestatus/ledger ./pkg/updatestatus/status ./pkg/updatestatus/controller ./pkg/updatestatus/describe)

temporary_directory
{
	echo "cores: $(nproc)"
	# Without the name of the processor, since benchstat does not compare different ones.
	go test -run '^$' -bench . -count 6 "${packages[@]}" | grep -v -E '^(cpu:|ok|PASS)'
} >"${TEMPORARY}/now"

if [[ ${1:-} == --update ]]; then
	mkdir -p "$(dirname "${figures}")"
	cp "${TEMPORARY}/now" "${figures}"
	exit 0
fi
build_tools golang.org/x/perf/cmd/benchstat
"${TOOLS}/benchstat" -ignore cores "checked-in=${figures}" "now=${TEMPORARY}/now"
