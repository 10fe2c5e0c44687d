#!/usr/bin/env python3
"""Random questions about sums and products of words: `alphorn smt` against Z3.

    fuzz/random_products.py [--count 100] [--seed 0] [--batch 200] [--widest 6] [--plain] [--alphorn PATH] [--z3 PATH] [--time 30]

Each file has `--batch` questions about words of 1 to `--widest` bits, and about parts of products of longer ones, some with definitions,
functions and scopes, some made of one word and of the same multiplied out. Gates of products are made on demand, with other limits for each
file, unless `--plain` is given. Answers that differ are errors, and so is a file that is not answered to the end; unknown answers are
counted.
"""

import random
import subprocess
import sys

from harness import Harness, arguments

NAMES = "abcd"
COMPARISONS = ["=", "=", "bvult", "bvule", "bvslt", "bvsle", "bvumulo", "bvsmulo"]
QUOTIENTS = ["bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod"]


class Question:
    """Commands with one or two questions."""

    def __init__(self, seed, widest):
        self.random = random.Random(seed)
        self.width = min(widest, self.random.choice([1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8]))
        self.sort = f"(_ BitVec {self.width})"

    def number(self, value):
        return f"(_ bv{value % 2 ** self.width} {self.width})"

    def word(self, depth):
        pick = self.random
        if depth == 0 or pick.randrange(6) == 0:
            return pick.choice(NAMES) if pick.randrange(4) else self.number(pick.randrange(2 ** self.width))
        a, b = self.word(depth - 1), self.word(depth - 1)
        kind = pick.randrange(16)
        if kind < 6:
            return f"(bvmul {a} {b})"
        if kind < 9:
            return f"(bvadd {a} {b})"
        if kind == 9:
            return f"(bvsub {a} {b})"
        if kind == 10:
            return f"({pick.choice(['bvneg', 'bvnot'])} {a})"
        if kind == 11:
            return f"(bvshl {a} {self.number(pick.randrange(self.width + 1))})"
        if kind == 12:
            return f"(f {a})"
        if kind == 13:
            return f"(ite {self.atom(0)} {a} {b})"
        if kind == 14:
            return f"({pick.choice(QUOTIENTS)} {a} {b})"
        if pick.randrange(3) == 0:
            return self.part(a, b)
        return f"({pick.choice(['bvand', 'bvor', 'bvxor', 'bvudiv', 'bvurem', 'bvlshr'])} {a} {b})"

    def part(self, a, b):
        """A part of a product or quotient of longer words."""
        more, low = self.random.randrange(1, 4), self.random.randrange(2)
        a, b = (f"((_ {self.random.choice(['zero_extend', 'sign_extend'])} {more}) {word})" for word in (a, b))
        return f"((_ extract {self.width - 1 + low} {low}) ({self.random.choice(['bvmul', *QUOTIENTS])} {a} {b}))"

    def same(self, depth):
        """Two words that are equal by the laws of rings, most of the time."""
        a, b, c = (self.word(depth) for _ in range(3))
        both = {
            0: (f"(bvmul {a} (bvadd {b} {c}))", f"(bvadd (bvmul {a} {b}) (bvmul {c} {a}))"),
            1: (f"(bvmul (bvmul {a} {b}) {c})", f"(bvmul {b} (bvmul {c} {a}))"),
            2: (f"(bvmul (bvadd {a} {b}) (bvsub {a} {b}))", f"(bvsub (bvmul {a} {a}) (bvmul {b} {b}))"),
            3: (f"(bvmul (bvnot {a}) {b})", f"(bvneg (bvadd {b} (bvmul {a} {b})))"),
            4: (f"(bvmul {a} (bvadd {b} {c}))", f"(bvadd (bvmul {a} {b}) (bvmul {c} {b}))"),
            5: (f"(bvshl (bvmul {a} {b}) {self.number(1)})", f"(bvmul (bvadd {a} {a}) {b})"),
        }
        return both[self.random.randrange(6)]

    def atom(self, depth):
        a, b = self.same(depth) if self.random.randrange(2) else (self.word(depth + 1), self.word(depth + 1))
        return f"({self.random.choice(COMPARISONS)} {a} {b})"

    def literal(self):
        atom = self.atom(self.random.randrange(2))
        return f"(not {atom})" if self.random.randrange(2) else atom

    def text(self):
        pick = self.random
        lines = ["(reset)", "(set-logic ALL)", f"(declare-fun f ({self.sort}) {self.sort})"]
        lines += [f"(declare-const {name} {self.sort})" for name in NAMES]
        definitions = [f"(assert (= {pick.choice(NAMES)} {self.word(2)}))" for _ in range(pick.randrange(4))]
        facts = [f"(assert {self.literal()})" for _ in range(1 + pick.randrange(2))]
        facts += [f"(assert (or {self.literal()} {self.literal()}))" for _ in range(pick.randrange(2))]
        if pick.randrange(3):
            return "\n".join([*lines, *definitions, *facts, "(check-sat)"]), 1
        return "\n".join([*lines, *facts, "(push 1)", *definitions, "(check-sat)", "(pop 1)", "(check-sat)"]), 2


def limits(seed):
    """Settings by which gates of small products are made on demand, in all ways there are."""
    pick = random.Random(f"limits {seed}").choice
    found = {"demand.eager": pick([0, 0, 1, 3, 8]), "demand.low-bits": pick([0, 1, 2, 8]), "demand.rounds": pick([0, 1, 3, 12]),
             "demand.values": pick([0, 1, 8])}
    return [part for name, value in found.items() for part in ("--set", f"{name}={value}")]


class Products(Harness):
    def one(self, seed):
        questions = [Question(seed * self.args.batch + at, self.args.widest).text() for at in range(self.args.batch)]
        path = f"{self.folder}/products{seed}.smt2"
        with open(path, "w") as out:
            out.write("\n".join(text for text, _ in questions))
        owners = [at for at, (_, count) in enumerate(questions) for _ in range(count)]
        settings = [] if self.args.plain else limits(seed)
        ours = self.run("smt", *settings, path).stdout.split("\n")
        theirs = subprocess.run([self.args.z3, f"-t:{1000 * self.args.time}", path], capture_output=True, text=True)
        ours, theirs = ([line for line in lines if line] for lines in (ours, theirs.stdout.split("\n")))
        if len(ours) != len(owners) or len(theirs) != len(owners):
            return self.error(f"{path}: {len(owners)} questions, {len(ours)} answers of ours, {len(theirs)} of Z3")
        for owner, our, their in zip(owners, ours, theirs):
            if our not in ("sat", "unsat", "unknown") or {our, their} == {"sat", "unsat"}:
                self.error(f"{path}, question {owner}: we say {our}, Z3 says {their}")
            self.count[our if our in self.count else "unknown"] += 1


def main():
    parser = arguments(__doc__, 100)
    parser.add_argument("--batch", type=int, default=200)
    parser.add_argument("--widest", type=int, default=6)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--z3", default="z3")
    parser.add_argument("--time", type=int, default=30)
    sys.exit(Products(parser.parse_args(), "products", ["sat", "unsat", "unknown"]).all())


if __name__ == "__main__":
    main()
