#!/usr/bin/env python3
"""Random exists–forall scripts over short words: alphorn smt against the table of all values.

    fuzz/random_exists_forall.py [--count 20000] [--seed 0] [--alphorn PATH] [--keep DIR] [--width 4]

Scripts declare one or two words and a truth value, and assert formulas with one or more universal blocks over
one or two words: nested, below disjunctions, with equations that determine variables, some with an existential
quantifier inside or outside. The oracle knows no solver: a formula is a table of its truth values under all
assignments, one bit each of one large number, and a quantifier folds the table. Answers are checked by the
program before they are given; wrong answers, refused answers and faults are errors, and their scripts are
kept. The program gets many scripts at once, between resets.
"""

import random
import re
import subprocess
import sys

from harness import Harness, arguments

BATCH = 50


class Table:
    """Words and truth values of all assignments to `bits` bits at once."""

    def __init__(self, bits):
        self.bits = bits
        self.ones = (1 << (1 << bits)) - 1
        self.inputs = []
        for position in range(bits):
            # The assignments in which the bit is one.
            block = ((1 << (1 << position)) - 1) << (1 << position)
            size, value = 1 << (position + 1), block
            while size < 1 << bits:
                value |= value << size
                size *= 2
            self.inputs.append(value)

    def negate(self, a):
        return self.ones & ~a

    def choose(self, c, a, b):
        return (c & a) | (self.negate(c) & b)

    def add(self, a, b, carry=0):
        out = []
        for x, y in zip(a, b):
            out.append(x ^ y ^ carry)
            carry = (x & y) | (carry & (x ^ y))
        return out, carry

    def invert(self, a):
        return [self.negate(x) for x in a]

    def sub(self, a, b):
        out, carry = self.add(a, self.invert(b), self.ones)
        return out, self.negate(carry)

    def mul(self, a, b):
        out = [0] * len(a)
        for place, bit in enumerate(b):
            shifted = [0] * place + [x & bit for x in a[:len(a) - place]]
            out, _ = self.add(out, shifted)
        return out

    def divide(self, a, b):
        quotient, rest = [0] * len(a), [0] * (len(a) + 1)
        wide = b + [0]
        for place in reversed(range(len(a))):
            rest = [a[place]] + rest[:-1]
            less, borrow = self.sub(rest, wide)
            fits = self.negate(borrow)
            quotient[place] = fits
            rest = [self.choose(fits, x, y) for x, y in zip(less, rest)]
        return quotient, rest[:-1]

    def shift(self, a, b, left):
        out = list(a)
        for place, bit in enumerate(b):
            by = 1 << place
            moved = ([0] * by + out)[:len(a)] if left else (out + [0] * by)[by:by + len(a)]
            moved = (moved + [0] * len(a))[:len(a)]
            out = [self.choose(bit, x, y) for x, y in zip(moved, out)]
        return out

    def equal(self, a, b):
        out = self.ones
        for x, y in zip(a, b):
            out &= self.negate(x ^ y)
        return out

    def fold(self, table, position, is_all):
        """The table with a bit quantified."""
        one = table & self.inputs[position]
        zero = table & self.negate(self.inputs[position])
        size = 1 << position
        one, zero = one | one >> size, zero | zero << size
        return one & zero if is_all else one | zero


class Script:
    """A random script, its text and whether it has a model."""

    def __init__(self, seed, width):
        self.rng = random.Random(seed)
        self.width = width
        self.words, self.truths = {}, {}
        self.free = ["a", "b"][:self.rng.choice((1, 2, 2))]
        inner = 4 - len(self.free)
        self.names = self.free + ["x", "y", "z"][:inner]
        self.table = Table(width * len(self.names) + 1)
        for place, name in enumerate(self.names):
            self.words[name] = self.table.inputs[place * width:(place + 1) * width]
        self.truth = self.table.inputs[-1]
        lines = ["(set-logic BV)"]
        lines += [f"(declare-const {name} (_ BitVec {width}))" for name in self.free]
        lines.append("(declare-const p Bool)")
        value = self.table.ones
        for _ in range(self.rng.choice((1, 1, 2, 3))):
            text, own = self.sentence()
            lines.append(f"(assert {text})")
            value &= own
        lines.append("(check-sat)")
        self.text, self.is_sat = "\n".join(lines), value != 0

    def bound(self, names, is_all, text, value):
        """A formula with words quantified."""
        for name in names:
            start = self.names.index(name) * self.width
            for position in range(start, start + self.width):
                value = self.table.fold(value, position, is_all)
        binders = " ".join(f"({name} (_ BitVec {self.width}))" for name in names)
        return f"({'forall' if is_all else 'exists'} ({binders}) {text})", value

    def sentence(self):
        rng = self.rng
        inner = [name for name in self.names if name not in self.free]
        kind = rng.randrange(10)
        if kind == 0:
            return self.formula(self.free, 2)
        if kind <= 4:
            text, value = self.block(self.free, inner[:rng.choice((1, len(inner)))])
        elif kind == 5:
            # One universal quantifier below the other, with something between them.
            text, value = self.block(self.free + inner[:1], inner[1:2] or inner[:1])
            text, value = self.join("or", (text, value), self.formula(self.free + inner[:1], 1))
            text, value = self.bound(inner[:1], True, text, value)
        elif kind == 6:
            text, value = self.join("or", self.block(self.free, inner[:1]),
                                    self.join("and", self.formula(self.free, 1), self.block(self.free, inner)))
        elif kind == 7:
            text, value = self.block(self.free + inner[:1], inner[1:2] or inner[:1])
            text, value = self.bound(inner[:1], False, text, value)
        elif kind == 8:
            text, value = self.formula(self.free + [inner[0], inner[-1]], 3)
            text, value = self.bound(inner[-1:], False, text, value)
            text, value = self.bound(inner[:1], True, text, value)
        else:
            text, value = self.block(self.free, inner[:1])
            text, value = f"(not {text})", self.table.negate(value)
        return text, value

    def join(self, op, *parts):
        value = parts[0][1]
        for part in parts[1:]:
            value = value & part[1] if op == "and" else value | part[1]
        return f"({op} {' '.join(part[0] for part in parts)})", value

    def block(self, scope, names):
        """A universal block; some determine variables by equations."""
        scope = scope + [name for name in names if name not in scope]
        text, value = self.formula(scope, self.rng.choice((1, 2, 3)))
        if self.rng.random() < 0.4:
            left = self.rng.choice(names)
            right, word = self.word([name for name in scope if name != left] or scope, 2)
            side, own = self.words[left], self.words[left]
            if self.rng.random() < 0.3:
                left, own = f"(bvadd {left} #b{'1'.zfill(self.width)})", self.table.add(
                    side, [self.table.ones] + [0] * (self.width - 1))[0]
            given = self.table.equal(own, word)
            text, value = f"(=> (= {left} {right}) {text})", self.table.negate(given) | value
        return self.bound(names, True, text, value)

    def formula(self, scope, depth):
        rng, table = self.rng, self.table
        if depth > 0 and rng.random() < 0.7:
            kind = rng.randrange(5)
            if kind == 0:
                text, value = self.formula(scope, depth - 1)
                return f"(not {text})", table.negate(value)
            first, second = self.formula(scope, depth - 1), self.formula(scope, depth - 1)
            if kind == 1:
                return f"(= {first[0]} {second[0]})", table.negate(first[1] ^ second[1])
            if kind == 2:
                third = self.formula(scope, depth - 1)
                return (f"(ite {first[0]} {second[0]} {third[0]})",
                        table.choose(first[1], second[1], third[1]))
            return self.join("and" if kind == 3 else "or", first, second)
        if rng.random() < 0.1:
            return "p", self.truth
        (a, left), (b, right) = self.word(scope, 2), self.word(scope, 2)
        op = rng.choice(("=", "=", "distinct", "bvult", "bvule", "bvslt", "bvsge"))
        if op in ("=", "distinct"):
            value = table.equal(left, right)
            return f"({op} {a} {b})", value if op == "=" else table.negate(value)
        if op in ("bvslt", "bvsge"):
            left, right = left[:-1] + [table.negate(left[-1])], right[:-1] + [table.negate(right[-1])]
        if op == "bvule":
            return f"({op} {a} {b})", table.negate(table.sub(right, left)[1])
        value = table.sub(left, right)[1]
        return f"({op} {a} {b})", table.negate(value) if op == "bvsge" else value

    def word(self, scope, depth):
        rng, table = self.rng, self.table
        if depth == 0 or rng.random() < 0.35:
            if rng.random() < 0.25:
                number = rng.randrange(1 << self.width)
                bits = [table.ones if number >> place & 1 else 0 for place in range(self.width)]
                return f"#b{number:0{self.width}b}", bits
            name = rng.choice(scope)
            return name, self.words[name]
        a, left = self.word(scope, depth - 1)
        op = rng.choice(("bvadd", "bvadd", "bvsub", "bvmul", "bvand", "bvor", "bvxor", "bvnot", "bvneg",
                         "bvudiv", "bvurem", "bvshl", "bvlshr", "ite"))
        if op == "bvnot":
            return f"({op} {a})", table.invert(left)
        if op == "bvneg":
            return f"({op} {a})", table.sub([0] * self.width, left)[0]
        b, right = self.word(scope, depth - 1)
        if op == "ite":
            text, value = self.formula(scope, 0)
            return f"(ite {text} {a} {b})", [table.choose(value, x, y) for x, y in zip(left, right)]
        if op in ("bvudiv", "bvurem"):
            # A divisor of zero fits always, so that the quotient is all ones and the rest the dividend.
            quotient, rest = table.divide(left, right)
            return f"({op} {a} {b})", quotient if op == "bvudiv" else rest
        value = {
            "bvadd": lambda: table.add(left, right)[0],
            "bvsub": lambda: table.sub(left, right)[0],
            "bvmul": lambda: table.mul(left, right),
            "bvand": lambda: [x & y for x, y in zip(left, right)],
            "bvor": lambda: [x | y for x, y in zip(left, right)],
            "bvxor": lambda: [x ^ y for x, y in zip(left, right)],
            "bvshl": lambda: table.shift(left, right, True),
            "bvlshr": lambda: table.shift(left, right, False),
        }[op]()
        return f"({op} {a} {b})", value


class Compared(Harness):
    def all(self):
        seeds = range(self.args.seed, self.args.seed + self.args.count)
        for start in range(0, len(seeds), BATCH):
            self.batch(list(seeds[start:start + BATCH]))
            if (start + BATCH) % 1000 == 0:
                print(start + BATCH, self.count, f"{self.errors} errors", flush=True)
        print(self.count, f"{self.errors} errors")
        return 1 if self.errors else 0

    def batch(self, seeds):
        scripts = [Script(seed, self.args.width) for seed in seeds]
        answers = self.asked("\n(reset)\n".join(script.text for script in scripts))
        if len(answers) != len(scripts):
            answers = []
            for seed, script in zip(seeds, scripts):
                own = self.asked(script.text)
                answers.append(own[0] if len(own) == 1 else "failed")
        for seed, script, answer in zip(seeds, scripts, answers):
            wanted = "sat" if script.is_sat else "unsat"
            self.count[answer] = self.count.get(answer, 0) + 1
            if answer not in (wanted, "unknown"):
                path = f"{self.folder}/{seed}.smt2"
                with open(path, "w") as file:
                    file.write(script.text + "\n")
                self.error(f"{path}: {answer}, and it is {wanted}")

    def asked(self, text):
        path = f"{self.folder}/batch.smt2"
        with open(path, "w") as file:
            file.write(text + "\n")
        try:
            done = subprocess.run([self.args.alphorn, "smt", path], capture_output=True, text=True, timeout=600)
        except subprocess.TimeoutExpired:
            return []
        if "refused" in done.stderr or "fault" in done.stderr:
            self.error(f"{path}: {done.stderr[:300]}")
        return re.findall(r"^(?:sat|unsat|unknown)$", done.stdout, re.M)


if __name__ == "__main__":
    PARSER = arguments(__doc__, 20000)
    PARSER.add_argument("--width", type=int, default=4)
    sys.exit(Compared(PARSER.parse_args(), "exists-forall", ("sat", "unsat", "unknown")).all())
