#!/usr/bin/env bash
# Repeats the tests of a package until one fails: deflake.sh PACKAGE [TEST]. TEST is a regular expression as of `go test -run`. Each
# round has a random order, which a failure prints as `-test.shuffle`.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

package=${1:-}
if [[ -z ${package} ]]; then
	echo "ERROR: PACKAGE= is missing, the package with the tests: make deflake PACKAGE=./pkg/updatestatus/insight TEST=TestName" >&2
	exit 2
fi
name=${2:-.}

temporary_directory
go test "${RACE[@]}" -c -o "${TEMPORARY}/test" "${package}"
[[ -x ${TEMPORARY}/test ]] || exit 1
cd "${package}"
# As in hack/updatestatus/test-suite.sh: the race detector crashes where two processors run the timers of a bubble of time.
! grep -q '"testing/synctest"' ./*_test.go || export GOMAXPROCS=1
for ((round = 1; ; round++)); do
	if ! KUBE_CACHE_MUTATION_DETECTOR=true "${TEMPORARY}/test" -test.shuffle=on -test.timeout=90m -test.run="${name}" \
		>"${TEMPORARY}/output" 2>&1; then
		cat "${TEMPORARY}/output"
		echo "ERROR: round ${round} failed" >&2
		exit 1
	fi
	echo "round ${round} passed, ${SECONDS} s since the start"
done
