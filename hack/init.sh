# shellcheck shell=bash
# What every script of this folder begins with; to be sourced. It leaves the caller in the repository's root, with ROOT,
# MODULE and TOOLS set.

set -o errexit -o nounset -o pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
TOOLS="${ROOT}/bin/tools"
# shellcheck disable=SC2034
MODULE=$(sed -n 's/^module //p' "${ROOT}/go.mod")
# The modules of the repository. Used, as MODULE is, by the scripts that source this one.
# shellcheck disable=SC2034
MODULES=(. hack/check-rules hack/tools test/controlplane/binaries)
cd "${ROOT}"
# As in the Makefile: a clone in another folder finds what was compiled before.
export GOFLAGS="${GOFLAGS:-} -trimpath"

# build_tools PACKAGE... builds pinned tools (hack/tools/go.mod) into bin/tools.
build_tools() {
	mkdir -p "${TOOLS}"
	(cd hack/tools && go build -mod=readonly -o "${TOOLS}/" "$@")
}

# temporary_directory makes a directory that goes when the script ends, and leaves its name in TEMPORARY.
temporary_directory() {
	TEMPORARY=$(mktemp -d)
	trap 'rm -rf "${TEMPORARY}"' EXIT
}

# find_client leaves the name of a client of a cluster in CLIENT: what OC names, or oc, or kubectl.
find_client() {
	CLIENT=${OC:-$(command -v oc || command -v kubectl || true)}
	if [[ -z ${CLIENT} ]]; then
		echo "ERROR: neither oc nor kubectl is on the PATH: install one, or name it with OC=" >&2
		exit 1
	fi
}

# verify_update SCRIPT PATH... runs an update script on a copy of the working tree and fails when a path would change.
# The copy shares nothing that the script could write to: tools are copied, and vendor, which is read only, is a link.
verify_update() {
	local script=$1 failed=0 path
	shift
	temporary_directory
	tar --create --exclude=./.git --exclude=./bin --exclude=./vendor . | tar --extract --directory "${TEMPORARY}"
	mkdir "${TEMPORARY}/bin"
	[[ ! -d ${TOOLS} ]] || cp -R "${TOOLS}" "${TEMPORARY}/bin/"
	[[ ! -d vendor ]] || ln -s "${ROOT}/vendor" "${TEMPORARY}/vendor"
	"${TEMPORARY}/${script}"
	for path in "$@"; do
		if ! diff --recursive --unified --new-file "${path}" "${TEMPORARY}/${path}"; then
			echo "ERROR: ${path} is not what ${script} makes of the sources: run ${script} and commit the result" >&2
			failed=1
		fi
	done
	return "${failed}"
}
