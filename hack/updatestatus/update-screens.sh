#!/usr/bin/env bash
# Writes the screens of README.md, those of a watch at some moments of played updates.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

go run ./test/updatestatus/report -screens README.md
