#!/usr/bin/env python3
"""Random formulas of every theory: the SMT kernel against Z3.

    fuzz/smt_formulas.py [--count 40000] [--seed 0] [--batch 4000] [--program PATH] [--z3 PATH] [--theory NAME]

The program is the example fuzz_smt of crates/smt (`cargo build -p alphorn-smt --example fuzz_smt`; with
debug assertions every model is evaluated). Each seed is a few questions, one formula more each time.
Different answers are errors; unknown ones are counted. Z3 is the program that `pip install
z3-solver` brings.
"""

import argparse
import subprocess
import sys
import tempfile
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=40000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--batch", type=int, default=4000)
    parser.add_argument("--program", default=ROOT / "target/debug/examples/fuzz_smt")
    parser.add_argument("--theory", help="numbers, arrays, words, data, mixed, or quantifiers; all but the last if none is named")
    parser.add_argument("--z3", default="z3")
    arguments = parser.parse_args()
    counts = {}
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        answers, script = f"{folder}/answers", f"{folder}/script.smt2"
        for first in range(arguments.seed, arguments.seed + arguments.count, arguments.batch):
            with open(script, "wb") as out:
                command = [arguments.program, str(first), str(arguments.batch), answers]
                command += [arguments.theory] if arguments.theory else []
                done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE)
            if done.returncode != 0:
                print(f"the program failed from seed {first} on:", done.stderr.decode()[-2000:])
                wrong += 1
                continue
            theirs = subprocess.run([arguments.z3, script], capture_output=True, text=True)
            theirs = [line for line in theirs.stdout.split("\n") if line]
            ours = [line.split() for line in open(answers)]
            if len(theirs) != len(ours):
                strange = [line for line in theirs if line not in ("sat", "unsat", "unknown")]
                print(f"Z3 gave {len(theirs)} answers instead of {len(ours)}", strange[:3])
                wrong += 1
                continue
            for (seed, number, our), their in zip(ours, theirs):
                counts[our, their] = counts.get((our, their), 0) + 1
                if {our, their} == {"sat", "unsat"}:
                    print(f"seed {seed}, question {number}: we say {our}, Z3 says {their}")
                    wrong += 1
            print(f"from {first}:", {f"{a}/{b}": n for (a, b), n in sorted(counts.items())}, flush=True)
    print(f"{sum(counts.values())} questions, {wrong} errors")
    sys.exit(1 if wrong else 0)


main()
