#!/usr/bin/env bash
# Fails if a script does not parse or is not executable, or if an update script has no verify script. Also runs shellcheck, if
# it is installed.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

failed=0
for script in .ci/run hack/updatestatus/*.sh; do
	bash -n "${script}" || failed=1
	if [[ ${script} != hack/updatestatus/init.sh && ! -x ${script} ]]; then
		echo "ERROR: ${script} is not executable" >&2
		failed=1
	fi
done
for update in hack/updatestatus/update-*.sh; do
	verify=${update/update-/verify-}
	if [[ ! -e ${verify} ]]; then
		echo "ERROR: ${update} has no ${verify}" >&2
		failed=1
	fi
done
if command -v shellcheck >/dev/null; then
	shellcheck --external-sources --source-path=SCRIPTDIR .ci/run hack/updatestatus/*.sh || failed=1
fi
exit "${failed}"
