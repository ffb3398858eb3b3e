#!/bin/sh
# Writes the software bill of materials (CycloneDX 1.6, JSON) of an installation:
# packaging/sbom.sh FILE. Needs cyclonedx-bom.
set -eu
cd "$(dirname "$0")/.."
cyclonedx-py requirements requirements/runtime.lock --pyproject pyproject.toml \
    --mc-type application --output-reproducible --spec-version 1.6 --output-format JSON \
    --output-file "$1"
