#!/usr/bin/env bash
# Runs all verify scripts, also after one failed. Prints the output of those that fail, and their names at the end.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

temporary_directory
failed=()
for script in hack/verify-*.sh; do
	start=${SECONDS}
	printf '%-28s' "${script}"
	if "${script}" >"${TEMPORARY}/output" 2>&1; then
		echo "ok      $((SECONDS - start)) s"
	else
		echo "FAILED  $((SECONDS - start)) s"
		cat "${TEMPORARY}/output"
		failed+=("${script}")
	fi
done
if ((${#failed[@]} > 0)); then
	echo "ERROR: failed: ${failed[*]}" >&2
	exit 1
fi
