# shellcheck shell=bash
# The start of each script of this directory, which sources it. It changes to the root of the repository, and sets ROOT, MODULE,
# TOOLS, MANIFESTS, the folder of the manifests of a release payload, and HOSTED_MANIFESTS, that of what is in no payload: the
# manifests for hosted clusters.

set -o errexit -o nounset -o pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
TOOLS="${ROOT}/bin/tools"
# shellcheck disable=SC2034
MODULE=$(sed -n 's/^module //p' "${ROOT}/go.mod")
# The modules of the repository. Used, as MODULE is, by the scripts that source this one.
# shellcheck disable=SC2034
MODULES=(. hack/updatestatus/tools test/updatestatus/browser test/updatestatus/controlplane/binaries test/updatestatus/gitops test/updatestatus/install test/updatestatus/promql)
cd "${ROOT}"
# In the repository of the Cluster Version Operator they are beside its own.
MANIFESTS=manifests
compgen -G "${MANIFESTS}/*_update-status-controller_*.yaml" >/dev/null || MANIFESTS=install
# shellcheck disable=SC2034
HOSTED_MANIFESTS=manifests/hypershift
# As in the Makefile: clones in other directories share the build cache.
export GOFLAGS="${GOFLAGS:-} -trimpath"

# The race detector needs a C compiler.
# shellcheck disable=SC2034
RACE=()
! command -v "$(go env CC)" >/dev/null || RACE=(-race)

# build_tools PACKAGE... builds pinned tools (hack/updatestatus/tools/go.mod) into bin/tools.
build_tools() {
	mkdir -p "${TOOLS}"
	(cd hack/updatestatus/tools && go build -mod=readonly -o "${TOOLS}/" "$@")
}

# temporary_directory creates a directory that is removed when the script ends, and sets TEMPORARY to its path.
temporary_directory() {
	TEMPORARY=$(mktemp -d)
	trap 'rm -rf "${TEMPORARY}"' EXIT
}

# find_client sets CLIENT to the client of a cluster: OC if it is set, else oc or kubectl.
find_client() {
	CLIENT=${OC:-$(command -v oc || command -v kubectl || true)}
	if [[ -z ${CLIENT} ]]; then
		echo "ERROR: neither oc nor kubectl is on the PATH: install one, or set OC=" >&2
		exit 1
	fi
}

# verify_update SCRIPT PATH... runs an update script on a copy of the working tree and fails if a path changes. Tools are
# copied, since the script can build them. Vendor is a link, since the script only reads it.
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
			echo "ERROR: ${path} is outdated: run ${script} and commit the result" >&2
			failed=1
		fi
	done
	return "${failed}"
}
