#!/bin/sh
# Sets up everything the tests need in .venv-test and runs all checks: style, types, rules, tests.
# The tests of the page drive Chromium where there is one; KBTRIAGE_BROWSER_TESTS=required
# makes its absence an error.
set -eu
cd "$(dirname "$0")"
PYTHON=${PYTHON:-python3}
LOCK=requirements/dev.lock
if [ ! -e .venv-test/installed ] || [ pyproject.toml -nt .venv-test/installed ] \
    || [ "$LOCK" -nt .venv-test/installed ]; then
    "$PYTHON" -m venv .venv-test
    .venv-test/bin/python -m pip install --quiet --disable-pip-version-check \
        --require-hashes --requirement "$LOCK"
    .venv-test/bin/python -m pip install --quiet --disable-pip-version-check \
        --no-deps --editable .
    touch .venv-test/installed
fi
PATH="$PWD/.venv-test/bin:$PATH"
export PATH
ruff check .
mypy
kbtriage rules lint
kbtriage rules test --strict
exec pytest -q "$@"
