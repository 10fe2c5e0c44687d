#!/usr/bin/env python3
"""Random small Horn systems: alphorn against Z3.

    fuzz/random_horn.py [--count 5000] [--seed 0] [--alphorn PATH] [--z3 PATH] [--keep DIR]
                        [--engine NAME] [--linear] [--loops] [--words] [--arrays] [--data]

Systems are over Bool, Int, Real, words, datatypes and arrays, linear or not, with disjunctions in bodies,
in both dialects. Where alphorn answers, its evidence is checked again from its file, Z3 is asked
about the same file (`pip install z3-solver` has the program), and the system is converted to every
format that can express it and asked again. Two different verdicts are an error; files are kept.
With --linear, systems are linear and over Bool, Int and Real alone, as engines for transition systems
want them; with --loops, they are loops over integers that closures are made for: steps by constants, places
that change, choices between bounds; with --words, they are over words and Bool alone; with --arrays, all have arrays; with
--data, all have datatypes: records, enumerations, options, arrays of them, lists; with --engine, one engine is asked, and nothing is converted.
"""

import os
import random
import subprocess
import sys

from harness import Harness, arguments

DATATYPES = """(declare-datatypes ((Colour 0)) (((red) (green) (blue))))
(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
(declare-datatypes ((Pair 0)) (((pair (first Int) (second Bool)))))
(declare-datatypes ((Option 0)) (((none) (some (value Int)) (other (tone Colour) (more Pair)))))
(declare-datatypes ((Rec 0)) (((rec (left Pair) (right Option) (shade Colour)))))
(declare-datatypes ((Box 0)) (((box (size Int) (cells (Array Int Option))))))
"""


ARRAY, GRID = "(Array Int Int)", "(Array Int (Array Int Int))"
PAIRS, CELLS, BY_PAIR = "(Array Int Pair)", "(Array Int Option)", "(Array Pair Int)"
# Arrays over datatypes: their sorts, with those of indices and elements.
ARRAYS = {PAIRS: ("Int", "Pair"), CELLS: ("Int", "Option"), BY_PAIR: ("Pair", "Int")}
# Constructors by sort, with the sorts of their fields.
MAKERS = {
    "Colour": [("red", []), ("green", []), ("blue", [])],
    "Pair": [("pair", ["Int", "Bool"])],
    "Option": [("none", []), ("some", ["Int"]), ("other", ["Colour", "Pair"])],
    "Rec": [("rec", ["Pair", "Option", "Colour"])],
    "Box": [("box", ["Int", CELLS])],
}
# Selectors: the constructor, the datatype and the sort of the field.
FIELDS = {
    "first": ("pair", "Pair", "Int"), "second": ("pair", "Pair", "Bool"),
    "value": ("some", "Option", "Int"), "tone": ("other", "Option", "Colour"),
    "more": ("other", "Option", "Pair"), "left": ("rec", "Rec", "Pair"),
    "right": ("rec", "Rec", "Option"), "shade": ("rec", "Rec", "Colour"),
    "size": ("box", "Box", "Int"), "cells": ("box", "Box", CELLS),
}


class System:
    def __init__(self, rng, linear=False, words=False, arrays=False, data=False, loops=False):
        self.rng, self.linear = rng, linear
        if loops:
            self.datatypes, self.fixedpoint = False, False
            self.loops()
            return
        theories = ["bool", "int", "int", "real", "word", "word", "data", "mixed", "array"]
        if linear:
            theories = ["bool", "int", "int", "real", "numbers"]
        theory = rng.choice(["array", "array", "array", "grid"] if arrays else theories)
        if words:
            theory = "word"
        if data:
            theory = rng.choice(["records", "options", "cells", "pairs", "lists"])
        self.sorts = {
            "bool": ["Bool"],
            "int": ["Int", "Int", "Bool"],
            "real": ["Real", "Real", "Bool"],
            "word": ["(_ BitVec 2)", "(_ BitVec 3)", "Bool"],
            "data": ["Colour", "L", "Pair", "Int"],
            "numbers": ["Int", "Real", "Bool"],
            "mixed": ["Int", "Real", "(_ BitVec 3)", "Bool", "Colour"],
            "array": ["Int", "Int", ARRAY, ARRAY, "Bool"],
            "grid": ["Int", "Int", ARRAY, GRID],
            "records": ["Int", "Pair", "Rec", "Colour", "Bool"],
            "options": ["Int", "Option", "Option", "Colour"],
            "cells": ["Int", "Option", CELLS, "Box"],
            "pairs": ["Int", "Pair", PAIRS, BY_PAIR],
            "lists": ["L", "Pair", "Int", "Colour"],
        }[theory]
        self.datatypes = theory in ("data", "mixed") or data
        self.has_data = data
        self.fixedpoint = rng.random() < 0.3
        self.preds = [
            (f"P{k}", [rng.choice(self.sorts) for _ in range(rng.choice([0, 1, 1, 1, 2, 2]))])
            for k in range(rng.randint(1, 3))
        ]
        self.clauses = []
        if ARRAY in self.sorts and rng.random() < 0.4:
            self.filled()
        elif rng.random() < 0.15:
            self.parametric()
        count = rng.randint(2, 5)
        for k in range(count):
            self.clauses.append(self.clause(fact=k == 0 or rng.random() < 0.15, query=False))
        for _ in range(rng.choice([1, 1, 1, 2])):
            self.clauses.append(self.clause(fact=False, query=True))

    def loops(self):
        """One or two predicates with loops of random classes, and a query that may be deep."""
        rng = self.rng
        width = rng.randint(1, 3)
        before, after = "xyz"[:width], "uvw"[:width]
        vars = [(name, "Int") for name in before]
        both = vars + [(name, "Int") for name in after]
        names = ["P", "Q"][:rng.choice([1, 1, 2])]
        self.preds = [(name, ["Int"] * width) for name in names]
        number = lambda low, high: (lambda n: str(n) if n >= 0 else f"(- {-n})")(rng.randint(low, high))
        state = lambda name, terms: f"({name} {' '.join(terms)})"
        start = " ".join(f"(= {name} {number(-3, 5)})" for name in before)
        self.clauses = [(vars, f"(and true {start})", state(names[0], before))]
        for source in names:
            for _ in range(rng.randint(1, 2)):
                target = rng.choice([source, source, rng.choice(names)])
                kind, parts = rng.random(), [state(source, before)]
                for name, new in zip(before, after):
                    old = rng.choice(before) if kind < 0.3 else name
                    if kind < 0.7:
                        sign = "(- {})" if kind < 0.1 else "{}"
                        parts.append(f"(= {new} (+ {sign.format(old)} {number(-3, 4)}))")
                    else:
                        low = rng.randint(-2, 2)
                        parts.append(f"(<= (+ {name} {str(low) if low >= 0 else f'(- {-low})'}) {new})")
                        if rng.random() < 0.9:
                            parts.append(f"(<= {new} (+ {name} {number(low, low + 2)}))")
                for _ in range(rng.choice([0, 1, 1, 2])):
                    left, right = rng.choice(before), rng.choice(before)
                    form = rng.choice(["(< {0} {2})", "(<= {0} (+ {1} {2}))", "(>= {0} {2})",
                                       "(<= (+ {0} {1}) {2})", "(distinct {0} {2})",
                                       "(or (< {0} {2}) (> {1} {2}))"])
                    parts.append(form.format(left, right, number(-10, 60)))
                self.clauses.append((both, f"(and {' '.join(parts)})", state(target, after)))
        wanted = [f"({rng.choice(['=', '=', '>=', '<='])} {name} {number(-40, 90)})"
                  for name in before if rng.random() < 0.8]
        last = state(rng.choice(names), before)
        self.clauses.append((vars, f"(and {last} {' '.join(wanted)} true)", None))

    def parametric(self):
        """A bounded counter with random numbers: most are decided either way."""
        rng = self.rng
        step, modulus, start = rng.randint(1, 4), rng.randint(2, 12), rng.randint(0, 3)
        target = rng.randint(0, 13)
        self.preds.append(("Count", ["Int"]))
        self.clauses += [
            ([("x", "Int")], f"(= x {start})", "(Count x)"),
            ([("x", "Int"), ("y", "Int")],
             f"(and (Count x) (= y (mod (+ x {step}) {modulus})))", "(Count y)"),
            ([("x", "Int")], f"(and (Count x) (= x {target}))", None),
        ]

    def filled(self):
        """An array is filled in a loop with random numbers, and one of its cells is looked at."""
        rng = self.rng
        start, end, value = rng.randint(0, 2), rng.randint(2, 5), rng.choice(["i", "7", "(+ i 1)"])
        step = rng.choice([1, 1, 2])
        wrong = rng.choice(["(< (select a k) 0)", "(distinct (select a k) 7)", "(> (select a k) k)"])
        self.preds.append(("Fill", ["Int", "Int", ARRAY]))
        vars = [("i", "Int"), ("n", "Int"), ("a", ARRAY)]
        upper = rng.choice(["n", str(end)])
        self.clauses += [
            (vars, f"(= i {start})", "(Fill i n a)"),
            (vars, f"(and (Fill i n a) (< i {upper}))",
             f"(Fill (+ i {step}) n (store a i {value}))"),
            (vars + [("k", "Int")],
             f"(and (Fill i n a) (>= i {upper}) (<= {start} k) (< k {upper}) {wrong})", None),
        ]

    # Terms of a sort over variables.

    def term(self, sort, vars, depth):
        rng = self.rng
        fit = [name for name, of in vars if of == sort]
        if depth <= 0 or rng.random() < 0.35:
            if fit and rng.random() < 0.8:
                return rng.choice(fit)
            return self.constant(sort)
        sub = lambda s: self.term(s, vars, depth - 1)
        kind = rng.random()
        if kind < 0.12:
            return f"(ite {self.formula(vars, depth - 1)} {sub(sort)} {sub(sort)})"
        if sort == "Bool":
            return self.formula(vars, depth - 1)
        if self.has_data and (sort != "Int" or kind < 0.5) and sort != "L":
            return self.data_term(sort, vars, depth)
        if sort == "Int":
            forms = [
                lambda: f"(+ {sub(sort)} {sub(sort)})",
                lambda: f"(- {sub(sort)} {sub(sort)})",
                lambda: f"(* {rng.randint(-2, 3) if rng.random() < 0.5 else 2} {sub(sort)})".replace("-2", "(- 2)").replace("-1", "(- 1)"),
                lambda: f"(mod {sub(sort)} {rng.randint(2, 5)})",
                lambda: f"(div {sub(sort)} {rng.choice(['2', '3', '(- 2)'])})",
                lambda: f"(abs {sub(sort)})",
            ]
            if "L" in self.sorts:
                forms.append(lambda: f"(ite ((_ is cons) {(l := sub('L'))}) (head {l}) 0)")
            if "Pair" in self.sorts:
                forms.append(lambda: f"(first {sub('Pair')})")
            if "Real" in self.sorts:
                forms.append(lambda: f"(to_int {sub('Real')})")
            if ARRAY in self.sorts:
                forms += [lambda: f"(select {sub(ARRAY)} {sub('Int')})"] * 4
            return rng.choice(forms)()
        if sort == "Real":
            forms = [
                lambda: f"(+ {sub(sort)} {sub(sort)})",
                lambda: f"(- {sub(sort)} {sub(sort)})",
                lambda: f"(* {rng.choice(['2.0', '0.5', '(- 1.0)'])} {sub(sort)})",
                lambda: f"(/ {sub(sort)} {rng.choice(['2.0', '3.0', '(- 4.0)'])})",
            ]
            if "Int" in self.sorts:
                forms.append(lambda: f"(to_real {sub('Int')})")
            return rng.choice(forms)()
        if sort == ARRAY:
            if GRID in self.sorts and rng.random() < 0.4:
                return f"(select {sub(GRID)} {sub('Int')})"
            return f"(store {sub(sort)} {sub('Int')} {sub('Int')})"
        if sort == GRID:
            return f"(store {sub(sort)} {sub('Int')} {sub(ARRAY)})"
        if sort == "L":
            return rng.choice([
                lambda: f"(cons {sub('Int')} {sub('L')})",
                lambda: f"(ite ((_ is cons) {(l := sub('L'))}) (tail {l}) nil)",
            ])()
        if sort == "Pair":
            return f"(pair {sub('Int')} {self.formula(vars, depth - 1)})"
        if sort == "Colour":
            return f"(ite {self.formula(vars, depth - 1)} {sub(sort)} {sub(sort)})"
        width = int(sort.split()[2][:-1])
        if rng.random() < 0.15 and width > 2:
            narrow = f"(_ BitVec {width - 1})"
            return rng.choice([
                lambda: f"((_ {rng.choice(['zero_extend', 'sign_extend'])} 1) {sub(narrow)})",
                lambda: f"(concat {sub(narrow)} ((_ extract 0 0) {sub(sort)}))",
                lambda: f"(bvadd {sub(sort)} (bvmul {self.constant(sort)} {sub(sort)}))",
            ])()
        op = rng.choice("bvadd bvsub bvmul bvand bvor bvxor bvudiv bvurem bvsdiv bvsrem bvshl bvlshr bvashr".split())
        if rng.random() < 0.2:
            return f"({rng.choice(['bvnot', 'bvneg'])} {sub(sort)})"
        return f"({op} {sub(sort)} {sub(sort)})"

    def data_term(self, sort, vars, depth):
        """A term by constructors, selectors, reads and writes."""
        rng, forms = self.rng, []
        sub = lambda s: self.term(s, vars, depth - 1)
        for name, fields in MAKERS.get(sort, []):
            forms.append(lambda name=name, fields=fields: name if not fields else
                         f"({name} {' '.join(sub(field) for field in fields)})")
        for name, (maker, of, field) in FIELDS.items():
            if field != sort or of not in self.sorts:
                continue
            if len(MAKERS[of]) == 1:
                forms.append(lambda name=name, of=of: f"({name} {sub(of)})")
            else:
                forms.append(lambda name=name, of=of, maker=maker:
                             f"(ite ((_ is {maker}) {(o := sub(of))}) ({name} {o}) {self.constant(sort)})")
        for array, (index, element) in ARRAYS.items():
            if array == sort:
                forms += [lambda index=index, element=element:
                          f"(store {sub(sort)} {sub(index)} {sub(element)})"] * 2
            if element == sort and array in self.sorts:
                forms += [lambda array=array, index=index:
                          f"(select {sub(array)} {sub(index)})"] * 3
        return rng.choice(forms)() if forms else self.constant(sort)

    def constant(self, sort):
        rng = self.rng
        if sort in ARRAYS:
            return f"((as const {sort}) {self.constant(ARRAYS[sort][1])})"
        if sort in ("Option", "Rec", "Box"):
            name, fields = rng.choice(MAKERS[sort])
            return name if not fields else f"({name} {' '.join(map(self.constant, fields))})"
        if sort == "Bool":
            return rng.choice(["true", "false"])
        if sort == "Int":
            value = rng.choice([0, 0, 1, 1, 2, 3, -1, 5])
            return str(value) if value >= 0 else f"(- {-value})"
        if sort == "Real":
            return rng.choice(["0.0", "1.0", "2.0", "0.5", "(- 1.0)", "(/ 1.0 3.0)"])
        if sort == ARRAY:
            return f"((as const {ARRAY}) {self.constant('Int')})"
        if sort == GRID:
            return f"((as const {GRID}) {self.constant(ARRAY)})"
        if sort == "Colour":
            return rng.choice(["red", "green", "blue"])
        if sort == "L":
            return rng.choice(["nil", "nil", "(cons 1 nil)"])
        if sort == "Pair":
            return rng.choice(["(pair 0 true)", "(pair 1 false)"])
        width = int(sort.split()[2][:-1])
        return f"#b{rng.randrange(1 << width):0{width}b}"

    def formula(self, vars, depth):
        rng = self.rng
        kind = rng.random()
        fit = [name for name, of in vars if of == "Bool"]
        if fit and kind < 0.15:
            return rng.choice(fit)
        if depth > 0 and kind < 0.4:
            a, b = self.formula(vars, depth - 1), self.formula(vars, depth - 1)
            return rng.choice([f"(and {a} {b})", f"(or {a} {b})", f"(not {a})", f"(= {a} {b})",
                               f"(=> {a} {b})", f"(xor {a} {b})"])
        sort = rng.choice(self.sorts)
        a, b = self.term(sort, vars, depth - 1), self.term(sort, vars, depth - 1)
        if sort in ("Int", "Real"):
            return f"({rng.choice(['=', '<', '<=', '>', '>=', 'distinct'])} {a} {b})"
        if sort.startswith("(_"):
            op = rng.choice(["=", "bvult", "bvule", "bvslt", "bvsle", "bvugt", "distinct",
                             "bvuaddo", "bvsaddo", "bvssubo"][:7 if rng.random() < 0.9 else 10])
            return f"({op} {a} {b})"
        if sort == "L" and rng.random() < 0.3:
            return f"((_ is {rng.choice(['cons', 'nil'])}) {a})"
        if sort == "Colour" and rng.random() < 0.3:
            return f"((_ is {rng.choice(['red', 'blue'])}) {a})"
        if sort == "Option" and rng.random() < 0.5:
            return f"((_ is {rng.choice(['none', 'some', 'other'])}) {a})"
        return f"({rng.choice(['=', 'distinct'])} {a} {b})"

    # Clauses.

    def atom(self, vars, depth=1, simple=True):
        name, sorts = self.rng.choice(self.preds)
        if not sorts:
            return name
        args = [self.term(sort, vars, 0 if simple else depth) for sort in sorts]
        return f"({name} {' '.join(args)})"

    def clause(self, fact, query):
        rng = self.rng
        vars = [(f"{'xyzuvw'[k]}", rng.choice(self.sorts)) for k in range(rng.randint(1, 4))]
        parts = []
        if not fact:
            for _ in range(1 if self.linear else rng.choice([1, 1, 1, 2])):
                if rng.random() < 0.2:
                    parts.append(f"(or {self.body_part(vars)} {self.body_part(vars)})")
                else:
                    parts.append(self.atom(vars))
        for name, sort in vars:
            # Equations make most variables determined, as programs do.
            if rng.random() < 0.5:
                parts.append(f"(= {name} {self.term(sort, vars, 2)})")
        if rng.random() < (0.8 if query else 0.4):
            parts.append(self.formula(vars, 2))
        rng.shuffle(parts)
        body = "true" if not parts else parts[0] if len(parts) == 1 else f"(and {' '.join(parts)})"
        return vars, body, None if query else self.atom(vars, 1, rng.random() < 0.6)

    def body_part(self, vars):
        parts = [self.atom(vars)] if self.rng.random() < 0.8 else []
        parts.append(self.formula(vars, 1))
        return parts[0] if len(parts) == 1 else f"(and {' '.join(parts)})"

    def text(self):
        out = [] if self.fixedpoint else ["(set-logic HORN)"]
        if self.datatypes:
            out.append(DATATYPES.rstrip())
        return "\n".join(out + (self.rules() if self.fixedpoint else self.asserts())) + "\n"

    def asserts(self):
        out = [f"(declare-fun {name} ({' '.join(sorts)}) Bool)" for name, sorts in self.preds]
        for vars, body, head in self.clauses:
            bound = " ".join(f"({name} {sort})" for name, sort in vars)
            out.append(f"(assert (forall ({bound}) (=> {body} {head or 'false'})))")
        return out + ["(check-sat)"]

    def rules(self):
        out = [f"(declare-rel {name} ({' '.join(sorts)}))" for name, sorts in self.preds]
        out.append("(declare-rel goal ())")
        for vars, body, head in self.clauses:
            bound = " ".join(f"({name} {sort})" for name, sort in vars)
            out.append(f"(rule (forall ({bound}) (=> {body} {head or 'goal'})))")
        return out + ["(query goal)"]


class Systems(Harness):
    def __init__(self, args):
        super().__init__(args, "horn", ["files", "safe", "unsafe", "unknown", "checked", "z3",
                                        "z3 unknown", "converted"])

    def ask(self, path, evidence=None):
        """The file's verdict; a file with several properties is unsafe if one is."""
        extra = ["--evidence", evidence] if evidence else []
        if self.args.engine:
            extra += ["--engine", self.args.engine]
        answers, is_sound = self.answers(path, "--time", "2s", "--ticks", self.args.ticks, *extra)
        verdicts = {answer["verdict"] for answer in answers}
        wanted = ("unsafe", "unknown", "safe") if is_sound else ()
        return next((verdict for verdict in wanted if verdict in verdicts), "unknown")

    def ask_z3(self, path, fixedpoint):
        try:
            done = subprocess.run([self.args.z3, "-T:2", path], capture_output=True, text=True,
                                  errors="replace", timeout=10)
        except subprocess.TimeoutExpired:
            return "unknown"
        said = done.stdout.split()
        if "sat" in said:
            return "unsafe" if fixedpoint else "safe"
        if "unsat" in said:
            return "safe" if fixedpoint else "unsafe"
        if "error" in done.stdout and "unknown" not in said:
            self.count["z3 errors"] = self.count.get("z3 errors", 0) + 1
            if self.args.verbose:
                print(path, done.stdout[:200])
        return "unknown"

    def one(self, seed):
        args = self.args
        system = System(random.Random(seed), args.linear, args.words, args.arrays, args.data,
                        args.loops)
        path = os.path.join(self.folder, f"{seed}.smt2")
        with open(path, "w") as file:
            file.write(system.text())
        before, evidence, made = self.errors, path + ".evidence", [path, path + ".evidence"]
        verdict = self.ask(path, evidence)
        self.count["files"] += 1
        self.count[verdict] += 1
        if verdict != "unknown":
            done = self.run("check", path, evidence)
            self.count["checked"] += 1
            if done.returncode != 0 or verdict.upper() not in done.stdout:
                self.error(f"{path}: check: {(done.stdout + done.stderr)[:300]}")
            other = self.ask_z3(path, system.fixedpoint)
            self.count["z3" if other != "unknown" else "z3 unknown"] += 1
            if {verdict, other} == {"safe", "unsafe"}:
                self.error(f"{path}: alphorn says {verdict}, z3 {other}")
            formats = [("smtlib", "smt2"), ("btor2", "btor2"), ("aag", "aag")]
            for to, ending in [] if self.args.engine else formats:
                converted = f"{path}.{to}.{ending}"
                done = self.run("convert", path, "--to", to, "-o", converted)
                if done.returncode == 5:
                    continue
                made.append(converted)
                if done.returncode != 0:
                    self.error(f"{path}: convert to {to}: {done.stderr[:300]}")
                    continue
                self.count["converted"] += 1
                again = self.ask(converted)
                if {verdict, again} == {"safe", "unsafe"}:
                    self.error(f"{converted}: {again}, but {verdict} before")
        if self.errors == before:
            for name in made:
                if os.path.exists(name):
                    os.remove(name)


def main():
    parser = arguments(__doc__, 5000)
    parser.add_argument("--z3", default="z3")
    parser.add_argument("--ticks", default="50k")
    parser.add_argument("--engine")
    parser.add_argument("--linear", action="store_true")
    parser.add_argument("--loops", action="store_true")
    parser.add_argument("--words", action="store_true")
    parser.add_argument("--arrays", action="store_true")
    parser.add_argument("--data", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    return Systems(parser.parse_args()).all()


if __name__ == "__main__":
    sys.exit(main())
