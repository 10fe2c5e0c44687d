#!/bin/sh
# Makes a Debian package of binaries: packages/debian.sh ALPHORN ALPHORN-CHECK OUT.deb
set -eu
binary=${1:?name the binary alphorn}
checker=${2:?name the binary alphorn-check}
out=${3:?name the package to write}
root=$(cd "$(dirname "$0")/.." && pwd)
if ! command -v dpkg-deb >/dev/null; then
    echo "skipped: there is no dpkg-deb" >&2
    exit 77
fi
version=$("$binary" --version | sed 's/^[^ ]* //; s/[^0-9.].*$//')
tree=$(mktemp -d)
chmod 755 "$tree"
trap 'rm -rf "$tree"' EXIT
bin=$tree/usr/bin
doc=$tree/usr/share/doc/alphorn
mkdir -p "$bin" "$doc" "$tree/DEBIAN" "$tree/usr/share/man/man1" \
    "$tree/usr/share/bash-completion/completions" "$tree/usr/share/zsh/vendor-completions" \
    "$tree/usr/share/fish/vendor_completions.d"
install -m 755 "$binary" "$bin/alphorn"
install -m 755 "$checker" "$bin/alphorn-check"
# The names under which other tools call it.
for name in eld golem z3 smt sby horn hwmcc svcomp termcomp; do
    ln -s alphorn "$bin/alphorn-$name"
done
"$binary" man | gzip -9n > "$tree/usr/share/man/man1/alphorn.1.gz"
"$binary" completions bash > "$tree/usr/share/bash-completion/completions/alphorn"
"$binary" completions zsh > "$tree/usr/share/zsh/vendor-completions/_alphorn"
"$binary" completions fish > "$tree/usr/share/fish/vendor_completions.d/alphorn.fish"
install -m 644 "$root/README.md" "$doc/README.md"
gzip -9nc "$root/CHANGELOG.md" > "$doc/changelog.gz"
cat "$root/LICENSE-MIT" "$root/LICENSE-APACHE" > "$doc/copyright"
# A static binary depends on nothing.
depends=
if ldd "$binary" >/dev/null 2>&1; then depends="Depends: libc6"; fi
{
    echo "Package: alphorn"
    echo "Version: $version"
    echo "Architecture: $(dpkg --print-architecture)"
    echo "Maintainer: The Alphorn developers <alphorn@localhost>"
    echo "Section: science"
    echo "Priority: optional"
    echo "Installed-Size: $(du -sk "$tree/usr" | cut -f1)"
    if [ -n "$depends" ]; then echo "$depends"; fi
    echo "Description: verification of Horn clauses, circuits and programs"
    echo " Alphorn decides whether systems are safe, answers with an invariant or a"
    echo " counterexample, and proves every answer to a checker that cannot search,"
    echo " which is also there by itself as alphorn-check."
} > "$tree/DEBIAN/control"
dpkg-deb --root-owner-group -Zxz --build "$tree" "$out"
