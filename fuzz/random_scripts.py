#!/usr/bin/env python3
"""Random small SMT-LIB scripts: alphorn smt against Z3.

    fuzz/random_scripts.py [--count 2000] [--seed 0] [--alphorn PATH] [--z3 PATH] [--keep DIR]
                          [--quantifiers]

Scripts are over Bool, Int, Real, a declared sort and functions, with levels, assumptions, names and
definitions. Every answer is compared with Z3's (`pip install z3-solver` has the program). Models are
put in place of the declarations and cores in place of the assertions, and Z3 is asked again, as it
is about each condition of interpolants. With --quantifiers some formulas have them, and answers are
not checked before they are compared.
Different answers, refused answers and faults are errors; their scripts are kept.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

CONSTANTS = {
    "Bool": ["p", "q", "r"],
    "Int": ["x", "y", "z"],
    "Real": ["s", "t"],
    "U": ["u", "v", "w"],
}
FUNCTIONS = {
    "f": (["Int"], "Int"),
    "g": (["U"], "U"),
    "h": (["Real", "Int"], "Real"),
    "k": (["U", "Int"], "Bool"),
    "m": (["U"], "Int"),
}
THEORIES = {
    "bool": ["Bool"],
    "int": ["Bool", "Int"],
    "real": ["Bool", "Real"],
    "mixed": ["Bool", "Int", "Real"],
    "sorts": ["Bool", "U"],
    "all": ["Bool", "Int", "Real", "U"],
}


class Script:
    def __init__(self, rng, quantifiers):
        self.rng = rng
        self.quantifiers = quantifiers
        self.sorts = THEORIES[rng.choice(list(THEORIES))]
        self.functions = {
            name: (args, result)
            for name, (args, result) in FUNCTIONS.items()
            if rng.random() < 0.6 and all(s in self.sorts for s in [*args, result])
        }
        self.declarations = ["(declare-sort U 0)"] if "U" in self.sorts else []
        for sort in self.sorts:
            self.declarations += [f"(declare-const {c} {sort})" for c in CONSTANTS[sort]]
        for name, (args, result) in self.functions.items():
            self.declarations.append(f"(declare-fun {name} ({' '.join(args)}) {result})")
        self.commands = []
        self.names = 0
        self.undone = False
        levels = 0
        for _ in range(rng.randint(3, 12)):
            choice = rng.random()
            if choice < 0.6:
                self.commands.append(self.assertion())
            elif choice < 0.7:
                levels += 1
                self.commands.append("(push 1)")
            elif choice < 0.8 and levels:
                levels -= 1
                self.commands.append("(pop 1)")
            elif choice < 0.9:
                self.commands.append("(check-sat)")
            else:
                assumed = " ".join(self.formula(1) for _ in range(rng.randint(1, 3)))
                self.commands.append(f"(check-sat-assuming ({assumed}))")
        self.commands.append("(check-sat)")

    def assertion(self):
        self.names += 1
        return f"(assert (! {self.formula(3)} :named n{self.names}))"

    def number(self, sort):
        value = self.rng.randint(-4, 6)
        text = f"{abs(value)}.0" if sort == "Real" else str(abs(value))
        if sort == "Real" and self.rng.random() < 0.2:
            text = f"(/ {text} {self.rng.randint(2, 5)}.0)"
        return f"(- {text})" if value < 0 else text

    def term(self, sort, depth):
        rng = self.rng
        if depth == 0 or rng.random() < 0.3:
            if sort in ("Int", "Real") and rng.random() < 0.3:
                return self.number(sort)
            return rng.choice(CONSTANTS[sort])
        ways = ["ite"] + [f for f, (_, result) in self.functions.items() if result == sort]
        if sort in ("Int", "Real"):
            ways += ["+", "-", "*"]
        if sort == "Int":
            ways += ["div", "mod", "abs"]
        way = rng.choice(ways)
        if way == "ite":
            parts = (self.formula(depth - 1), self.term(sort, depth - 1), self.term(sort, depth - 1))
            return "(ite {} {} {})".format(*parts)
        if way in ("+", "-"):
            return f"({way} {self.term(sort, depth - 1)} {self.term(sort, depth - 1)})"
        if way == "*":
            return f"(* {self.number(sort)} {self.term(sort, depth - 1)})"
        if way in ("div", "mod"):
            return f"({way} {self.term('Int', depth - 1)} {rng.choice([2, 3, 5])})"
        if way == "abs":
            return f"(abs {self.term('Int', depth - 1)})"
        args = " ".join(self.term(arg, depth - 1) for arg in self.functions[way][0])
        return f"({way} {args})"

    def formula(self, depth):
        rng = self.rng
        numbers = [sort for sort in self.sorts if sort in ("Int", "Real")]
        if self.quantifiers and depth > 0 and numbers and rng.random() < 0.15:
            sort = rng.choice(numbers)
            variable = rng.choice(CONSTANTS[sort])
            body = self.formula(depth - 1)
            return f"({rng.choice(['forall', 'exists'])} (({variable} {sort})) {body})"
        if depth > 0 and rng.random() < 0.6:
            way = rng.choice(["and", "or", "not", "=>", "=", "xor", "ite", "let"])
            if way == "not":
                return f"(not {self.formula(depth - 1)})"
            if way == "ite":
                return "(ite {} {} {})".format(*(self.formula(depth - 1) for _ in range(3)))
            if way == "let":
                inner = f"(or b!1 {self.formula(depth - 1)} (and (not b!1) {self.formula(0)}))"
                return f"(let ((b!1 {self.formula(depth - 1)})) {inner})"
            return f"({way} {self.formula(depth - 1)} {self.formula(depth - 1)})"
        sort = rng.choice(self.sorts)
        if sort == "Bool":
            return self.term("Bool", min(depth, 1))
        terms = self.term(sort, min(depth, 2)), self.term(sort, min(depth, 2))
        comparisons = ["=", "distinct"] if sort == "U" else ["=", "<", "<=", ">", ">=", "distinct"]
        return "({} {} {})".format(rng.choice(comparisons), *terms)

    def text(self, extra=()):
        return "\n".join([*self.declarations, *self.commands, *extra]) + "\n"


def ask(program, text):
    with tempfile.NamedTemporaryFile("w", suffix=".smt2", delete=False) as file:
        file.write(text)
    try:
        ran = subprocess.run([*program, file.name], capture_output=True, text=True, timeout=60)
        return ran.stdout, ran.stderr, ran.returncode
    except subprocess.TimeoutExpired:
        return "timeout", "", -1
    finally:
        os.unlink(file.name)


def in_force(script):
    """The assertions that the last question is about."""
    levels = [[]]
    for command in script.commands:
        if command.startswith("(push"):
            levels.append([])
        elif command.startswith("(pop"):
            levels.pop()
        elif command.startswith("(assert"):
            levels[-1].append(command)
    return [command for level in levels for command in level]


def check_model(script, model, z3):
    """Whether Z3 accepts the definitions of a model in place of the declarations."""
    lines = model.strip().splitlines()[1:-1]
    asserted = in_force(script)
    answer, _, _ = ask(z3, "\n".join([*lines, *asserted, "(check-sat)"]))
    return answer.split()[:1] == ["sat"]


def check_core(script, core, z3):
    names = core.strip("()\n ").split()
    needed = [a for a in in_force(script) if re.search(r":named (\w+)\)\)$", a).group(1) in names]
    answer, _, _ = ask(z3, "\n".join([*script.declarations, *needed, "(check-sat)"]))
    return answer.split()[:1] == ["unsat"]


def parts_of(text):
    """The elements of a list."""
    parts, depth, start = [], 0, None
    for at, char in enumerate(text):
        if char == "(":
            depth += 1
            if depth == 2 and start is None:
                start = at
        elif char == ")":
            depth -= 1
            if depth <= 1 and start is not None:
                parts.append(text[start : at + (depth == 1)])
                start = None
        elif depth == 1 and char.isspace():
            if start is not None:
                parts.append(text[start:at])
            start = None
        elif depth == 1 and start is None:
            start = at
    return parts


def check_interpolants(script, reply, z3):
    formulas = [re.match(r"\(assert \(! (.*) :named \w+\)\)$", a).group(1) for a in in_force(script)]
    made = ["true", *parts_of(reply), "false"]
    if len(made) != len(formulas) + 1:
        return False
    for before, formula, after in zip(made, formulas, made[1:]):
        question = f"(assert {before})(assert {formula})(assert (not {after}))(check-sat)"
        answer, _, _ = ask(z3, "\n".join([*script.declarations, question]))
        if answer.split()[:1] != ["unsat"]:
            return False
    return True


def judge(script, alphorn, z3):
    """What is wrong, and how many questions each of the answers has."""
    ours, said, code = ask(alphorn, script.text())
    theirs, _, _ = ask(z3, script.text())
    mine, other = ours.split(), theirs.split()
    if code not in (0, 2) or said:
        return f"exit code {code}: {ours} {said}", mine
    if len(mine) != len(other):
        return f"{mine} but Z3 {other}", mine
    for own, known in zip(mine, other):
        if "unknown" not in (own, known) and own != known:
            return f"{mine} but Z3 {other}", mine
    if mine[-1] == "sat" and "U" not in script.sorts:
        model = ask(alphorn, script.text(["(get-model)"]))[0].split("\n", len(mine))[-1]
        if not check_model(script, model, z3):
            return f"Z3 refuses the model\n{model}", mine
    if mine[-1] == "unsat":
        option = "(set-option :produce-unsat-cores true)\n"
        text = option + script.text(["(get-unsat-core)"])
        core = ask(alphorn, text)[0].split("\n", len(mine))[-1]
        if not check_core(script, core, z3):
            return f"Z3 refuses the core {core}", mine
        names = [re.search(r":named (\w+)\)\)$", a).group(1) for a in in_force(script)]
        if len(names) > 1 and not script.quantifiers:
            option = "(set-option :produce-interpolants true)\n"
            question = f"(get-interpolants {' '.join(names)})"
            made = ask(alphorn, option + script.text([question]))[0].split("\n", len(mine))[-1]
            if made.strip() == "unsupported":
                script.undone = True
            elif not check_interpolants(script, made, z3):
                return f"Z3 refuses the interpolants {made}", mine
    return None, mine


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--alphorn", default="target/release/alphorn")
    parser.add_argument("--z3", default="z3")
    parser.add_argument("--keep", default="red-scripts")
    parser.add_argument("--quantifiers", action="store_true")
    args = parser.parse_args()
    counts = {"sat": 0, "unsat": 0, "unknown": 0}
    failures = undone = 0
    program = [args.alphorn, "smt", "--time", "20s", *["--no-check"] * args.quantifiers]
    for number in range(args.count):
        seed = args.seed + number
        script = Script(random.Random(seed), args.quantifiers)
        wrong, answers = judge(script, program, [args.z3, "-T:20"])
        undone += script.undone
        for answer in answers:
            if answer in counts:
                counts[answer] += 1
        if wrong:
            failures += 1
            os.makedirs(args.keep, exist_ok=True)
            path = os.path.join(args.keep, f"red-{seed}.smt2")
            with open(path, "w") as file:
                file.write(script.text())
            print(f"{path}: {wrong}", flush=True)
    print(f"{args.count} scripts, answers {counts}, {failures} failures, {undone} without interpolants")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
