#!/usr/bin/env bash
# Fails if the picture of README.md is of another report than would be made now. That needs no browser.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

temporary_directory
go run ./test/updatestatus/report "${TEMPORARY}" blocked
if [[ $(sha256sum <"${TEMPORARY}/blocked.html" | cut -d ' ' -f 1) != "$(<docs/updatestatus/report.sha256)" ]]; then
	echo "ERROR: docs/updatestatus/report.png is outdated: run hack/updatestatus/update-picture.sh and commit the result" >&2
	exit 1
fi
