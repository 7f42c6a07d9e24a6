#!/usr/bin/env bash
# Vets and tests a module of this repository that has its own go.mod: test-module.sh DIR.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

cd "$1"
go vet -mod=readonly ./...
# Not from the cache, which does not know the files that a test reads outside of its module.
go test -mod=readonly -shuffle=on -count=1 ./...
