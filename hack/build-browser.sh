#!/usr/bin/env bash
# Builds bin/browser, which opens pages in a browser for the tests of the report, from the module test/browser.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

cd test/browser
go build -mod=readonly -buildvcs=false -o "${ROOT}/bin/browser" .
