#!/bin/sh
# Makes the wheel with the static command: packages/wheel-binary.sh [OUT]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
out=${1:-$root/target/wheels}
target=$(uname -m)-unknown-linux-musl
command -v maturin >/dev/null || { echo "skipped: there is no maturin (pip install maturin)" >&2; exit 77; }
if ! rustup target list --installed 2>/dev/null | grep -q "^$target\$"; then
    echo "skipped: the target $target is not installed (rustup target add $target)" >&2
    exit 77
fi
# Static, it runs wherever Linux does: the wheel says so for both kinds of C libraries.
# The allocator of musl has one lock for all threads. The other one is in C.
features=
if command -v musl-gcc >/dev/null; then features="--features mimalloc"; fi
cd "$root/packages/wheel"
# shellcheck disable=SC2086
maturin build --release --target "$target" --compatibility musllinux_1_2 manylinux_2_17 --out "$out" $features
