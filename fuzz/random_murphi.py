#!/usr/bin/env python3
"""Random Murphi models, against an interpreter of their trees.

    fuzz/random_murphi.py [--count 300] [--seed 0] [--alphorn PATH] [--keep DIR]

A model is made as a tree that is both written as a text and run here, by the manual of the language: undefined values,
ranges, short circuits. Compared are the number of reachable states (`alphorn explore`), whether something
goes wrong, whether the invariant or a deadlock is violated, and whether what is live is out of reach somewhere; then the answers of the default run, with evidence.
"""

import os
import random
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import Harness, arguments  # noqa: E402

# Places: what they are written as, with the least and the largest value; truth values are 0 and 1, names 0, 1, 2.
PLACES = {"x": (0, 2), "y": (-1, 1), "r.g": (0, 1)}
TRUTHS = {"b": None, "r.f": None}
NAMES = ["A", "B", "C"]
MAX_STATES = 3000


class Wrong(Exception):
    pass


def used(value):
    if value is None:
        raise Wrong
    return value


class Model:
    def __init__(self, rng):
        self.rng = rng
        self.rules = [(self.truth(2, []), self.block(2, [])) for _ in range(rng.randint(1, 3))]
        self.sets = [(self.truth(2, ["i"]), self.block(2, ["i"])) for _ in range(rng.randint(0, 2))]
        self.start = self.block(2, [], is_start=True)
        self.invariant = self.truth(2, [])
        # What can be come to again and again, by numbers of its own, so that models stay what they were.
        self.rng = random.Random(rng.random())
        self.live = self.truth(2, [])
        self.lives = self.truth(2, ["w"])

    # What is generated: pairs of a text and a function of the state and of the names in scope.

    def place(self, scope):
        """A number variable, perhaps an element of the array: its text, how its key is found, its bounds."""
        rng = self.rng
        if rng.random() < 0.35:
            index = self.number(1, scope, is_index=True)
            def key(state, names):
                at = index[1](state, names)
                if at not in (0, 1):
                    raise Wrong
                return f"a[{at}]"
            return f"a[{index[0]}]", key, (0, 2)
        name = rng.choice(list(PLACES))
        return name, lambda state, names, name=name: name, PLACES[name]

    def number(self, depth, scope, is_index=False):
        rng = self.rng
        roll = rng.random()
        if depth == 0 or roll < 0.25:
            if scope and rng.random() < 0.6:
                name = rng.choice(scope)
                return name, lambda state, names: names[name]
            value = rng.randint(0, 1 if is_index else 2)
            return str(value), lambda state, names: value
        if roll < 0.65:
            if is_index:
                if rng.random() < 0.1:
                    return "x", lambda state, names: used(state["x"])
                return "(x % 2)", lambda state, names: used(state["x"]) % 2
            text, key, _ = self.place(scope)
            return text, lambda state, names: used(state[key(state, names)])
        if roll < 0.72:
            c, a, b = self.truth(1, scope), self.number(0, scope), self.number(0, scope)
            return (f"(({c[0]}) ? {a[0]} : {b[0]})",
                    lambda state, names: a[1](state, names) if c[1](state, names) else b[1](state, names))
        op = rng.choice("+-*")
        a, b = self.number(depth - 1, scope), self.number(depth - 1, scope)
        compute = {"+": lambda p, q: p + q, "-": lambda p, q: p - q, "*": lambda p, q: p * q}[op]
        return f"({a[0]} {op} {b[0]})", lambda state, names: compute(a[1](state, names), b[1](state, names))

    def truth(self, depth, scope):
        rng = self.rng
        roll = rng.random()
        if depth == 0 or roll < 0.2:
            name = rng.choice(list(TRUTHS))
            return name, lambda state, names: used(state[name]) == 1
        if roll < 0.45:
            op = rng.choice(["=", "!=", "<", "<=", ">", ">="])
            a, b = self.number(1, scope), self.number(1, scope)
            compare = {"=": lambda p, q: p == q, "!=": lambda p, q: p != q, "<": lambda p, q: p < q,
                       "<=": lambda p, q: p <= q, ">": lambda p, q: p > q, ">=": lambda p, q: p >= q}[op]
            return f"{a[0]} {op} {b[0]}", lambda state, names: compare(a[1](state, names), b[1](state, names))
        if roll < 0.55:
            name, op = rng.randrange(3), rng.choice(["=", "!="])
            return (f"e {op} {NAMES[name]}",
                    lambda state, names: (used(state["e"]) == name) == (op == "="))
        if roll < 0.62:
            text, key, _ = self.place(scope)
            return f"isundefined({text})", lambda state, names: state[key(state, names)] is None
        if roll < 0.7:
            a = self.truth(depth - 1, scope)
            return f"!({a[0]})", lambda state, names: not a[1](state, names)
        if roll < 0.8:
            bound = f"k{len(scope)}"
            a = self.truth(depth - 1, scope + [bound])
            word = rng.choice(["forall", "exists"])
            fold = all if word == "forall" else any
            return (f"{word} {bound} : index do {a[0]} end",
                    lambda state, names: fold(a[1](state, names | {bound: v}) for v in (0, 1)))
        op = rng.choice(["&", "|", "->"])
        a, b = self.truth(depth - 1, scope), self.truth(depth - 1, scope)
        def run(state, names):
            left = a[1](state, names)
            if op == "&":
                return left and b[1](state, names)
            if op == "|":
                return left or b[1](state, names)
            return not left or b[1](state, names)
        return f"({a[0]} {op} {b[0]})", run

    def block(self, depth, scope, is_start=False):
        stmts = [self.stmt(depth, scope) for _ in range(self.rng.randint(1, 3))]
        if is_start:
            values = {"x": 0, "y": 1, "r.g": 0, "b": 0, "r.f": 1, "e": 0, "a[0]": 0, "a[1]": 2}
            texts = {0: "0", 1: "1", 2: "2"}
            for key, value in values.items():
                if self.rng.random() < 0.02:
                    continue
                text = {"e": NAMES[0], "b": "false", "r.f": "true"}.get(key, texts[value])
                stmts.insert(0, (f"{key} := {text};", lambda state, names, k=key, v=value: state.update({k: v})))
        def run(state, names):
            for _, act in stmts:
                act(state, names)
        return " ".join(text for text, _ in stmts), run

    def stmt(self, depth, scope):
        rng = self.rng
        roll = rng.random()
        if depth == 0 or roll < 0.4:
            return self.assign(scope)
        if roll < 0.6:
            c, a, b = self.truth(1, scope), self.block(depth - 1, scope), self.block(depth - 1, scope)
            return (f"if {c[0]} then {a[0]} else {b[0]} end;",
                    lambda state, names: (a if c[1](state, names) else b)[1](state, names))
        if roll < 0.7:
            bound = f"j{len(scope)}"
            a = self.block(depth - 1, scope + [bound])
            def run(state, names):
                for value in (0, 1):
                    a[1](state, names | {bound: value})
            return f"for {bound} : index do {a[0]} end;", run
        if roll < 0.76:
            text, key, bounds = self.place(scope)
            word = rng.choice(["undefine", "clear", "clear", "clear", "clear", "clear"])
            return (f"{word} {text};", lambda state, names: state.update(
                {key(state, names): None if word == "undefine" else bounds[0]}))
        if roll < 0.77:
            c = self.truth(1, scope)
            def check(state, names):
                if not c[1](state, names):
                    raise Wrong
            return f"assert {c[0]};", check
        if roll < 0.97:
            a, b = self.block(0, scope), self.block(0, scope)
            def choose(state, names):
                (a if used(state["e"]) in (0, 2) else b)[1](state, names)
            return f"switch e case A, C: {a[0]} else {b[0]} end;", choose
        text, key, bounds = self.place(scope)
        by = self.number(1, scope)
        def more(state, names):
            where, step = key(state, names), by[1](state, names)
            if not -8 <= step <= 8:
                raise Wrong
            value = used(state[where]) + step
            if not bounds[0] <= value <= bounds[1]:
                raise Wrong
            state[where] = value
        kind = {(0, 2): "two", (-1, 1): "sign", (0, 1): "one"}[bounds]
        return f"add_{kind}({text}, {by[0]});", more

    def assign(self, scope):
        rng = self.rng
        roll = rng.random()
        if roll < 0.2:
            name, value = rng.choice(list(TRUTHS)), self.truth(1, scope)
            return (f"{name} := {value[0]};",
                    lambda state, names: state.update({name: int(value[1](state, names))}))
        if roll < 0.35:
            name = rng.randrange(3)
            return f"e := {NAMES[name]};", lambda state, names: state.update({"e": name})
        text, key, (low, high) = self.place(scope)
        if roll < 0.45 or low == 0 and high == 2 and roll < 0.6:
            other, from_, _ = self.place(scope)
            def copy(state, names):
                where = key(state, names)
                value = state[from_(state, names)]
                if value is not None and not low <= value <= high:
                    raise Wrong
                state[where] = value
            return f"{text} := {other};", copy
        value = self.number(1, scope)
        def put(state, names):
            where, new = key(state, names), value[1](state, names)
            if not low <= new <= high:
                raise Wrong
            state[where] = new
        if rng.random() < 0.93:
            def parity(state, names):
                where, new = key(state, names), value[1](state, names)
                state[where] = (new + 12) % 2
            return f"{text} := ({value[0]} + 12) % 2;", parity
        # A lone variable is copied, undefined or not: as a sum it is used.
        return f"{text} := {value[0]} + 0;", put

    def text(self):
        adds = "".join(
            f"procedure add_{name}(var q: {low}..{high}; d: -8..8); begin q := q + d; end;\n"
            for name, (low, high) in {"two": (0, 2), "sign": (-1, 1), "one": (0, 1)}.items())
        rules = "".join(f"rule \"r{n}\" {g[0]} ==> begin {b[0]} end;\n" for n, (g, b) in enumerate(self.rules))
        sets = "".join(f"ruleset i : index do rule \"s{n}\" {g[0]} ==> begin {b[0]} end; end;\n"
                       for n, (g, b) in enumerate(self.sets))
        return ("type index : 0..1; names : enum { A, B, C };\n"
                "var x : 0..2; y : -1..1; b : boolean; e : names; a : array [index] of 0..2;\n"
                "  r : record f : boolean; g : 0..1; end;\n" + adds
                + f"startstate begin {self.start[0]} end;\n" + rules + sets
                + f"invariant \"all is well\" {self.invariant[0]};\n"
                + f"liveness \"again\" {self.live[0]};\n"
                + f"ruleset w : index do liveness \"each\" {self.lives[0]} end;\n")

    def explore(self):
        """States, steps, and whether the invariant is violated, nothing can happen, what is live is out of reach."""
        state = dict.fromkeys(["x", "y", "b", "e", "a[0]", "a[1]", "r.f", "r.g"])
        self.start[1](state, {})
        first = tuple(state.items())
        seen, waiting, steps, bad, stuck = {first}, [first], 0, False, False
        into = {first: []}
        cases = [(rule, {}) for rule in self.rules]
        cases += [(rule, {"i": value}) for rule in self.sets for value in (0, 1)]
        while waiting:
            here = waiting.pop()
            bad |= not self.invariant[1](dict(here), {})
            count = 0
            for (guard, block), names in cases:
                if guard[1](dict(here), names):
                    count += 1
                    after = dict(here)
                    block[1](after, names)
                    after = tuple(after.items())
                    into.setdefault(after, []).append(here)
                    if after not in seen:
                        seen.add(after)
                        waiting.append(after)
            steps += count
            stuck |= count == 0
            if len(seen) > MAX_STATES:
                return None
        def is_missed(formula, names):
            met = [here for here in seen if formula[1](dict(here), names)]
            known = set(met)
            while met:
                for before in into[met.pop()]:
                    if before not in known:
                        known.add(before)
                        met.append(before)
            return len(known) < len(seen)
        missed = {"again": is_missed(self.live, {})}
        missed |= {f"each, w = {value}": is_missed(self.lives, {"w": value}) for value in (0, 1)}
        return len(seen), steps, bad, stuck, missed


class Models(Harness):
    def one(self, seed):
        model = Model(random.Random(seed))
        path = os.path.join(self.folder, f"{seed}.m")
        with open(path, "w") as file:
            file.write(model.text())
        try:
            found = model.explore()
            is_wrong = False
        except Wrong:
            found, is_wrong = None, True
        if found is None and not is_wrong:
            self.count["large"] += 1
            return
        done = self.run("explore", path, "--threads", str(1 + seed % 2))
        states = re.search(r": (\d+) states .*?(\d+) steps", done.stdout)
        told = dict(re.findall(r"\"([^\"]*)\": (UNSAFE|UNKNOWN)", done.stdout))
        if states is None or len(told) != 6:
            self.error(f"{path}: exit {done.returncode}: {(done.stdout + done.stderr)[:300]}")
            return
        self.count["wrong" if is_wrong else "right"] += 1
        wanted = {"error": is_wrong}
        if not is_wrong:
            wanted |= {"all is well": found[2], "deadlock": found[3]} | found[4]
            if int(states[1]) not in (found[0], found[0] + 1):
                self.error(f"{path}: {states[0]}, but it has {found[0]} states")
        for name, is_bad in wanted.items():
            if (told[name] == "UNSAFE") != is_bad:
                self.error(f"{path}: {name}: {told[name]}, but violated is {is_bad}")
        answers, _ = self.answers(path, "--time", "5s", "--threads", "1")
        for answer in answers:
            name = answer.get("name")
            if name in wanted and answer["verdict"] in ("safe", "unsafe"):
                self.count[answer["verdict"]] += 1
                if (answer["verdict"] == "unsafe") != wanted[name]:
                    self.error(f"{path}: {name}: {answer['verdict']}, but violated is {wanted[name]}")
        if not self.args.keep:
            os.remove(path)


if __name__ == "__main__":
    options = arguments(__doc__, 300).parse_args()
    sys.exit(Models(options, "murphi", ["right", "wrong", "large", "safe", "unsafe"]).all())
