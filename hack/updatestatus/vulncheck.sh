#!/usr/bin/env bash
# Checks the binaries for known vulnerabilities, in the Go vulnerability database or a copy of it: vulncheck.sh [URL]. Where
# that can't be reached it checks nothing, and prints so.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

database=${1:-https://vuln.go.dev}
if ! curl --fail --silent --show-error --max-time 20 --output /dev/null "${database}/index/db.json"; then
	echo "SKIPPED: the vulnerability database ${database} can't be reached"
	exit 0
fi
go run golang.org/x/vuln/cmd/govulncheck@v1.1.4 -db "${database}" ./cmd/...
