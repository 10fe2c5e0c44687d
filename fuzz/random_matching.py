#!/usr/bin/env python3
"""Random templates in random circuits: alphorn match against enumeration.

    fuzz/random_matching.py [--count 500] [--seed 0] [--alphorn PATH] [--keep DIR]

Circuits choose between two functions of two short words in scrambled orders by a control input, or are gates at
random; templates ask for one or two functions, some for an order of the outputs. All orders and settings are tried on
all inputs, and `--all` has to find just those that are right. Evidence has to be accepted, and evidence with an
order or setting changed to be refused. Everything else is an error.
"""

import itertools
import os
import random
import re
import sys

from harness import Harness, arguments

WIDTH = 2
MASK = (1 << WIDTH) - 1
OPERATORS = {
    "bv-add": lambda a, b: a + b & MASK,
    "bv-sub": lambda a, b: a - b & MASK,
    "bv-mul": lambda a, b: a * b & MASK,
    "bv-and": lambda a, b: a & b,
    "bv-or": lambda a, b: a | b,
    "bv-xor": lambda a, b: a ^ b,
    "bv-shl": lambda a, b: a << b & MASK,
    "bv-lshr": lambda a, b: a >> b,
}
NAMES = [f"{word}{bit}" for word in "ab" for bit in range(WIDTH)] + ["k"]


def ordered(word, order):
    return sum((word >> bit & 1) << place for place, bit in enumerate(order))


class Gates:
    """A circuit made gate by gate."""

    def __init__(self):
        self.ands = []
        self.next = 2 * (len(NAMES) + 1)

    def both(self, a, b):
        self.ands.append((self.next, max(a, b), min(a, b)))
        self.next += 2
        return self.next - 2

    def either(self, a, b):
        return self.both(a ^ 1, b ^ 1) ^ 1

    def table(self, values, inputs):
        """A function by the list of its values: Shannon expansion."""
        if all(value == values[0] for value in values):
            return values[0]
        *rest, last = inputs
        half = len(values) // 2
        zero, one = self.table(values[:half], rest), self.table(values[half:], rest)
        return self.either(self.both(last ^ 1, zero), self.both(last, one))

    def text(self, outputs):
        lines = [f"aag {self.next // 2 - 1} {len(NAMES)} 0 {len(outputs)} {len(self.ands)}"]
        lines += [str(2 * (place + 1)) for place in range(len(NAMES))] + [str(lit) for lit in outputs]
        lines += [f"{a} {b} {c}" for a, b, c in self.ands]
        lines += [f"i{place} {name}" for place, name in enumerate(NAMES)]
        lines += [f"o{place} o{place}" for place in range(len(outputs))]
        return "\n".join(lines) + "\n"

    def run(self, outputs, bits):
        values = [0, *bits] + [0] * len(self.ands)
        value = lambda lit: values[lit >> 1] ^ lit & 1
        for gate, left, right in self.ands:
            values[gate >> 1] = value(left) & value(right)
        return sum(value(lit) << place for place, lit in enumerate(outputs))


class Compared(Harness):
    def one(self, seed):
        rng = random.Random(seed)
        gates = Gates()
        orders = list(itertools.permutations(range(WIDTH)))
        inputs = [2 * (place + 1) for place in range(len(NAMES))]
        known = list(OPERATORS)
        if rng.random() < 0.7:
            p, q, t = (rng.choice(orders) for _ in range(3))
            known = [rng.choice(list(OPERATORS)) for _ in range(2)]
            functions = [OPERATORS[name] for name in known]
            table = []
            for number in range(1 << len(NAMES)):
                a, b, k = number & MASK, number >> WIDTH & MASK, number >> 2 * WIDTH
                table.append(ordered(functions[k](ordered(a, p), ordered(b, q)), t))
            outputs = [gates.table([value >> bit & 1 for value in table], inputs) for bit in range(WIDTH)]
        else:
            pool = list(inputs)
            for _ in range(rng.randrange(2, 12)):
                pool.append(gates.both(*(rng.choice(pool) ^ rng.randrange(2) for _ in range(2))))
            outputs = [rng.choice(pool) ^ rng.randrange(2) for _ in range(WIDTH)]
        asked = known if rng.random() < 0.7 else list(OPERATORS)
        cases = [rng.choice(asked) for _ in range(rng.choice((1, 1, 2)))]
        has_order = rng.random() < 0.4
        left = "(permute t outputs)" if has_order else "outputs"
        formulas = [f"(=> (value v{n} control) (= {left} ({op} (permute p A) (permute q B))))"
                    for n, op in enumerate(cases)]
        bits = lambda word: " ".join(f"{word}{bit}" for bit in reversed(range(WIDTH)))
        text = (f"(words (A {bits('a')}) (B {bits('b')})) (control k) (outputs {bits('o')})\n"
                f"(and {' '.join(formulas)})\n")
        right = set()
        found = {(a, b, k): gates.run(outputs, [*(a >> n & 1 for n in range(WIDTH)), *(b >> n & 1 for n in range(WIDTH)), k])
                 for a in range(MASK + 1) for b in range(MASK + 1) for k in range(2)}
        for p, q, t in itertools.product(orders, orders, orders if has_order else [tuple(range(WIDTH))]):
            for settings in itertools.product((0, 1), repeat=len(cases)):
                if all(ordered(found[a, b, k], t) == OPERATORS[op](ordered(a, p), ordered(b, q))
                       for op, k in zip(cases, settings) for a in range(MASK + 1) for b in range(MASK + 1)):
                    name = lambda word, order: " ".join(f"{word}{bit}" for bit in reversed(order))
                    parts = {"p": name("a", p), "q": name("b", q), **({"t": name("o", t)} if has_order else {})}
                    parts.update({f"v{n}": str(k) for n, k in enumerate(settings)})
                    right.add(tuple(sorted(parts.items())))
        self.compare(seed, gates.text(outputs), text, right, rng)

    def compare(self, seed, circuit, template, right, rng):
        paths = [os.path.join(self.folder, f"{seed}.{ending}") for ending in ("aag", "template", "ev")]
        for path, text in zip(paths, (circuit, template)):
            with open(path, "w") as file:
                file.write(text)
        done = self.run("match", *paths[:2], "--all", "--evidence", paths[2])
        lines = re.findall(r"^  ([pqt]|v\d) +(\S.*)$", done.stdout, re.M)
        size = len(set(name for name, _ in lines)) or 1
        said = {tuple(sorted(lines[n:n + size])) for n in range(0, len(lines), size)}
        is_right = said == right and len(lines) == size * len(right) and done.returncode == (0 if right else 1)
        self.count["matches" if right else "no match"] += 1
        judged = self.run("check", paths[0], paths[2], "--template", paths[1])
        if not is_right or judged.returncode != 0:
            self.error(f"{paths[0]}: {said} and not {right}: {done.stdout}{done.stderr}{judged.stdout}")
            return
        with open(paths[2]) as file:
            lines = file.read().splitlines()
        places = [n for n, line in enumerate(lines) if line.startswith(("order", "setting"))]
        if places:
            place = rng.choice(places)
            words = lines[place].split()
            kept = words[:2]
            words = [*kept, *words[2:][::-1]] if words[0] == "order" else [*kept, "10"[int(words[2])]]
            lines[place] = " ".join(words)
            with open(paths[2], "w") as file:
                file.write("\n".join(lines) + "\n")
            changed = self.run("check", paths[0], paths[2], "--template", paths[1])
            if changed.returncode == 0:
                self.error(f"{paths[0]}: changed evidence is accepted: {changed.stdout}")
        for path in paths:
            os.remove(path)


if __name__ == "__main__":
    sys.exit(Compared(arguments(__doc__, 500).parse_args(), "matching", ("matches", "no match")).all())
