#!/usr/bin/env bash
# Fails unless the controller builds with the certified FIPS 140-3 module of Go, as `make image GOFIPS140=certified` does.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

temporary_directory
GOFIPS140=certified go build -tags "$(sed -n 's/^TAGS := //p' Makefile)" -buildvcs=false -o "${TEMPORARY}/" ./cmd/cluster-version-operator
go version -m "${TEMPORARY}/cluster-version-operator" >"${TEMPORARY}/settings"
for setting in 'GOFIPS140=v' 'DefaultGODEBUG=.*fips140=on'; do
	if ! grep -E -q "build[[:space:]]${setting}" "${TEMPORARY}/settings"; then
		echo "ERROR: the binary lacks ${setting}:" >&2
		grep -E '[[:space:]]build[[:space:]]' "${TEMPORARY}/settings" >&2
		exit 1
	fi
done
"${TEMPORARY}/cluster-version-operator" version >/dev/null
