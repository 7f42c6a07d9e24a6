#!/usr/bin/env bash
# Builds bin/browser, which opens pages in a browser for the tests of the report, from the module test/updatestatus/browser.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

cd test/updatestatus/browser
go build -mod=readonly -buildvcs=false -o "${ROOT}/bin/browser" .
