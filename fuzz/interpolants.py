#!/usr/bin/env python3
"""Random interpolation problems of every shape: implications judged by Z3.

    fuzz/interpolants.py PROGRAM [--count 3000] [--seed 0] [--z3 PATH]

PROGRAM is the test `interpolate` of crates/smt (`cargo test -p alphorn-smt --test interpolate --no-run`
prints its path). It makes COUNT problems of each kind, checks symbols, refutes every implication that an
interpolant must satisfy and replays the refutations; here Z3 is asked about each of them again.
Anything but unsat is an error, except that Z3 may not know.
"""

import argparse
import os
import subprocess
import sys
import tempfile

KINDS = [
    "booleans", "reals", "integers", "integer_operators", "mixed_numbers", "functions",
    "functions_of_numbers", "products", "words", "functions_of_words", "datatypes",
    "datatypes_with_functions", "disjunctive_interpolants", "interpolants_of_dags",
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--z3", default="z3")
    parser.add_argument("--kinds", nargs="*", default=KINDS)
    arguments = parser.parse_args()
    errors = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind in arguments.kinds:
            script = f"{folder}/{kind}.smt2"
            environment = dict(
                os.environ, ALPHORN_SCRIPT=script, ALPHORN_SEED=str(arguments.seed),
                ALPHORN_SEEDS=str(arguments.count),
            )
            done = subprocess.run(
                [arguments.program, "--exact", kind], env=environment, capture_output=True, text=True
            )
            if done.returncode != 0 or not os.path.exists(script):
                print(f"{kind}: the program failed", done.stdout[-2000:], done.stderr[-500:])
                errors += 1
                continue
            judged = subprocess.run([arguments.z3, script], capture_output=True, text=True)
            answers = judged.stdout.split()
            counts = {word: answers.count(word) for word in sorted(set(answers))}
            print(f"{kind}: {counts}", flush=True)
            errors += sum(n for word, n in counts.items() if word not in ("unsat", "unknown", "timeout"))
    print(f"{errors} errors")
    sys.exit(1 if errors else 0)


main()
