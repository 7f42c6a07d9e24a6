#!/usr/bin/env bash
# Fails if the controller's binary has code that calls methods by names that the linker can't know. The linker then keeps all
# exported methods of all used types: half as much code again, nearly all of it in memory.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

tags=$(sed -n 's/^TAGS := //p' Makefile)
temporary_directory
if ! CGO_ENABLED=0 go build -tags "${tags}" -ldflags=-dumpdep -o "${TEMPORARY}/" ./cmd/cluster-version-operator \
	2>"${TEMPORARY}/reached"; then
	tail -n 20 "${TEMPORARY}/reached" >&2
	exit 1
fi
if grep -E -- '-> .*<ReflectMethod>$' "${TEMPORARY}/reached" >&2; then
	echo "ERROR: the functions after the arrows, called by those before them, call methods by names that the linker can't" >&2
	echo "know: avoid them by another version of the library or a build tag, TAGS in the Makefile" >&2
	exit 1
fi
