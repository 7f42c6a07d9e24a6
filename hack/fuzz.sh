#!/usr/bin/env bash
# Fuzzes each target so many times, or for a time: hack/fuzz.sh 300x|10m [PACKAGE...]. Tests take a number: a time that is up
# now and then is an error of Go's own ("context deadline exceeded"), when a worker hears of it before the others do. What is
# found becomes a file in testdata/fuzz of its package, which each run of the tests tries from then on. What leads to new
# code is kept in bin/fuzz, for the next run.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

length=${1:?"how much each target is to be fuzzed is missing, such as 300x or 10m"}
shift
failed=()
while IFS=: read -r file target; do
	package=$(dirname "${file}")
	if (($# > 0)) && [[ " $* " != *" ./${package} "* ]]; then
		continue
	fi
	echo "./${package} ${target}"
	binary=${PWD}/bin/fuzz/${package}/${target}
	mkdir -p "${binary}.kept"
	go test -c -fuzz "^${target}\$" -o "${binary}" "./${package}"
	(cd "${package}" && "${binary}" -test.run '^$' -test.fuzz "^${target}\$" -test.fuzztime "${length}" \
		-test.fuzzcachedir "${binary}.kept" -test.parallel 2) || failed+=("${target}")
done < <(grep -r --include='*_test.go' -o -E '^func Fuzz[A-Za-z]+' pkg test | sed 's/:func /:/')
if ((${#failed[@]} > 0)); then
	echo "ERROR: failed: ${failed[*]}; the files that it names show it again" >&2
	exit 1
fi
