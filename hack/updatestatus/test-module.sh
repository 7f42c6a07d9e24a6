#!/usr/bin/env bash
# Vets and tests modules of this repository that have their own go.mod, all of them also after a failure: test-module.sh DIR ...
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

build_tools gotest.tools/gotestsum
mkdir -p bin/test
failed=0
for module in "$@"; do
	# Not from the cache, which does not know the files that a test reads outside of its module.
	(cd "${module}" && go vet -mod=readonly ./... &&
		"${TOOLS}/gotestsum" --format=pkgname --jsonfile "${ROOT}/bin/test/${module//\//-}.json" -- -mod=readonly -shuffle=on -count=1 ./...) || failed=1
done
exit "${failed}"
