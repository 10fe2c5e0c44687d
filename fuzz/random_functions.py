#!/usr/bin/env python3
"""Random Horn systems with declared functions and axioms about them, against all interpretations of the functions.

    fuzz/random_functions.py [--count 500] [--seed 0] [--alphorn PATH] [--keep DIR] [--time 2s]

Functions and predicates are over words of two bits, so that an interpretation is a table; every one of them that
satisfies the axioms is tried, and what can be derived under it is computed. A system is safe for some interpretation if
false cannot be derived under one of them, and for every interpretation if under none it can. Both questions are asked
(`(set-option :functions every)`), and an answer that is another one is an error, as is an answer that failed.
"""

import itertools
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import Harness, arguments  # noqa: E402

WORDS = range(4)
WORD = "(_ BitVec 2)"
BINARY = {
    "bvadd": lambda a, b: (a + b) % 4,
    "bvand": lambda a, b: a & b,
    "bvxor": lambda a, b: a ^ b,
}
COMPARE = {"bvule": lambda a, b: a <= b, "=": lambda a, b: a == b, "distinct": lambda a, b: a != b}


class System:
    """A system: functions f (of one word) and c (a constant), predicates P and Q of one and two words."""

    def __init__(self, rng):
        self.rng = rng
        self.funcs = {"f": 1} | ({"c": 0} if rng.random() < 0.6 else {})
        self.preds = {"P": 1} | ({"Q": 2} if rng.random() < 0.4 else {})
        self.axioms = [self.comparison(["x", "y"], 2) for _ in range(rng.choice([0, 1, 1, 2]))]
        self.rules = []
        for k in range(rng.randint(2, 4)):
            used = [] if k == 0 else rng.choices(list(self.preds), k=rng.choice([0, 1, 1, 2]))
            self.rules.append(self.rule(used, rng.choice(list(self.preds))))
        self.rules.append(self.rule([rng.choice(list(self.preds))], None))

    def term(self, names, depth):
        rng = self.rng
        if depth == 0 or rng.random() < 0.3:
            return rng.choice([*names, rng.choice(WORDS), *(["c"] if "c" in self.funcs else [])])
        if rng.random() < 0.5:
            return ("f", self.term(names, depth - 1))
        return (rng.choice(list(BINARY)), self.term(names, depth - 1), self.term(names, 0))

    def comparison(self, names, depth):
        return (self.rng.choice(list(COMPARE)), self.term(names, depth), self.term(names, 1))

    def rule(self, used, head):
        names = ["x", "y"]
        atoms = [(pred, [self.rng.choice(names) for _ in range(self.preds[pred])]) for pred in used]
        guards = [self.comparison(names, 1) for _ in range(self.rng.choice([0, 1, 1]))]
        made = head and (head, [self.term(names, 2) for _ in range(self.preds[head])])
        return atoms, guards, made

    def text(self, which):
        lines = [f"(set-option :functions {which})", "(set-logic HORN)"]
        for name, arity in self.funcs.items():
            lines.append(f"(declare-fun {name} ({' '.join([WORD] * arity)}) {WORD})")
        for name, arity in self.preds.items():
            lines.append(f"(declare-fun {name} ({' '.join([WORD] * arity)}) Bool)")
        closed = f"(assert (forall ((x {WORD}) (y {WORD})) %s))"
        lines += [closed % show(axiom) for axiom in self.axioms]
        for atoms, guards, head in self.rules:
            body = " ".join([f"({pred} {' '.join(args)})" for pred, args in atoms] + [show(guard) for guard in guards])
            made = f"({head[0]} {' '.join(map(show, head[1]))})" if head else "false"
            lines.append(closed % f"(=> (and true {body}) {made})")
        return "\n".join([*lines, "(check-sat)", ""])

    def verdicts(self):
        """Whether the system is safe for some interpretation, and for every one."""
        safe = []
        for table in itertools.product(WORDS, repeat=4):
            for constant in WORDS if "c" in self.funcs else [0]:
                values = lambda x, y: {"f": table, "c": constant, "x": x, "y": y}
                pairs = [values(x, y) for x in WORDS for y in WORDS]
                holds = lambda formulas: all(evaluate(formula, pair) for formula in formulas for pair in pairs)
                # What speaks of no function is an assertion like others.
                if holds(filter(speaks, self.axioms)):
                    safe.append(holds(axiom for axiom in self.axioms if not speaks(axiom)) and self.is_safe(pairs))
        return any(safe), all(safe)

    def is_safe(self, pairs):
        facts, size = set(), -1
        while len(facts) != size:
            size = len(facts)
            for atoms, guards, head in self.rules:
                for pair in pairs:
                    if all((pred, *(pair[arg] for arg in args)) in facts for pred, args in atoms) and all(
                        evaluate(guard, pair) for guard in guards
                    ):
                        if head is None:
                            return False
                        facts.add((head[0], *(evaluate(arg, pair) for arg in head[1])))
        return True


def speaks(term):
    """Whether a function occurs in a term."""
    return term in ("f", "c") or isinstance(term, tuple) and any(map(speaks, term))


def show(term):
    if isinstance(term, int):
        return f"(_ bv{term} 2)"
    return term if isinstance(term, str) else f"({' '.join([term[0], *map(show, term[1:])])})"


def evaluate(term, values):
    if isinstance(term, int):
        return term
    if isinstance(term, str):
        return values[term]
    args = [evaluate(arg, values) for arg in term[1:]]
    if term[0] == "f":
        return values["f"][args[0]]
    return {**BINARY, **COMPARE}[term[0]](*args)


class Functions(Harness):
    def one(self, seed):
        system = System(random.Random(seed))
        for which, is_safe in zip(("some", "every"), system.verdicts()):
            path = os.path.join(self.folder, f"{seed}-{which}.smt2")
            with open(path, "w") as file:
                file.write(system.text(which))
            if which == "every" and "neither functions nor predicates" in self.run(path, "--time", "1ms").stderr:
                # What an axiom speaks of may be simplified away.
                self.count["every refused"] = self.count.get("every refused", 0) + 1
                os.remove(path)
                continue
            answers, is_sound = self.answers(path, "--time", self.args.time, "--ticks", "2000k", "--threads", "1")
            verdict = answers[0]["verdict"] if answers else "unknown"
            expected = "safe" if is_safe else "unsafe"
            self.count[f"{which} {verdict}"] = self.count.get(f"{which} {verdict}", 0) + 1
            if is_sound and verdict in ("unknown", expected):
                os.remove(path)
            else:
                self.error(f"{path}: {verdict}, but it is {expected}")


def main():
    parser = arguments(__doc__, 500)
    parser.add_argument("--time", default="2s")
    return Functions(parser.parse_args(), "functions", []).all()


if __name__ == "__main__":
    sys.exit(main())
