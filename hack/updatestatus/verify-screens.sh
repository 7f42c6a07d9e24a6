#!/usr/bin/env bash
# Fails if the screens of README.md are outdated.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

verify_update hack/updatestatus/update-screens.sh README.md
