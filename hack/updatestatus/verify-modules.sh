#!/usr/bin/env bash
# Fails if a module is not tidy, if the vendor directory is outdated, or if a direct dependency has no line in
# docs/updatestatus/dependencies.md.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

failed=0
for module in "${MODULES[@]}"; do
	if ! (cd "${module}" && go mod tidy -diff); then
		echo "ERROR: ${module}/go.mod is not tidy: run hack/updatestatus/update-modules.sh and commit the result" >&2
		failed=1
	fi
done

temporary_directory
go mod vendor -o "${TEMPORARY}/vendor"
if ! diff --recursive --brief vendor "${TEMPORARY}/vendor"; then
	echo "ERROR: vendor is outdated: run hack/updatestatus/update-modules.sh and commit the result" >&2
	failed=1
fi

go run ./hack/updatestatus/dependencies "${MODULES[@]}" || failed=1
exit "${failed}"
