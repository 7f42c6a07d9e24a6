#!/usr/bin/env bash
# Makes the picture of a report in README.md, docs/updatestatus/report.png, with Chromium. Does nothing if it is of the same report already:
# docs/updatestatus/report.sha256 is the hash of the HTML that it was made from.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

temporary_directory
go run ./test/updatestatus/report "${TEMPORARY}" blocked
hash=$(sha256sum <"${TEMPORARY}/blocked.html" | cut -d ' ' -f 1)
if [[ -e docs/updatestatus/report.png && $(<docs/updatestatus/report.sha256) == "${hash}" ]]; then
	exit 0
fi
CHROMIUM=$(command -v chromium || command -v google-chrome) || {
	echo "ERROR: the report has changed, and a picture of it needs chromium: install it" >&2
	exit 1
}
export CHROMIUM
hack/updatestatus/build-browser.sh
bin/browser >"${TEMPORARY}/found" <<END
[{"file": "${TEMPORARY}/blocked.html", "width": 1334, "height": 1650, "scale": 0.75, "screenshot": "${ROOT}/docs/updatestatus/report.png", "clip": true}]
END
echo "${hash}" >docs/updatestatus/report.sha256
