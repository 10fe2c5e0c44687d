#!/bin/sh
# Builds alphorn-check as small as it gets, and says how large it is: packages/checker.sh [TARGET]
# Ends with 1 if it has more than 4 MB on the target that is trimmed below, or if its crates reach one that searches.
#
# A panic aborts in this profile, so that tables for unwinding are of no use; they are half a megabyte otherwise. The compiler leaves them out
# where it can, and the linker the rest: lld, which is the linker of this one target. There it also folds functions that are the same.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${CARGO_TARGET_DIR:-$root/target}
target=${1:-$(rustc -vV | sed -n 's/^host: //p')}
solvers=$(cargo tree --manifest-path "$root/Cargo.toml" -p alphorn-audit -e normal --prefix none |
    grep -E '^alphorn-(sat|smt|script|horn|chc|flow|hw|cross|driver) ' || true)
if [ -n "$solvers" ]; then
    echo "the checker depends on what searches: $solvers" >&2
    exit 1
fi
set --
if [ "$target" = x86_64-unknown-linux-gnu ]; then
    set -- -C "link-arg=-Wl,-T,$root/packages/no-unwind.ld" -C link-arg=-Wl,--no-eh-frame-hdr -C link-arg=-Wl,--icf=all
fi
RUSTFLAGS="${RUSTFLAGS:-} -C force-unwind-tables=no" \
    cargo rustc --manifest-path "$root/Cargo.toml" --profile tiny --target "$target" -p alphorn-audit --bin alphorn-check -- "$@"
binary=$folder/$target/tiny/alphorn-check
ls -l "$binary"
if [ "$target" = x86_64-unknown-linux-gnu ] && [ "$(wc -c < "$binary")" -gt 4000000 ]; then
    echo "that is more than 4 MB" >&2
    exit 1
fi
