#!/usr/bin/env bash
# Vets and tests a module of this repository that has its own go.mod: test-module.sh DIR.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

cd "$1"
go vet -mod=readonly ./...
go test -mod=readonly -shuffle=on ./...
