#!/usr/bin/env bash
# Fails if the tables in docs/glossary.md are outdated.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

verify_update hack/update-glossary.sh docs/glossary.md
