#!/usr/bin/env python3
"""Asks z3 whether it agrees with our evaluation of random ground terms.

Each line of `ground_terms` claims that a term has another value than the one we computed, so the
disjunction of many lines must be unsatisfiable. A batch that is not is split until single lines are
left, and those are printed: z3's opinion differs from ours, or z3 gave up.

Run by hand, from the root of the project (needs `pip install z3-solver`):

    python3 fuzz/term_semantics.py [COUNT] [SEED]
"""

import subprocess
import sys

import z3

BATCH = 64
MILLISECONDS = 10_000
# How z3 spells what SMT-LIB 2.7 spells otherwise; empty where it knows the standard's names.
SPELLINGS = {}


def spell(line):
    for standard, own in SPELLINGS.items():
        line = line.replace(standard, own)
    return line


def answer(declarations, formulas):
    """z3's answer to the disjunction of the formulas."""
    body = formulas[0] if len(formulas) == 1 else "(or %s)" % " ".join(formulas)
    solver = z3.Solver()
    solver.set("timeout", MILLISECONDS)
    try:
        solver.from_string("%s\n(assert %s)\n" % (declarations, body))
    except z3.Z3Exception as error:
        return "error: %s" % error
    return str(solver.check())


def disagreements(declarations, formulas):
    """The formulas that are not unsatisfiable, with the answers."""
    said = answer(declarations, formulas)
    if said == "unsat":
        return
    if len(formulas) == 1:
        yield said, formulas[0]
        return
    half = len(formulas) // 2
    yield from disagreements(declarations, formulas[:half])
    yield from disagreements(declarations, formulas[half:])


def main():
    count = sys.argv[1] if len(sys.argv) > 1 else "50000"
    seed = sys.argv[2] if len(sys.argv) > 2 else "0"
    command = ["cargo", "run", "--release", "-q", "-p", "alphorn-term", "--example", "ground_terms"]
    text = subprocess.run(command + ["--", count, seed], stdout=subprocess.PIPE, check=True).stdout
    lines = [spell(line) for line in text.decode().splitlines()]
    declarations = "\n".join(line for line in lines if not line.startswith("(assert "))
    formulas = [line[len("(assert "):-1] for line in lines if line.startswith("(assert ")]
    found = 0
    for start in range(0, len(formulas), BATCH):
        for said, formula in disagreements(declarations, formulas[start:start + BATCH]):
            found += 1
            print("%s: %s" % (said, formula), flush=True)
        if start % (BATCH * 100) == 0:
            print("%d of %d terms" % (start, len(formulas)), file=sys.stderr, flush=True)
    print("%d terms, %d not confirmed" % (len(formulas), found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
