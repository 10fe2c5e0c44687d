#!/usr/bin/env python3
"""Random questions about divisions by unknowns and by zero, terms that are free, and trees under quantifiers, against Z3.

    fuzz/random_divisions.py [--count 2000] [--seed 0] [--kind divisions|free|trees] [--alphorn "PATH smt --time 1s"] [--keep DIR]

Each seed is a script of one question. Divisions: comparisons of small polynomials, quotients and remainders of three
integers or reals, some by the constant zero. Free: words of 4 bits, an array and a function, with most symbols used once. Trees: one or two universal
or existential formulas about lists and pairs, with selectors and testers. Z3 (`pip install z3-solver`) has a second for each; where it differs
cvc5 is asked if it is there. Different answers, refused answers and faults are errors, and their scripts are kept.
"""

import argparse
import os
import random
import shlex
import subprocess
import sys
import tempfile

import z3

from harness import by_cvc5


def number(rng, names, depth, is_real):
    choice = rng.random()
    literal = rng.randint(-3, 3)
    if depth == 0 or choice < 0.3:
        if rng.random() < 0.3:
            text = str(abs(literal)) + (".0" if is_real else "")
            return text if literal >= 0 else f"(- {text})"
        return rng.choice(names)
    args = " ".join(number(rng, names, depth - 1, is_real) for _ in range(2))
    ops = ["+", "-", "*", "/", "/"] if is_real else ["+", "-", "*", "div", "mod", "div", "mod"]
    return f"({rng.choice(ops)} {args})"


def divisions(rng):
    is_real = rng.random() < 0.3
    names = list("xyz")
    sort = "Real" if is_real else "Int"
    lines = [f"(declare-const {name} {sort})" for name in names]
    for name in names:
        if rng.random() < 0.6:
            low = rng.randint(-4, 1)
            wrap = lambda n: (f"(- {-n})" if n < 0 else str(n)) if not is_real else (f"(- {-n}.0)" if n < 0 else f"{n}.0")
            lines.append(f"(assert (<= {wrap(low)} {name} {wrap(low + rng.randint(0, 6))}))")
    for _ in range(rng.randint(1, 3)):
        op = rng.choice(["<", "<=", "=", "distinct"])
        atom = f"({op} {number(rng, names, 2, is_real)} {number(rng, names, rng.randint(0, 2), is_real)})"
        if rng.random() < 0.3:
            atom = f"(or {atom} (= {rng.choice(names)} {rng.choice(names)}))"
        lines.append(f"(assert {atom})")
    return "\n".join(lines)


def free(rng):
    lines, unused = [], []
    for place in range(8):
        lines.append(f"(declare-const b{place} (_ BitVec 4))")
        unused.append(f"b{place}")
    lines.append("(declare-const m (Array (_ BitVec 4) (_ BitVec 4)))(declare-fun g ((_ BitVec 4)) (_ BitVec 4))(declare-const p Bool)")
    rng.shuffle(unused)
    shared = [unused.pop(), unused.pop()]

    def term(depth):
        if depth == 0:
            if unused and rng.random() < 0.6:
                return unused.pop()
            return rng.choice(shared) if rng.random() < 0.8 else f"#x{rng.randint(0, 15):x}"
        op = rng.choice(
            ["bvadd", "bvsub", "bvmul", "bvudiv", "bvurem", "bvxor", "bvand", "bvshl", "bvlshr", "bvnot", "bvneg", "select", "g", "ite", "cut"]
        )
        if op in ("bvnot", "bvneg"):
            return f"({op} {term(depth - 1)})"
        if op == "select":
            return f"(select m {term(depth - 1)})"
        if op == "g":
            return f"(g {term(depth - 1)})"
        if op == "ite":
            return f"(ite {atom(depth - 1)} {term(depth - 1)} {term(depth - 1)})"
        if op == "cut":
            return f"(concat ((_ extract 2 1) {term(depth - 1)}) ((_ extract 3 2) {term(depth - 1)}))"
        return f"({op} {term(depth - 1)} {term(depth - 1)})"

    def atom(depth):
        if rng.random() < 0.15:
            return "p"
        op = rng.choice(["=", "=", "distinct", "bvult", "bvule", "bvslt"])
        return f"({op} {term(depth)} {term(max(depth - 1, 0))})"

    for _ in range(rng.randint(1, 3)):
        text = atom(rng.randint(1, 3))
        if rng.random() < 0.3:
            text = f"(or (not {text}) {atom(1)})"
        lines.append(f"(assert {text})")
    return "\n".join(lines)


def trees(rng):
    lines = [
        "(declare-datatypes ((L 0) (P 0)) (((nil) (cons (head Int) (tail L))) ((pair (fst Int) (snd Bool)))))",
        "(declare-const k L)(declare-const l L)(declare-const n Int)(declare-const q P)(declare-const c Bool)",
    ]

    def tree(vars_, depth):
        pick = rng.random()
        if depth == 0 or pick < 0.4:
            return rng.choice([*vars_, "k", "l"] if rng.random() < 0.8 else ["nil"])
        if pick < 0.8:
            return f"(tail {tree(vars_, depth - 1)})"
        return f"(cons {number_of(vars_, depth - 1)} {tree(vars_, depth - 1)})"

    def number_of(vars_, depth):
        pick = rng.random()
        if pick < 0.6:
            return f"(head {tree(vars_, depth)})"
        return rng.choice(["n", "(+ n 1)", "0", "(fst q)"])

    def literal(vars_):
        pick = rng.random()
        if pick < 0.35:
            return f"({rng.choice(['=', 'distinct'])} {tree(vars_, 2)} {tree(vars_, 1)})"
        if pick < 0.7:
            return f"({rng.choice(['<', '<=', '=', 'distinct'])} {number_of(vars_, 1)} {number_of(vars_, 1)})"
        if pick < 0.9:
            return f"((_ is {rng.choice(['nil', 'cons'])}) {tree(vars_, 1)})"
        return "(snd q)"

    for _ in range(rng.randint(1, 3)):
        count = rng.randint(0, 2)
        vars_ = ["y", "z"][:count]
        literals = " ".join(rng.choice(["{}", "(not {})"]).format(literal(vars_)) for _ in range(rng.randint(1, 3)))
        body = f"({rng.choice(['or', 'or', 'and'])} {literals} {rng.choice(['false', 'c', '(not c)'])})"
        if count:
            bound = " ".join(f"({name} L)" for name in vars_)
            body = f"({rng.choice(['forall', 'forall', 'exists'])} ({bound}) {body})"
        lines.append(f"(assert {body})")
    return "\n".join(lines)


KINDS = {"divisions": divisions, "free": free, "trees": trees}


def by_z3(text):
    solver = z3.Solver()
    solver.set("timeout", 1000)
    solver.from_string(text)
    return str(solver.check())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--alphorn", default="target/release/alphorn smt --time 1s")
    parser.add_argument("--keep", default="fuzz/failures")
    args = parser.parse_args()
    kinds = args.kind or list(KINDS)
    counts, errors = {}, 0
    for seed in range(args.seed, args.seed + args.count):
        kind = kinds[seed % len(kinds)]
        text = "(set-logic ALL)\n" + KINDS[kind](random.Random(seed)) + "\n(check-sat)\n"
        with tempfile.NamedTemporaryFile("w", suffix=".smt2") as file:
            file.write(text)
            file.flush()
            try:
                run = subprocess.run([*shlex.split(args.alphorn), file.name], capture_output=True, text=True, timeout=2)
                own, noise = run.stdout.strip(), run.stderr.strip()
            except subprocess.TimeoutExpired:
                own, noise = "unknown", ""
        other = by_z3(text)
        if {own, other} == {"sat", "unsat"} and by_cvc5(text) == own:
            other = "otherwise"
        counts[kind, own, other] = counts.get((kind, own, other), 0) + 1
        is_refused = "refused" in noise or "panicked" in noise
        if own not in ("sat", "unsat", "unknown") or is_refused or {own, other} == {"sat", "unsat"}:
            errors += 1
            os.makedirs(args.keep, exist_ok=True)
            with open(f"{args.keep}/divisions_{seed}.smt2", "w") as file:
                file.write(text)
            print(f"seed {seed}: alphorn {own!r}, Z3 {other!r}; {noise[:200]}", flush=True)
    for (kind, own, other), count in sorted(counts.items()):
        print(f"{kind:9} alphorn {own:8} Z3 {other:9} {count}")
    print(f"{errors} errors")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
