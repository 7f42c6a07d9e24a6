#!/usr/bin/env bash
# Fails when the controller's binary has something that calls methods by names which the linker can't know. It then keeps
# all exported methods of all types that are used: half as much code again, nearly all of which is in memory.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

tags=$(sed -n 's/^TAGS := //p' Makefile)
temporary_directory
if ! CGO_ENABLED=0 go build -tags "${tags}" -ldflags=-dumpdep -o "${TEMPORARY}/" ./cmd/cluster-version-operator \
	2>"${TEMPORARY}/reached"; then
	tail -n 20 "${TEMPORARY}/reached" >&2
	exit 1
fi
if grep -E -- '-> .*<ReflectMethod>$' "${TEMPORARY}/reached" >&2; then
	echo "ERROR: what is after an arrow calls methods by names that the linker can't know, and what is before it calls that" >&2
	echo "(or has it for a method): do without, by another version of the library or a build tag, TAGS in the Makefile" >&2
	exit 1
fi
