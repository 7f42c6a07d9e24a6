#!/usr/bin/env bash
# Generates docs/updatestatus/api.md from the types of the UpdateStatus API.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

build_tools github.com/elastic/crd-ref-docs
temporary_directory
# A status is deeper than the tool looks by default, and a type that it does not reach has no section.
"${TOOLS}/crd-ref-docs" --source-path=pkg/apis/update --config=hack/updatestatus/api-docs.yaml --renderer=markdown --log-level=ERROR --max-depth=32 \
	--output-path="${TEMPORARY}/api.md"
{
	echo "<!-- Generated from the comments in pkg/apis/update/v1alpha1 by hack/updatestatus/update-api-docs.sh. -->"
	echo
	# Without the empty lines of the templates.
	cat --squeeze-blank "${TEMPORARY}/api.md"
} >docs/updatestatus/api.md
