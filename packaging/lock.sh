#!/bin/sh
# Writes the lists of exact versions from pyproject.toml (needs uv):
#
#   requirements/dev.lock       everything for tests and checks, with hashes, for all platforms
#   requirements/runtime.lock   what an installation needs, with hashes
#   requirements/minimum.txt    the oldest versions that pyproject.toml allows
set -eu
cd "$(dirname "$0")/.."
compile() { uv pip compile --quiet --universal --python-version 3.10 --no-header pyproject.toml "$@"; }
compile --all-extras --generate-hashes --no-annotate --upgrade --output-file requirements/dev.lock
compile --generate-hashes --no-annotate --constraints requirements/dev.lock \
    --output-file requirements/runtime.lock
compile --resolution lowest-direct --no-annotate --output-file requirements/minimum.txt
