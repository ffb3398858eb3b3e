#!/bin/sh
# Sets up everything the tests need in .venv-test and runs all checks: style, types, tests.
set -eu
cd "$(dirname "$0")"
PYTHON=${PYTHON:-python3}
if [ ! -e .venv-test/installed ] || [ pyproject.toml -nt .venv-test/installed ]; then
    "$PYTHON" -m venv .venv-test
    .venv-test/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
    touch .venv-test/installed
fi
PATH="$PWD/.venv-test/bin:$PATH"
export PATH
ruff check .
mypy
kbtriage rules lint
kbtriage rules test
exec pytest -q "$@"
