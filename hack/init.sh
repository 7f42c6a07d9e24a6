# What every script of this folder begins with; to be sourced. It leaves the caller in the repository's root, with ROOT,
# MODULE and TOOLS set.

set -o errexit -o nounset -o pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
TOOLS="${ROOT}/bin/tools"
MODULE=$(sed -n 's/^module //p' "${ROOT}/go.mod")
cd "${ROOT}"

# build_tools PACKAGE... builds pinned tools (hack/tools/go.mod) into bin/tools.
build_tools() {
	mkdir -p "${TOOLS}"
	(cd hack/tools && go build -o "${TOOLS}/" "$@")
}

# verify_update SCRIPT PATH... runs an update script on a copy of the working tree and fails when a path would change.
verify_update() {
	local script=$1 copy
	shift
	copy=$(mktemp -d)
	trap 'rm -rf "${copy}"' RETURN
	git ls-files -z --cached --others --exclude-standard |
		xargs -0 sh -c 'for f; do [ -e "$f" ] && printf "%s\0" "$f"; done' sh |
		tar --create --null --files-from=- | tar --extract --directory "${copy}"
	mkdir -p "${TOOLS}" "${copy}/bin" && ln -s "${TOOLS}" "${copy}/bin/tools"
	"${copy}/${script}"
	for path in "$@"; do
		if ! diff --recursive --unified "${path}" "${copy}/${path}"; then
			echo "ERROR: ${path} is not what ${script} makes of the sources: run ${script} and commit the result" >&2
			return 1
		fi
	done
}
