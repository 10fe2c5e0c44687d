#!/bin/sh
# Builds what a release has, into a folder, with checksums: packages/release.sh [--dry] OUT
# What the machine has no tools for is left out, and said. With --dry nothing is built or written: it says what would be done, and
# ends with 1 if the repository is not ready.
set -eu
dry=
if [ "${1:-}" = --dry ]; then dry=yes; shift; fi
out=${1:?name the folder to write to}
root=$(cd "$(dirname "$0")/.." && pwd)
if [ -z "$dry" ]; then
    mkdir -p "$out"
    out=$(cd "$out" && pwd)
fi
cd "$root"
folder=${CARGO_TARGET_DIR:-$root/target}

step() { # A step, which is only told in dry runs.
    if [ -n "$dry" ]; then echo "would run: $*"; else "$@"; fi
}
part() { # A part that may be left out.
    if [ -n "$dry" ]; then echo "would run: $*"; return; fi
    if "$@"; then :; elif [ $? -eq 77 ]; then echo "left out: $*" >&2; else exit 1; fi
}

ready=yes
not_ready() { echo "not ready: $*" >&2; ready=; [ -n "$dry" ] || exit 1; }
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
grep -q "^## $version" CHANGELOG.md || not_ready "CHANGELOG.md has no part '## $version'"
grep -q "^version = \"$version\"" python/Cargo.toml || not_ready "python/Cargo.toml is not at $version"
[ -z "$(git status --porcelain 2>/dev/null)" ] || not_ready "there are changes that are not committed"
for file in packages/*.sh; do sh -n "$file" || not_ready "$file is no script"; done

musl=$(uname -m)-unknown-linux-musl
features=
if rustup target list --installed 2>/dev/null | grep -q "^$musl\$"; then
    system=$musl
    # The allocator of musl has one lock for all threads. The other one is in C.
    if command -v musl-gcc >/dev/null; then
        features="--features mimalloc"
    else
        echo "there is no musl-gcc (Debian: musl-tools): the static binary has the allocator of musl, which is slower" >&2
    fi
else
    system=$(rustc -vV | sed -n 's/^host: //p')
    echo "the target $musl is not installed: the binaries are not static" >&2
fi
# shellcheck disable=SC2086
step cargo build --release --target "$system" -p alphorn-cli $features
step sh packages/checker.sh "$system"
binary=$folder/$system/release/alphorn
checker=$folder/$system/tiny/alphorn-check

name=alphorn-$version-$system
if [ -n "$dry" ]; then
    echo "would try: both programs on examples/bounded_counter.smt2"
    echo "would write: $out/$name.tar.xz"
else
    # What was built must answer, and its answer must be accepted by the checker that goes with it.
    evidence=$(mktemp)
    "$binary" examples/bounded_counter.smt2 --evidence "$evidence"
    "$checker" examples/bounded_counter.smt2 "$evidence"
    rm -f "$evidence"
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"' EXIT
    mkdir -p "$tree/$name"
    cp "$binary" "$checker" README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$tree/$name/"
    cp -r docs examples "$tree/$name/"
    "$binary" man > "$tree/$name/alphorn.1"
    tar -C "$tree" -cJf "$out/$name.tar.xz" "$name"
fi

part sh packages/debian.sh "$binary" "$checker" "$out/alphorn_$version.deb"
part sh packages/page.sh "$out/alphorn-$version.html"
part sh packages/wheel-binary.sh "$out"
if command -v maturin >/dev/null; then
    step maturin build --release --out "$out"
else
    echo "left out: the Python module (pip install maturin)" >&2
fi
if command -v mdbook >/dev/null; then
    step mdbook build docs -d "$out/site"
else
    echo "left out: the site (cargo install mdbook)" >&2
fi
if [ -n "$dry" ]; then
    [ -n "$ready" ] || exit 1
    exit 0
fi
cd "$out"
sha256sum alphorn* > SHA256SUMS
cat SHA256SUMS
