#!/usr/bin/env python3
"""Writes Horn systems of programs with any number of threads, safe and unsafe, as thread-modular proofs have them.

    bench/modular_threads.py DIRECTORY [--seed 0] [--sizes 1,2] [--only locks,barrier]
    bench/run.py --out rows.csv --time 10 --threads 1 --expected DIRECTORY/expected.csv --root DIRECTORY \
        --command alphorn --command z3 DIRECTORY

One predicate has the globals and the places of two threads of each kind. Threads may change places with others of their kind, each
step is one of a thread that is seen, or of one that is not: that one must go with both that are, in its place. (Hoenicke,
Majumdar, Podelski, "Thread modularity at many levels", POPL 2017.) A main thread sets the globals and starts the others. The size is how
many locks there are, how far counters go, or how many places are in between. Kinds after the first five have a memory, arrays
that start with any contents, and threads with variables of their own, which point into it; `key` has a main thread that
compares what was chosen at its beginning. Unsafe members lack a test or a lock. The seed chooses the order of clauses and of arguments; the same arguments give the same files.
"""

import argparse
import pathlib
import random


class System:
    """Globals, kinds of threads, and their steps: (kind, from, guard, updates, to).

    A thread of a kind has the variables `own[kind]`, which guards and updates call `@name`; `?name` is any number. Arrays
    are globals that nobody sets at the beginning. The main thread takes the steps `main` before it sets globals.
    """

    def __init__(self, globals_, kinds, own=None, arrays="", main=()):
        self.globals, self.kinds, self.steps, self.bad = globals_.split(), kinds, [], []
        self.own, self.arrays, self.main = own or {}, arrays.split(), list(main)

    def step(self, kind, source, target, guard="true", **updates):
        self.steps.append((kind, source, guard, updates, target))

    def never(self, kind, place):
        self.bad.append((kind, place))

    def text(self, rng):
        seen = [f"{kind}{n}" for kind in self.kinds for n in (1, 2)]

        def own(kind, n):
            return {name: f"{kind}{n}_{name}" for name in self.own.get(kind, ())}

        chosen = sorted({name for _, guard, _ in self.main for name in guard.replace("(", " ").replace(")", " ").split()
                         if name.isalpha() and name.islower() and name != "true"} - {"and", "not", "or"})
        private = [name for kind in self.kinds for n in (1, 2) for name in own(kind, n).values()]
        names = [*self.globals, *seen, "main", *private, *chosen, *self.arrays]
        order = rng.sample(names, len(names))

        def inv(**values):
            return "(inv " + " ".join(str(values.get(name, name)) for name in order) + ")"

        def sort(name):
            return "(Array Int Int)" if name in self.arrays else "Int"

        def clause(head, *body):
            text = " ".join([head, *body]).replace("(", " ").replace(")", " ").split()
            more = [name for name in dict.fromkeys(text) if name.startswith("any_") or "3" in name and "_" in name]
            quantified = " ".join(f"({name} {sort(name)})" for name in names + more)
            return f"(assert (forall ({quantified})\n  (=> (and {' '.join(body)}) {head})))"

        def meant(text, kind, n):
            """What a guard or an update says of thread number `n`."""
            text = str(text).replace("?", "any_")
            for name, full in own(kind, n).items():
                text = text.replace(f"@{name}", full)
            return text

        clauses = [clause(inv(main=0, **{name: -1 for name in seen}).replace("-1", "(- 1)"), "true")]
        for kind in self.kinds:
            one, two = f"{kind}1", f"{kind}2"
            pairs = [(one, two), *zip(own(kind, 1).values(), own(kind, 2).values(), strict=True)]
            swap = {name: other for pair in pairs for name, other in (pair, pair[::-1])}
            clauses.append(clause(inv(**swap), inv()))
            ready = len(self.main) + len(self.globals)
            clauses.append(clause(inv(main=ready, **{one: 0}), inv(main=ready, **{one: "(- 1)"})))
        for at, (_, guard, updates) in enumerate(self.main):
            clauses.append(clause(inv(main=at + 1, **updates), inv(main=at), guard))
        for at, name in enumerate(self.globals, len(self.main)):
            clauses.append(clause(inv(main=at + 1, **{name: 0}), inv(main=at)))
        for kind, source, guard, updates, target in self.steps:
            one, two = f"{kind}1", f"{kind}2"

            def put(n):
                """The updates by thread number `n`: globals by name, its own variables after `own_`."""
                mine = {own(kind, n)[name[4:]]: meant(text, kind, n) for name, text in updates.items() if name[:4] == "own_"}
                return mine | {name: meant(text, kind, n) for name, text in updates.items() if name[:4] != "own_"}

            first, second, third = own(kind, 1).values(), own(kind, 2).values(), own(kind, 3).values()
            clauses.append(clause(inv(**put(1), **{one: target}), inv(**{one: source}), meant(guard, kind, 1)))
            others = {name: text for name, text in put(3).items() if name in names}
            clauses.append(clause(
                inv(**others), inv(), inv(**{one: source}, **dict(zip(first, third, strict=True))),
                inv(**{two: source}, **dict(zip(second, third, strict=True))), meant(guard, kind, 3)))
        rng.shuffle(clauses)
        clauses += [clause("false", inv(**{f"{kind}1": place})) for kind, place in self.bad]
        sorts = " ".join(sort(name) for name in order)
        return "\n".join(["(set-logic HORN)", f"(declare-fun inv ({sorts}) Bool)", *clauses, "(check-sat)"]) + "\n"


def locks(size, is_safe):
    """Threads that take one lock after another, count themselves in, and look whether they are alone."""
    system = System(" ".join(f"l{n}" for n in range(size)) + " c", ["t"])
    for n in range(size):
        system.step("t", n, n + 1, f"(= l{n} 0)" if is_safe else "true", **{f"l{n}": 1})
    system.step("t", size, size + 1, c="(+ c 1)")
    system.step("t", size + 1, size + 2, "(= c 1)", c="(- c 1)")
    system.step("t", size + 1, 99, "(not (= c 1))")
    for n in range(size):
        system.step("t", size + 2 + n, size + 3 + n if n < size - 1 else 0, **{f"l{n}": 0})
    system.never("t", 99)
    return system


def both(size, is_safe):
    """A counter goes up under one lock and down under another, and who holds both finds it where it was."""
    system = System("a b c", ["w", "r"])
    for first, lock, change, back in ((1, "a", "(+ c 1)", "(- c 1)"), (11, "b", "(- c 1)", "(+ c 1)")):
        system.step("w", 0, first, f"(= {lock} 0)", **{lock: 1})
        for n in range(size):
            system.step("w", first + n, first + n + 1, c=change)
        for n in range(size, 2 * size):
            system.step("w", first + n, first + n + 1, c=back)
        system.step("w", first + 2 * size, 0, **{lock: 0})
    system.step("r", 0, 1, "(= a 0)", a=1)
    system.step("r", 1, 2, "(= b 0)" if is_safe else "true", **({"b": 1} if is_safe else {}))
    system.step("r", 2, 3, "(= c 0)")
    system.step("r", 2, 99, "(not (= c 0))")
    system.step("r", 3, 4, **({"b": 0} if is_safe else {}))
    system.step("r", 4, 0, a=0)
    system.never("r", 99)
    return system


def places(size, is_safe):
    """At most so many threads are inside: a counter is tested and taken at once, or in two steps."""
    system = System("n", ["t"])
    if is_safe:
        system.step("t", 0, 1, f"(< n {size})", n="(+ n 1)")
    else:
        system.step("t", 0, 5, f"(< n {size})")
        system.step("t", 5, 1, n="(+ n 1)")
    system.step("t", 1, 2, f"(<= n {size})")
    system.step("t", 1, 99, f"(> n {size})")
    system.step("t", 2, 0, n="(- n 1)")
    system.never("t", 99)
    return system


def handshake(size, is_safe):
    """A flag goes around: threads of one kind set it, those of the other clear it, and only what was set is read."""
    system = System("f d l", ["p", "q"])
    system.step("p", 0, 1, "(and (= l 0) (= f 0))" if is_safe else "(= l 0)", l=1)
    for n in range(size):
        system.step("p", 1 + n, 2 + n, d="(+ d 1)")
    system.step("p", 1 + size, 2 + size, f=1)
    system.step("p", 2 + size, 0, l=0)
    system.step("q", 0, 1, "(and (= l 0) (= f 1))", l=1)
    system.step("q", 1, 2, f"(= d {size})", d=0)
    system.step("q", 1, 99, f"(not (= d {size}))")
    system.step("q", 2, 3, f=0)
    system.step("q", 3, 0, l=0)
    system.never("q", 99)
    return system


def rotation(size, is_safe):
    """Three values go round under a lock and stay different, wherever the lock is free."""
    system = System("l t x y z", ["m", "c"])
    system.step("m", 0, 1, "(= l 0)", l=1)
    moves = [{"t": "x"}, {"x": "y"}, {"y": "z"}, {"z": "t"}]
    for n in range(4 * size):
        system.step("m", 1 + n, 2 + n, **moves[n % 4])
    system.step("m", 1 + 4 * size, 0, l=0)
    system.step("c", 0, 1, "(= l 0)" if is_safe else "true", **({"l": 1} if is_safe else {}))
    system.step("c", 1, 2, "(and (= x 0) (= y 0))")
    system.step("c", 1, 3, "(not (= x y))")
    system.step("c", 1, 99, "(and (= x y) (not (= x 0)))")
    system.step("c", 2, 4, "(= l 1)" if is_safe else "(= l 0)", x=1, y=2, z=3)
    system.step("c", 3, 4)
    system.step("c", 4, 0, **({"l": 0} if is_safe else {}))
    system.never("c", 99)
    return system


def stack(size, is_safe):
    """Threads take a free cell, push it under a lock, and find that the stack is not empty."""
    system = System("l top", ["t"], {"t": ["p"]}, "taken next")
    free = "(and (> ?p 0) (= (select taken ?p) 0))" if is_safe else "(= (select taken ?p) 0)"
    system.step("t", 0, 1, free, own_p="?p", taken="(store taken ?p 1)")
    system.step("t", 1, 2, "(= l 0)", l=1)
    system.step("t", 2, 3, next="(store next @p top)")
    system.step("t", 3, 4, top="@p")
    system.step("t", 4, 5, l=0)
    for n in range(size):
        system.step("t", 5 + n, 6 + n)
    system.step("t", 5 + size, 6 + size, "(not (= top 0))", )
    system.step("t", 5 + size, 99, "(= top 0)")
    system.never("t", 99)
    return system


def cells(size, is_safe):
    """Threads write a number of theirs to a cell of theirs, and find it there later; then they give the cell back."""
    system = System("c", ["t"], {"t": ["p", "v"]}, "taken data")
    free = "(= (select taken ?p) 0)" if is_safe else "true"
    system.step("t", 0, 1, free, own_p="?p", own_v="?v", taken="(store taken ?p 1)")
    for n in range(size):
        system.step("t", 1 + n, 2 + n, data=f"(store data @p (+ @v {size - 1 - n}))")
    system.step("t", 1 + size, 2 + size, "(= (select data @p) @v)")
    system.step("t", 1 + size, 99, "(not (= (select data @p) @v))")
    system.step("t", 2 + size, 0, taken="(store taken @p 0)")
    system.never("t", 99)
    return system


def box(size, is_safe):
    """What is put into a box, through places in between, is no zero, and it is taken out only when it is there."""
    system = System("l full", ["p", "q"], {"p": ["v"], "q": ["w"]}, "data")
    system.step("p", 0, 1, "(> ?v 0)" if is_safe else "(>= ?v 0)", own_v="?v")
    system.step("p", 1, 2, "(and (= l 0) (= full 0))", l=1)
    for n in range(size):
        system.step("p", 2 + n, 3 + n, data=f"(store data {size - 1 - n} @v)")
    system.step("p", 2 + size, 3 + size, full=1)
    system.step("p", 3 + size, 0, l=0)
    system.step("q", 0, 1, "(and (= l 0) (= full 1))", l=1)
    system.step("q", 1, 2, own_w="(select data 0)")
    system.step("q", 2, 3, "(not (= @w 0))", data="(store data 0 0)")
    system.step("q", 2, 99, "(= @w 0)")
    system.step("q", 3, 4, full=0)
    system.step("q", 4, 0, l=0)
    system.never("q", 99)
    return system


def held(size, is_safe):
    """A lock for each cell: who holds it changes the cell in several steps, and finds it even."""
    system = System("c", ["t"], {"t": ["i"]}, "lock data")
    system.step("t", 0, 1, own_i="?i")
    free = "(= (select lock @i) 0)" if is_safe else "(>= (select lock @i) 0)"
    system.step("t", 1, 2, free, lock="(store lock @i 1)")
    system.step("t", 2, 3, data="(store data @i 0)")
    for n in range(size):
        system.step("t", 3 + n, 4 + n, data=f"(store data @i {n + 1})")
    system.step("t", 3 + size, 4 + size, f"(= (select data @i) {size})")
    system.step("t", 3 + size, 99, f"(not (= (select data @i) {size}))")
    system.step("t", 4 + size, 0, lock="(store lock @i 0)")
    system.never("t", 99)
    return system


def key(size, is_safe):
    """A main thread goes on only if what was chosen at the beginning fits; then threads take turns by a flag under a lock."""
    main = [("main", "(> a 3)", {}), ("main", "(= b (+ a 1))", {})]
    main += [("main", "(= d b)", {"b": "(+ b 1)", "d": "(+ d 1)"})] * size
    system = System("l x y", ["t", "c"], main=main)
    system.step("t", 0, 1, "(= l 0)", l=1)
    system.step("t", 1, 2, x="(+ x 1)")
    system.step("t", 2, 3, y="(+ y 1)")
    system.step("t", 3, 0, l=0)
    system.step("c", 0, 1, "(= l 0)" if is_safe else "true", **({"l": 1} if is_safe else {}))
    system.step("c", 1, 2, "(= x y)")
    system.step("c", 1, 99, "(not (= x y))")
    system.step("c", 2, 0, **({"l": 0} if is_safe else {}))
    system.never("c", 99)
    return system


FIRST = ["locks", "both", "places", "handshake", "rotation"]
KINDS = {"stack": stack, "cells": cells, "box": box, "held": held, "key": key, "locks": locks, "both": both, "places": places, "handshake": handshake, "rotation": rotation}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sizes", default="1,2")
    parser.add_argument("--only", default=",".join(FIRST))
    args = parser.parse_args()
    args.directory.mkdir(parents=True, exist_ok=True)
    rows = ["file,verdict"]
    for kind in args.only.split(","):
        for size in map(int, args.sizes.split(",")):
            for is_safe in (True, False):
                verdict = "safe" if is_safe else "unsafe"
                name = f"{kind}_{size}_{verdict}.smt2"
                rng = random.Random(f"{args.seed} {name}")
                (args.directory / name).write_text(KINDS[kind](size, is_safe).text(rng))
                rows.append(f"{name},{verdict}")
    (args.directory / "expected.csv").write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
