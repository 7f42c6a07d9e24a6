#!/usr/bin/env bash
# Fails if the tables in docs/updatestatus/glossary.md are outdated.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

verify_update hack/updatestatus/update-glossary.sh docs/updatestatus/glossary.md
