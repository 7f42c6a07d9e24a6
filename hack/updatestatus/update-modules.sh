#!/usr/bin/env bash
# Tidies the modules and updates the vendor directory.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

for module in "${MODULES[@]}"; do
	(cd "${module}" && go mod tidy)
done
go mod vendor
