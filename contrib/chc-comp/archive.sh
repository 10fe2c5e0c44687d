#!/bin/sh
# Packs what competitions download: ./archive.sh ALPHORN makes alphorn.tar.gz in the current folder.
set -eu
alphorn=$(realpath "$1")
root=$(realpath "$(dirname "$0")/../..")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/alphorn"
cp "$alphorn" "$folder/alphorn/alphorn"
for name in horn hwmcc; do ln -s alphorn "$folder/alphorn/alphorn-$name"; done
cat "$root/LICENSE-MIT" "$root/LICENSE-APACHE" > "$folder/alphorn/LICENSE"
said=$("$folder/alphorn/alphorn-horn" -q --model --time 20s "$root/examples/bounded_counter.smt2")
[ "$(echo "$said" | head -n 1)" = sat ] || { echo "the program said: $said"; exit 1; }
said=$("$folder/alphorn/alphorn-hwmcc" "$root/examples/toggle.aag" "$folder/witness" "$folder/certificate") && code=0 || code=$?
[ "$said $code" = "sat 10" ] || { echo "the program said: $said ($code)"; exit 1; }
[ "$(head -n 1 "$folder/witness")" = 1 ] || { echo "there is no witness"; exit 1; }
tar -czf alphorn.tar.gz -C "$folder" alphorn
echo "wrote alphorn.tar.gz: $(wc -c < alphorn.tar.gz) bytes"
