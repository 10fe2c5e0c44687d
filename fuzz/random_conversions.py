#!/usr/bin/env python3
"""Random scripts in which numbers become words and words numbers: `alphorn smt` against Z3.

    fuzz/random_conversions.py [--count 500] [--seed 0] [--program PATH] [--z3 PATH] [--time 4]

Widths are 1 to 64, numbers near the ends of their ranges, and words are worked on between the conversions. Answers that
differ are errors; unknown ones are counted, and so are those that take longer than `--time` seconds.
"""

import argparse
import random
import subprocess
import sys
import tempfile

WIDTHS = [1, 2, 3, 4, 7, 8, 12, 16, 31, 32, 33, 64]
BINARY = ["bvadd", "bvsub", "bvand", "bvor", "bvxor", "bvshl", "bvlshr", "bvashr"]


def written(value):
    return str(value) if value >= 0 else f"(- {-value})"


class Script:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.width = self.random.choice(WIDTHS)

    def constant(self):
        edge = self.random.choice([0, 2 ** self.width, 2 ** (self.width - 1), -(2 ** self.width), 2 ** (self.width // 2)])
        return written(edge + self.random.randint(-3, 3))

    def number(self, depth):
        kind = self.random.randrange(6 if depth > 0 else 2)
        if kind == 0:
            return self.random.choice("xyz")
        if kind == 1:
            return self.constant()
        if kind == 2:
            return f"(+ {self.number(depth - 1)} {self.number(depth - 1)})"
        if kind == 3:
            return f"(* {self.random.choice(['2', '3', '(- 1)'])} {self.number(depth - 1)})"
        return f"({self.random.choice(['ubv_to_int', 'ubv_to_int', 'sbv_to_int'])} {self.word(depth - 1)})"

    def word(self, depth):
        kind = self.random.randrange(6 if depth > 0 else 1)
        if kind == 0:
            return self.random.choice("uv")
        if kind < 4:
            return f"((_ int_to_bv {self.width}) {self.number(depth - 1)})"
        if kind == 4:
            return f"({self.random.choice(['bvneg', 'bvnot'])} {self.word(depth - 1)})"
        return f"({self.random.choice(BINARY)} {self.word(depth - 1)} {self.word(depth - 1)})"

    def atom(self):
        if self.random.randrange(3) > 0:
            return f"({self.random.choice(['<=', '<', '=', 'distinct'])} {self.number(3)} {self.number(2)})"
        return f"({self.random.choice(['bvult', 'bvsle', '=', 'distinct'])} {self.word(3)} {self.word(2)})"

    def text(self):
        lines = ["(set-logic ALL)"]
        lines += [f"(declare-const {name} Int)" for name in "xyz"]
        lines += [f"(declare-const {name} (_ BitVec {self.width}))" for name in "uv"]
        for name in "xyz":
            if self.random.randrange(3) > 0:
                low, high = sorted([self.random.randint(-4, 40), self.random.randint(-4, 40)])
                lines.append(f"(assert (and (<= {written(low)} {name}) (<= {name} {written(high)})))")
        for _ in range(self.random.randint(1, 4)):
            atom = self.atom() if self.random.randrange(2) else f"(or {self.atom()} {self.atom()})"
            lines.append(f"(assert {atom})")
        return "\n".join(lines + ["(check-sat)"]) + "\n"


def ask(command, path, seconds):
    try:
        done = subprocess.run([*command, path], capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return "late"
    answer = done.stdout.strip().split("\n")[0]
    return answer if answer in ("sat", "unsat", "unknown") else f"failed: {(done.stdout + done.stderr)[-300:]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--program", default="target/release/alphorn")
    parser.add_argument("--z3", default="z3")
    parser.add_argument("--time", type=float, default=4)
    arguments = parser.parse_args()
    counts, wrong = {}, 0
    with tempfile.NamedTemporaryFile("w", suffix=".smt2") as out:
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            text = Script(seed).text()
            out.seek(0)
            out.truncate()
            out.write(text)
            out.flush()
            ours = ask([arguments.program, "smt"], out.name, arguments.time)
            theirs = ask([arguments.z3], out.name, arguments.time)
            key = (ours.split(":")[0], theirs.split(":")[0])
            counts[key] = counts.get(key, 0) + 1
            if {ours, theirs} == {"sat", "unsat"} or ours.startswith("failed"):
                print(f"seed {seed}: we say {ours}, Z3 says {theirs}\n{text}")
                wrong += 1
    print({f"{a}/{b}": n for (a, b), n in sorted(counts.items())}, f"{wrong} errors")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
