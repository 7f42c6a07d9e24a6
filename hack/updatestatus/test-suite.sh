#!/usr/bin/env bash
# Runs a suite of tests, all of it also after a failure, and prints its results:
#
#   test-suite.sh short        everything but the tests TestLong…
#   test-suite.sh long         the tests TestLong…, the modules with their own go.mod, and fuzzing
#   test-suite.sh unit         those of short that need no API server
#   test-suite.sh pure         those of the rules, and only those that a change can have broken
#   test-suite.sh conformance  those of the recorded clusters in EXAMPLES, with an absolute path
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

suite=${1:-}
failed=0
# Memory is cheaper here than the CPU time of collecting garbage, also that of API servers, up to a bound for each process.
export GOGC=400 GOMEMLIMIT=1GiB
# The packages with tests that need a real API server.
servers='/test/updatestatus/(integration|controlplane|faults)(/|$)'
# Pure packages start no goroutine (hack/updatestatus/verify-purity.sh), nor do tests that play clusters through them: there the race detector has
# nothing to find, and takes five times as long. It is in effect where shells use them. As they depend on nothing but files, go test takes
# their results from its cache.
pure="/($(awk -F ' *\\| *' '$3 == "pure" {printf "%s|", $2}' ARCHITECTURE.md)test/updatestatus/(benchmark/shape|causes|estimates|field|hosted|invariants|lag|played))\$"
# Tests that play clusters through the rules as well, and then look at pages, schemas or an API server; and those in which what is tested
# is a process of its own.
no_race='/test/updatestatus/(documents|faults|integration/api|report|schema|simulator)$'
# Those with bubbles of time (testing/synctest), each on one processor: with two, the race detector sometimes crashes with SIGSEGV or "CHECK
# failed" (https://github.com/golang/go/issues/78156), as both may run timers of a bubble, which have one context of the detector
# (runtime/time.go, unlockAndRun).
bubbles="/($(grep -r -l --include='*_test.go' '"testing/synctest"' pkg test | xargs dirname | sort -u | paste -s -d '|'))\$"

# run FLAGS... -- PACKAGES... runs tests, those of shells with the race detector, if there is a C compiler. Those with API servers wait most
# of the time, so that others run beside them. The last ones take longest, and start first.
run() {
	local flags=()
	while [[ $1 != -- ]]; do
		flags+=("$1")
		shift
	done
	shift
	((${#RACE[@]} > 0)) || echo "No C compiler: running the tests without the race detector" >&2
	mapfile -t packages < <(printf '%s\n' "$@" | tac)
	local beside
	{
		run_those "${no_race}" "${flags[@]}" -shuffle=on
		run_those "${pure}" "${flags[@]}"
		KUBE_CACHE_MUTATION_DETECTOR=true run_those "${bubbles}" "${RACE[@]}" "${flags[@]}" -shuffle=on -exec 'env GOMAXPROCS=1'
		exit "${failed}"
	} &
	beside=$!
	KUBE_CACHE_MUTATION_DETECTOR=true run_those "" "${RACE[@]}" "${flags[@]}" -shuffle=on
	wait "${beside}" || failed=1
}

# run_those PATTERN FLAGS... runs the tests of the packages that match, or of those that match no pattern.
run_those() {
	local pattern=$1 those
	shift
	if [[ -n ${pattern} ]]; then
		mapfile -t those < <(printf '%s\n' "${packages[@]}" | grep -E "${pattern}" || true)
	else
		mapfile -t those < <(printf '%s\n' "${packages[@]}" | grep -v -E "${pure}|${no_race}|${bubbles}" || true)
	fi
	((${#those[@]} == 0)) || hack/updatestatus/test.sh "$@" "${those[@]}" || failed=1
}

rm -rf bin/test
mapfile -t all < <(go list ./...)
case ${suite} in
short)
	run -skip '^TestLong' -- "${all[@]}"
	;;
unit)
	mapfile -t all < <(printf '%s\n' "${all[@]}" | grep -v -E "${servers}")
	run -skip '^TestLong' -- "${all[@]}"
	;;
pure)
	mapfile -t all < <(printf '%s\n' "${all[@]}" | grep -E "${pure}")
	# With these flags, go test takes results from its cache.
	go test -skip '^TestLong' "${all[@]}"
	exit
	;;
conformance)
	hack/updatestatus/test.sh -count=1 ./test/updatestatus/conformance/... ./test/updatestatus/integration/recorded/... || failed=1
	;;
long)
	mapfile -t all < <(grep -r -l --include='*_test.go' '^func TestLong' cmd hack pkg test | xargs dirname | sort -u | sed "s|^|${MODULE}/|")
	run -run '^TestLong' -- "${all[@]}"
	hack/updatestatus/test-module.sh test/updatestatus/gitops test/updatestatus/install test/updatestatus/promql || failed=1
	hack/updatestatus/fuzz.sh "${FUZZ:-300x}" || failed=1
	;;
*)
	echo "ERROR: name a suite: hack/updatestatus/test-suite.sh short|long|unit|pure|conformance" >&2
	exit 2
	;;
esac
go run ./hack/updatestatus/testresults bin/test || failed=1
exit "${failed}"
