#!/bin/sh
# The Python module as a user gets it: installed by pip into an environment of its own, and tested there.
# Ends with 77 where there is no Python or no way to install maturin.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
command -v python3 >/dev/null || { echo "skipped: there is no python3"; exit 77; }
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/env" || { echo "skipped: there is no venv"; exit 77; }
"$place/env/bin/pip" install -q maturin || { echo "skipped: maturin cannot be installed"; exit 77; }
"$place/env/bin/pip" install -q pytest z3-solver pysmt || "$place/env/bin/pip" install -q pytest
"$place/env/bin/pip" install "$root"
"$place/env/bin/alphorn" "$root/examples/bounded_counter.smt2"
"$place/env/bin/python" -m pytest "$root/python/tests"
