#!/bin/sh
# Makes the page for browsers: packages/page.sh FILE.html
set -eu
out=${1:?name the file to write}
root=$(cd "$(dirname "$0")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
if ! rustup target list --installed 2>/dev/null | grep -q '^wasm32-wasip1$'; then
    echo "skipped: the target wasm32-wasip1 is not installed (rustup target add wasm32-wasip1)" >&2
    exit 77
fi
cargo build --manifest-path "$root/Cargo.toml" --profile small --target wasm32-wasip1 -p alphorn-web
cargo run --manifest-path "$root/Cargo.toml" --release -p alphorn-web -- \
    page "$target/wasm32-wasip1/small/alphorn-web.wasm" "$out"
ls -l "$out"
