#!/bin/sh
# Sets up kbtriage in .venv (once) and runs it: without arguments on a bundled example.
set -eu
cd "$(dirname "$0")"
PYTHON=${PYTHON:-python3}
"$PYTHON" - <<'EOT' || exit 2
import sys
if sys.version_info < (3, 10):
    sys.exit("kbtriage needs Python 3.10 or newer, this is %d.%d; name another one: PYTHON=python3.11 ./try.sh"
             % sys.version_info[:2])
EOT
if [ ! -e .venv/installed ] || [ pyproject.toml -nt .venv/installed ]; then
    echo "setting up .venv (once) ..." >&2
    "$PYTHON" -m venv .venv
    .venv/bin/python -m pip install -qq --no-color --disable-pip-version-check --editable . >&2
    touch .venv/installed
fi
[ $# -gt 0 ] || set -- check examples/exception-on-one-rank
exec .venv/bin/kbtriage "$@"
