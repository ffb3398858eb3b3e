#!/bin/sh
# Packs everything that a machine without a network needs: wheels of kbtriage and of its
# dependencies for x86-64 and aarch64 and for each Python, with a script that installs them.
#
#   packaging/bundle.sh [FOLDER]      writes FOLDER/kbtriage-VERSION-offline.tar.gz (default: dist)
#
# PYTHONS, ARCHES and PYTHON (the interpreter that builds) can be set, for a smaller bundle.
set -eu
cd "$(dirname "$0")/.."
OUT=${1:-dist}
PYTHON=${PYTHON:-python3}
PYTHONS=${PYTHONS:-3.10 3.11 3.12 3.13}
ARCHES=${ARCHES:-x86_64 aarch64}
mkdir -p "$OUT"
OUT=$(cd "$OUT" && pwd)
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 1767225600)}"
"$PYTHON" -m pip wheel --quiet --no-deps --wheel-dir "$WORK/own" .
WHEEL=$(ls "$WORK"/own/kbtriage-*.whl)
VERSION=$(basename "$WHEEL" | cut -d- -f2)
NAME="kbtriage-$VERSION-offline"
ROOT="$WORK/$NAME"
mkdir -p "$ROOT/wheels"
cp "$WHEEL" "$ROOT/wheels/"
cp packaging/install.sh README.md README.zh.md LICENSE "$ROOT/"
chmod +x "$ROOT/install.sh"
for arch in $ARCHES; do
    for version in $PYTHONS; do
        # 2_28 and what it can run: glibc of 2018, older than any that CANN 8 supports.
        "$PYTHON" -m pip download --quiet --only-binary :all: --dest "$ROOT/wheels" \
            --python-version "$version" --implementation cp \
            --platform "manylinux_2_28_$arch" --platform "manylinux_2_27_$arch" \
            --platform "manylinux_2_17_$arch" --platform "manylinux2014_$arch" "$WHEEL"
    done
done
(cd "$ROOT" && sha256sum wheels/*.whl install.sh > SHA256SUMS)
tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    -C "$WORK" -cf - "$NAME" | gzip -n > "$OUT/$NAME.tar.gz"
echo "$OUT/$NAME.tar.gz"
