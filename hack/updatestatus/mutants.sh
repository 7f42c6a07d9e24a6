#!/usr/bin/env bash
# Changes the code of packages in one place at a time, runs the tests of the package, and prints what no test noticed:
# mutants.sh [PACKAGE...]. By default of the pure packages, and of the shells whose tests are fast. It fails if less than 90 % of the
# changes in a package are noticed.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

packages=("$@")
if ((${#packages[@]} == 0)); then
	# The table of ARCHITECTURE.md; the types of the API have no code.
	mapfile -t packages < <(sed -n 's/^| \(pkg\/[a-z\/]*\) | pure |.*/\.\/\1/p' ARCHITECTURE.md)
	packages+=(./pkg/updatestatus/controller ./pkg/updatestatus/publish ./pkg/updatestatus/retrywatch ./pkg/updatestatus/source)
fi

build_tools github.com/go-gremlins/gremlins/cmd/gremlins
failed=()
for package in "${packages[@]}"; do
	echo "== ${package}"
	"${TOOLS}/gremlins" unleash "${package}" --invert-logical --timeout-coefficient 10 --threshold-efficacy 90 -S lt || failed+=("${package}")
done
if ((${#failed[@]} > 0)); then
	echo "ERROR: less than 90 % of the changes are noticed in ${failed[*]}" >&2
	exit 1
fi
