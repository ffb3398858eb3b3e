#!/bin/sh
# Installs kbtriage from this folder, without a network.
#
#   ./install.sh [FOLDER]      a virtual environment (default: ~/.local/share/kbtriage)
#
# PYTHON chooses the interpreter (3.10 or newer); the first fitting one is taken else.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd)
TARGET=${1:-$HOME/.local/share/kbtriage}

fits() {
    "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null
}
if [ -z "${PYTHON:-}" ]; then
    for name in python3 python3.13 python3.12 python3.11 python3.10; do
        if fits "$name"; then PYTHON=$name; break; fi
    done
fi
if [ -z "${PYTHON:-}" ] || ! fits "$PYTHON"; then
    echo "install.sh: Python 3.10 or newer with the venv module is needed;" \
         "name it: PYTHON=/path/to/python3.11 ./install.sh" >&2
    exit 2
fi
(cd "$HERE" && sha256sum --check --quiet SHA256SUMS) || {
    echo "install.sh: a file of this bundle is damaged; copy the bundle again" >&2
    exit 2
}
"$PYTHON" -m venv "$TARGET"
"$TARGET/bin/python" -m pip install --quiet --disable-pip-version-check --no-index \
    --find-links "$HERE/wheels" kbtriage
"$TARGET/bin/kbtriage" --version
echo "installed; run $TARGET/bin/kbtriage, or put $TARGET/bin into PATH"
