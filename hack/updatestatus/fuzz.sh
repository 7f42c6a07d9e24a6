#!/usr/bin/env bash
# Fuzzes each target for a number of inputs or for a time: hack/updatestatus/fuzz.sh 300x|10m [PACKAGE...]. Tests use a number, since Go
# sometimes fails with "context deadline exceeded" at the end of the time. A failing input becomes a file in testdata/fuzz of
# its package, which all later runs of the tests try. Inputs that reach new code are cached in bin/fuzz. They are made smaller in ten tries at most:
# Go takes a minute for each by default, which is most of the time for inputs of hundreds of KiB.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

length=${1:?"the number of inputs or the time for each target is missing, such as 300x or 10m"}
shift
if ! [[ ${length} =~ ^([0-9]+x|([0-9]+[hms])+)$ ]]; then
	echo "ERROR: FUZZ=${length} is neither a number of inputs nor a time: make fuzz FUZZ=300x, or FUZZ=10m" >&2
	exit 2
fi
failed=()
while IFS=: read -r file target; do
	package=$(dirname "${file}")
	if (($# > 0)) && [[ " $* " != *" ./${package} "* ]]; then
		continue
	fi
	echo "./${package} ${target}"
	binary=${PWD}/bin/fuzz/${package}/${target}
	mkdir -p "${binary}.cache"
	go test -c -fuzz "^${target}\$" -o "${binary}" "./${package}"
	(cd "${package}" && "${binary}" -test.run '^$' -test.fuzz "^${target}\$" -test.fuzztime "${length}" \
		-test.fuzzminimizetime 10x -test.fuzzcachedir "${binary}.cache" -test.parallel 2) || failed+=("${target}")
done < <(grep -r --include='*_test.go' -o -E '^func Fuzz[A-Za-z]+' pkg test | sed 's/:func /:/')
if ((${#failed[@]} > 0)); then
	echo "ERROR: failed: ${failed[*]}; the files named above reproduce it" >&2
	exit 1
fi
