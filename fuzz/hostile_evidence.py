#!/usr/bin/env python3
"""Hostile evidence for every rule and kind of evidence, in batches under a hard limit on memory.

usage: fuzz/hostile_evidence.py PROGRAM [PIECES [SEED]]

PROGRAM is `hostile`, built by `cargo build --release -p alphorn-check --example hostile`, or, for
evidence about scripts and formulas of clauses, `hostile_scripts`, built likewise from alphorn-driver.
Pieces are spread over its families. Every batch is a process of its own that may not map more than 1 GB; the
program itself holds each piece to a second of processor time and to 256 MB. The exit code is 1 if a
piece was accepted, was too slow or too large, or ended the process.
"""

import re
import resource
import subprocess
import sys

BATCH = 50
MAPPED = 1 << 30


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (MAPPED, MAPPED))


def main():
    program = sys.argv[1]
    pieces = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    judged = refused = metered = faults = slowest = memory = 0
    while judged < pieces:
        run = subprocess.run([program, str(seed), str(BATCH)], preexec_fn=limited,
                             capture_output=True, text=True)
        figures = re.search(r"judged (\d+) refused (\d+) metered (\d+) unreadable \d+ "
                            r"slowest (\d+) .* memory (\d+) KB faults (\d+)", run.stdout)
        if figures is None:
            print(f"seed {seed}: ended with {run.returncode}: {run.stderr[-400:]}", flush=True)
            faults += 1
            judged += BATCH
        else:
            numbers = [int(number) for number in figures.groups()]
            judged += numbers[0]
            refused += numbers[1]
            metered += numbers[2]
            slowest = max(slowest, numbers[3])
            memory = max(memory, numbers[4])
            faults += numbers[5]
            if numbers[5]:
                print(run.stdout, flush=True)
        seed += BATCH
    print(f"{judged} pieces, {refused} refused by the checker ({metered} of them by the meter), "
          f"{judged - refused} by the reader; slowest {slowest / 100:.2f} s of processor time, "
          f"{memory >> 10} MB at most; {faults} faults")
    sys.exit(1 if faults else 0)


main()
