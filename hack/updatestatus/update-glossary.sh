#!/usr/bin/env bash
# Writes the words of the output and their meanings, the comments of the constants, to docs/updatestatus/glossary.md.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

go test ./test/updatestatus/documents -run '^TestGlossary$' -update
