#!/usr/bin/env python3
"""Random thin integer problems, or products of few unknowns: alphorn smt against Z3.

    fuzz/thin_integers.py [--count 1000] [--seed 0] [--alphorn PATH] [--set NAME=VALUE]... [--keep DIR] [--products]

Each problem has two to five unknowns, and forms with coefficients of up to nine digits between near bounds, some
under conditionals: few or no integer points in bodies that are long in every unknown. With --products there are comparisons of
polynomials of two or three unknowns, integers or reals, with sums and products in every order, and small numbers. Answers are compared with those of
Z3 (`pip install z3-solver`), which has two seconds; alphorn has two as well, and checks its own answers as always. Different
answers, refused answers and faults are errors, and their scripts are kept.
"""

import argparse
import os
import random
import subprocess
import sys

import z3


def form(rng, names, size):
    factors = [rng.randint(-size, size) for _ in names]
    if rng.random() < 0.5:
        # Nearly parallel to another.
        base = [rng.randint(1, 999) for _ in names]
        by = max(1, size // 1000)
        factors = [f * by + rng.randint(-2, 2) for f in base]
        factors[0] = -factors[0]
    parts = [f"(* {f if f >= 0 else f'(- {-f})'} {n})" for f, n in zip(factors, names)]
    return f"(+ {' '.join(parts)} 0)"


def script(rng):
    names = ["x", "y", "z", "u", "v"][: rng.randint(2, 5)]
    size = 10 ** rng.randint(1, 9)
    lines = [f"(declare-const {n} Int)" for n in names]
    for _ in range(rng.randint(2, 4)):
        low = rng.randint(-size, size)
        high = low + rng.randint(0, max(1, size // 10 ** rng.randint(0, 3)))
        row = form(rng, names, size)
        if rng.random() < 0.3:
            row = f"(ite (< {names[0]} {names[1]}) {row} {form(rng, names, size)})"
        low = str(low) if low >= 0 else f"(- {-low})"
        high = str(high) if high >= 0 else f"(- {-high})"
        lines.append(f"(assert (<= {low} {row} {high}))")
    if rng.random() < 0.5:
        lines += [f"(assert (<= (- {size}) {n} {size}))" for n in names]
    return "\n".join(lines) + "\n(check-sat)\n"


def polynomial(rng, names, depth):
    if depth == 0 or rng.random() < 0.2:
        number = rng.randint(-5, 5)
        return rng.choice(names + [str(number) if number >= 0 else f"(- {-number})"])
    op = rng.choice(["*", "*", "+", "-"])
    parts = [polynomial(rng, names, depth - 1) for _ in range(rng.randint(2, 3))]
    return f"({op} {' '.join(parts)})"


def products(rng):
    names = ["x", "y", "z"][: rng.randint(2, 3)]
    sort = rng.choice(["Int", "Int", "Real"])
    lines = [f"(declare-const {n} {sort})" for n in names]
    for _ in range(rng.randint(1, 4)):
        sides = [polynomial(rng, names, rng.randint(1, 3)) for _ in range(2)]
        relation = rng.choice(["=", "<", "<=", "distinct"])
        lines.append(f"(assert ({relation} {' '.join(sides)}))")
    return "\n".join(lines) + "\n(check-sat)\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--alphorn", default="target/release/alphorn")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--keep", default="fuzz/failures")
    parser.add_argument("--products", action="store_true")
    args = parser.parse_args()
    settings = [word for one in args.set for word in ("--set", one)]
    counts, errors = {}, 0
    for seed in range(args.seed, args.seed + args.count):
        text = (products if args.products else script)(random.Random(seed))
        command = [args.alphorn, "smt", "--time", "2s", *settings]
        run = subprocess.run(command, input=text, capture_output=True, text=True)
        own = run.stdout.split("\n")[0].strip()
        solver = z3.Solver()
        solver.set("timeout", 2000)
        solver.from_string(text)
        other = str(solver.check())
        counts[own, other] = counts.get((own, other), 0) + 1
        if own not in ("sat", "unsat", "unknown") or {own, other} == {"sat", "unsat"}:
            errors += 1
            os.makedirs(args.keep, exist_ok=True)
            with open(f"{args.keep}/thin_{seed}.smt2", "w") as file:
                file.write(text)
            print(f"seed {seed}: alphorn {own!r}, Z3 {other!r}; {run.stderr.strip()[:200]}")
    for (own, other), count in sorted(counts.items()):
        print(f"alphorn {own:8} Z3 {other:8} {count}")
    print(f"{errors} errors")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
