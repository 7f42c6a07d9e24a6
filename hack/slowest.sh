#!/usr/bin/env bash
# Prints the ten slowest tests of those that hack/test.sh has run, with their times.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

build_tools gotest.tools/gotestsum
echo "The slowest tests:"
cat bin/test/*.json | "${TOOLS}/gotestsum" tool slowest --threshold 1s --num 10
