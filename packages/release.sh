#!/bin/sh
# Builds what a release has, into a folder, with checksums: packages/release.sh OUT
# What the machine has no tools for is left out, and said.
set -eu
out=${1:?name the folder to write to}
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$root"
folder=${CARGO_TARGET_DIR:-$root/target}

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
grep -q "^## $version" CHANGELOG.md || { echo "CHANGELOG.md says nothing about $version" >&2; exit 1; }

musl=$(uname -m)-unknown-linux-musl
if rustup target list --installed 2>/dev/null | grep -q "^$musl\$"; then
    system=$musl
else
    system=$(rustc -vV | sed -n 's/^host: //p')
    echo "the target $musl is not installed: the binaries are not static" >&2
fi
cargo build --release --target "$system" -p alphorn-cli
sh packages/checker.sh "$system"
binary=$folder/$system/release/alphorn
checker=$folder/$system/tiny/alphorn-check

# What was built must answer, and its answer must be accepted by the checker that goes with it.
evidence=$(mktemp)
"$binary" examples/bounded_counter.smt2 --evidence "$evidence"
"$checker" examples/bounded_counter.smt2 "$evidence"
rm -f "$evidence"

name=alphorn-$version-$system
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/$name"
cp "$binary" "$checker" README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$tree/$name/"
cp -r docs examples "$tree/$name/"
"$binary" man > "$tree/$name/alphorn.1"
tar -C "$tree" -cJf "$out/$name.tar.xz" "$name"

part() { # A part that may be left out.
    if "$@"; then :; elif [ $? -eq 77 ]; then echo "left out: $*" >&2; else exit 1; fi
}
part sh packages/debian.sh "$binary" "$checker" "$out/alphorn_$version.deb"
part sh packages/page.sh "$out/alphorn-$version.html"
part sh packages/wheel-binary.sh "$out"
if command -v maturin >/dev/null; then
    maturin build --release -m python/Cargo.toml --out "$out"
else
    echo "left out: the Python module (pip install maturin)" >&2
fi
cd "$out"
sha256sum alphorn* > SHA256SUMS
cat SHA256SUMS
