#!/usr/bin/env bash
# Runs all verify scripts, two at a time, also after one failed. Prints the output of those that fail, and their names at the end.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

temporary_directory
export TEMPORARY

# verify SCRIPT runs a script, and leaves its output if it fails.
verify() {
	local script=$1 start=${SECONDS} output
	if output=$("${script}" 2>&1); then
		printf '%-28sok      %s s\n' "${script}" "$((SECONDS - start))"
		return
	fi
	printf '%-28sFAILED  %s s\n%s\n' "${script}" "$((SECONDS - start))" "${output}" | tee "${TEMPORARY}/$(basename "${script}")"
}
export -f verify

printf '%s\0' hack/updatestatus/verify-*.sh | xargs -0 -n 1 -P 2 bash -c 'verify "$1"' verify
if compgen -G "${TEMPORARY}/verify-*" >/dev/null; then
	echo "ERROR: failed: $(cd "${TEMPORARY}" && echo verify-*)" >&2
	exit 1
fi
