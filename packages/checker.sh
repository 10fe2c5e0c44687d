#!/bin/sh
# Builds alphorn-check as small as it gets, and says how large it is: packages/checker.sh [TARGET]
#
# A panic aborts in this profile, so that tables for unwinding are of no use; they are half a megabyte otherwise.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${CARGO_TARGET_DIR:-$root/target}
target=${1:-$(rustc -vV | sed -n 's/^host: //p')}
RUSTFLAGS="${RUSTFLAGS:-} -C force-unwind-tables=no" \
    cargo build --manifest-path "$root/Cargo.toml" --profile tiny --target "$target" -p alphorn-audit
ls -l "$folder/$target/tiny/alphorn-check"
