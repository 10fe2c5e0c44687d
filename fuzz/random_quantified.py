#!/usr/bin/env python3
"""Random scripts with quantifiers over declared sorts: alphorn smt against Z3 and cvc5.

    fuzz/random_quantified.py [--count 20000] [--seed 0] [--alphorn PATH] [--keep DIR] [--time MS]

Scripts are over a declared sort, arrays indexed by it and holding it (nested), a datatype of it,
functions over all of these, Bool, Int and short words; many bound how many elements the sort has, so
that it matters everywhere whether it is finite. Answers are checked by the program before they are
given; here they are compared with Z3's, in this process, and with cvc5's where Z3 does not know
(`pip install z3-solver cvc5`). The program gets many scripts at once, between resets; a batch that
fails is run again script by script. Different answers, refused answers and faults are errors; their
scripts are kept.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile

import cvc5
import z3

BATCH = 40
DATA = "(declare-datatypes ((W 0)) (((wn) (wc (wu U)) (ws (we (Array U Bool)) (wi Int)))))"
SETS, MAPS, NUMBERS = "(Array U Bool)", "(Array U U)", "(Array U Int)"
NESTED, LISTS = "(Array (Array U Bool) U)", "(Array Int U)"
BITS = "(_ BitVec 2)"
ELEMENTS = {SETS: ("U", "Bool"), MAPS: ("U", "U"), NUMBERS: ("U", "Int"), NESTED: (SETS, "U"), LISTS: ("Int", "U")}
CONSTANTS = {
    "U": ["u", "v", "w"],
    "Bool": ["p"],
    "Int": ["i"],
    BITS: ["b"],
    "W": ["d", "e"],
    SETS: ["s", "t"],
    MAPS: ["m"],
    NUMBERS: ["n"],
    NESTED: ["k"],
    LISTS: ["l"],
}
FUNCTIONS = {
    "f": (["U"], "U"),
    "q": (["U"], "Bool"),
    "r": (["U", "U"], "Bool"),
    "g": ([SETS], "U"),
    "h": (["W"], "U"),
    "c": (["U"], "Int"),
    "o": (["Int"], "U"),
    "a": (["U"], SETS),
    "y": ([BITS], "U"),
}


class Script:
    """A random script; `text` is what it says."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        rng = self.rng
        others = [sort for sort in CONSTANTS if sort not in ("U", "Bool")]
        self.sorts = ["U", "Bool"] + rng.sample(others, rng.randint(0, 3))
        for sort, parts in [(NESTED, [SETS]), (NUMBERS, ["Int"]), (LISTS, ["Int"]), ("W", [SETS, "Int"])]:
            if sort in self.sorts:
                self.sorts += [part for part in parts if part not in self.sorts]
        known = set(self.sorts)
        self.functions = {
            name: (args, result)
            for name, (args, result) in FUNCTIONS.items()
            if rng.random() < 0.4 and known.issuperset([*args, result])
        }
        lines = ["(declare-sort U 0)"]
        if "W" in self.sorts:
            lines.append(DATA)
        for sort in self.sorts:
            lines += [f"(declare-const {name} {sort})" for name in CONSTANTS[sort]]
        for name, (args, result) in self.functions.items():
            lines.append(f"(declare-fun {name} ({' '.join(args)}) {result})")
        self.bound = []
        self.names = 0
        formulas = [self.formula(rng.randint(1, 3), rng.randint(0, 2)) for _ in range(rng.randint(1, 4))]
        if rng.random() < 0.6:
            formulas.append(self.size())
        rng.shuffle(formulas)
        lines += [f"(assert {formula})" for formula in formulas]
        self.text = "\n".join([*lines, "(check-sat)"]) + "\n"

    def size(self):
        """How many elements there are, more or less."""
        rng = self.rng
        names = rng.sample(CONSTANTS["U"], rng.randint(1, 3))
        cases = [f"(= x0 {name})" for name in names]
        body = cases[0] if len(cases) == 1 else f"(or {' '.join(cases)})"
        closed = f"(forall ((x0 U)) {body})"
        return rng.choice(
            [closed] * 4
            + [
                f"(not {closed})",
                "(forall ((x0 U) (x1 U)) (= x0 x1))",
                "(exists ((x0 U)) (forall ((x1 U)) (= x0 x1)))",
                "(exists ((x0 U) (x1 U)) (distinct x0 x1))",
            ]
        )

    def formula(self, depth, quantifiers):
        rng = self.rng
        if quantifiers and rng.random() < 0.7:
            sorts = ["U"] * 4 + ["Bool"] + [s for s in self.sorts if s not in ("U", "Bool")]
            names = []
            for _ in range(rng.randint(1, 2)):
                self.names += 1
                names.append((f"x{self.names}", rng.choice(sorts)))
            self.bound += names
            body = self.formula(depth, quantifiers - 1)
            del self.bound[-len(names) :]
            listed = " ".join(f"({name} {sort})" for name, sort in names)
            return f"({rng.choice(['forall', 'forall', 'exists'])} ({listed}) {body})"
        if depth and rng.random() < 0.7:
            choice = rng.random()
            if choice < 0.25:
                return f"(not {self.formula(depth - 1, quantifiers)})"
            parts = [self.formula(depth - 1, quantifiers) for _ in range(2)]
            return f"({rng.choice(['and', 'or', 'or', '=>', 'xor'])} {' '.join(parts)})"
        return self.atom(depth)

    def atom(self, depth):
        rng = self.rng
        choice = rng.random()
        if choice < 0.15:
            return self.term("Bool", 1)
        if choice < 0.25 and "Int" in self.sorts:
            return f"({rng.choice(['<', '<=', '>'])} {self.term('Int', depth)} {self.term('Int', depth)})"
        sort = rng.choice([sort for sort in self.sorts if sort != "Bool"])
        if sort == "W" and rng.random() < 0.2:
            return f"((_ is {rng.choice(['wn', 'wc', 'ws'])}) {self.term(sort, depth)})"
        terms = [self.term(sort, 2) for _ in range(3 if rng.random() < 0.1 else 2)]
        word = "distinct" if len(terms) > 2 else rng.choice(["=", "=", "distinct"])
        return f"({word} {' '.join(terms)})"

    def term(self, sort, depth):
        rng = self.rng
        leaves = [name for name, other in self.bound if other == sort] * 2 + CONSTANTS.get(sort, [])
        if sort == "Int":
            leaves += ["0", "1", "2"]
        if sort == BITS:
            leaves += ["#b00", "#b11"]
        if not depth or rng.random() < 0.3:
            return rng.choice(leaves)
        ways = [
            f"({name} {' '.join(self.term(arg, depth - 1) for arg in args)})"
            for name, (args, result) in self.functions.items()
            if result == sort
        ]
        for array in ELEMENTS:
            index, element = ELEMENTS[array]
            if element == sort and array in self.sorts:
                ways.append(f"(select {self.term(array, depth - 1)} {self.term(index, depth - 1)})")
        if sort in ELEMENTS:
            index, element = ELEMENTS[sort]
            values = [self.term(element, depth - 1) for _ in range(2)]
            ways.append(f"((as const {sort}) {values[0]})")
            ways += [f"(store {self.term(sort, depth - 1)} {self.term(index, depth - 1)} {values[1]})"] * 2
        if "W" in self.sorts:
            inner = {"U": "wu", SETS: "we", "Int": "wi"}.get(sort)
            if inner:
                ways.append(f"({inner} {self.term('W', depth - 1)})")
            if sort == "W":
                ways += ["wn", f"(wc {self.term('U', depth - 1)})"]
                ways.append(f"(ws {self.term(SETS, depth - 1)} {self.term('Int', depth - 1)})")
        if sort == "Int":
            ways.append(f"(+ {self.term('Int', depth - 1)} 1)")
            if rng.random() < 0.2:
                ways.append(f"(div {self.term('Int', depth - 1)} {self.term('Int', 0)})")
        if sort == BITS:
            ways.append(f"(bvadd {self.term(BITS, depth - 1)} {self.term(BITS, depth - 1)})")
        if sort == "U" and rng.random() < 0.2:
            ways.append(f"(ite {self.term('Bool', 0)} {self.term('U', depth - 1)} {self.term('U', 0)})")
        return rng.choice(ways) if ways else rng.choice(leaves)


def alphorn(program, texts, milliseconds):
    """The answers to scripts with one question each; nothing if the program does not give them."""
    head = f"(set-option :timeout {milliseconds})\n(set-logic ALL)"
    text = "(reset)\n".join(f"{head}\n{text}" for text in texts)
    with tempfile.NamedTemporaryFile("w", suffix=".smt2") as file:
        file.write(text)
        file.flush()
        command = [program, "smt", file.name]
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=20 + 10 * len(texts))
        except subprocess.TimeoutExpired:
            return None
    answers = [word for word in run.stdout.split() if word in ("sat", "unsat", "unknown")]
    is_fine = len(answers) == len(texts) and run.returncode in (0, 2)
    return answers if is_fine else None


def by_z3(text):
    solver = z3.Solver()
    solver.set("timeout", 1000)
    try:
        solver.from_string(text)
        return str(solver.check())
    except z3.Z3Exception:
        return "unknown"


def by_cvc5(text):
    solver = cvc5.Solver()
    for option, value in [("tlimit-per", "2000"), ("arrays-exp", "true"), ("finite-model-find", "true")]:
        solver.setOption(option, value)
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, f"(set-logic ALL)\n{text}", "script")
    symbols, answer = parser.getSymbolManager(), "unknown"
    try:
        while not (command := parser.nextCommand()).isNull():
            said = command.invoke(solver, symbols).strip()
            answer = said if said in ("sat", "unsat", "unknown") else answer
    except RuntimeError:
        return "unknown"
    return answer


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--count", type=int, default=20000)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--alphorn", default="target/release/alphorn")
    options.add_argument("--keep", default="fuzz-failures")
    options.add_argument("--time", type=int, default=1000, help="milliseconds of wall time for each of our answers")
    args = options.parse_args()
    counts = dict.fromkeys(
        ["sat", "unsat", "unknown", "sat confirmed", "unsat confirmed", "decided alone", "failed", "wrong"], 0
    )

    def keep(seed, text, why):
        os.makedirs(args.keep, exist_ok=True)
        with open(os.path.join(args.keep, f"quantified-{seed}.smt2"), "w") as file:
            file.write(f"; {why}\n(set-logic ALL)\n{text}")
        print(f"seed {seed}: {why}", flush=True)

    end = args.seed + args.count
    for start in range(args.seed, end, BATCH):
        seeds = range(start, min(start + BATCH, end))
        texts = [Script(seed).text for seed in seeds]
        answers = alphorn(args.alphorn, texts, args.time)
        if answers is None:
            single = [alphorn(args.alphorn, [text], args.time) for text in texts]
            answers = [answer[0] if answer else None for answer in single]
        for seed, text, own in zip(seeds, texts, answers):
            if own is None:
                counts["failed"] += 1
                keep(seed, text, "no answer, or a refused one")
                continue
            counts[own] += 1
            if own == "unknown":
                continue
            other = by_z3(text)
            # What Z3 says otherwise, or does not know, is for the other to confirm.
            second = other if other == own else by_cvc5(text)
            if own in (other, second):
                counts[f"{own} confirmed"] += 1
            elif {other, second} == {"unknown"}:
                counts["decided alone"] += 1
            if {other, second} - {own, "unknown"}:
                counts["wrong"] += 1
                keep(seed, text, f"we say {own}, Z3 {other}, cvc5 {second}")
        if (start - args.seed) // BATCH % 25 == 24:
            print(f"{start + BATCH - args.seed}: {counts}", flush=True)
    print(f"{args.count} scripts: {counts}")
    sys.exit(1 if counts["wrong"] or counts["failed"] else 0)


if __name__ == "__main__":
    main()
