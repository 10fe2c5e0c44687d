#!/usr/bin/env python3
"""Writes Horn systems of programs with any number of threads, safe and unsafe, as thread-modular proofs have them.

    bench/modular_threads.py DIRECTORY [--seed 0] [--sizes 1,2] [--only locks,barrier]
    bench/run.py --out rows.csv --time 10 --threads 1 --expected DIRECTORY/expected.csv --root DIRECTORY \
        --command alphorn --command z3 DIRECTORY

One predicate has the globals and the places of two threads of each kind. Threads may change places with others of their kind, each
step is one of a thread that is seen, or of one that is not: that one must go with both that are, in its place. (Hoenicke,
Majumdar, Podelski, "Thread modularity at many levels", POPL 2017.) A main thread sets the globals and starts the others. The size is how
many locks there are, how far counters go, or how many places are in between. Unsafe members lack a
test or a lock. The seed chooses the order of clauses and of arguments; the same arguments give the same files.
"""

import argparse
import pathlib
import random


class System:
    """Globals, kinds of threads, and their steps: (kind, from, guard, updates, to)."""

    def __init__(self, globals_, kinds):
        self.globals, self.kinds, self.steps, self.bad = globals_.split(), kinds, [], []

    def step(self, kind, source, target, guard="true", **updates):
        self.steps.append((kind, source, guard, updates, target))

    def never(self, kind, place):
        self.bad.append((kind, place))

    def text(self, rng):
        seen = [f"{kind}{n}" for kind in self.kinds for n in (1, 2)]
        names = [*self.globals, *seen, "main"]
        order = rng.sample(names, len(names))

        def inv(**values):
            return "(inv " + " ".join(str(values.get(name, name)) for name in order) + ")"

        def clause(head, *body):
            quantified = " ".join(f"({name} Int)" for name in names)
            return f"(assert (forall ({quantified})\n  (=> (and {' '.join(body)}) {head})))"

        clauses = [clause(inv(main=0, **{name: -1 for name in seen}).replace("-1", "(- 1)"), "true")]
        for kind in self.kinds:
            one, two = f"{kind}1", f"{kind}2"
            clauses.append(clause(inv(**{one: two, two: one}), inv()))
            ready = len(self.globals)
            clauses.append(clause(inv(main=ready, **{one: 0}), inv(main=ready, **{one: "(- 1)"})))
        for at, name in enumerate(self.globals):
            clauses.append(clause(inv(main=at + 1, **{name: 0}), inv(main=at)))
        for kind, source, guard, updates, target in self.steps:
            one, two = f"{kind}1", f"{kind}2"
            clauses.append(clause(inv(**updates, **{one: target}), inv(**{one: source}), guard))
            clauses.append(clause(inv(**updates), inv(), inv(**{one: source}), inv(**{two: source}), guard))
        rng.shuffle(clauses)
        clauses += [clause("false", inv(**{f"{kind}1": place})) for kind, place in self.bad]
        sorts = " ".join("Int" for _ in names)
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


KINDS = {"locks": locks, "both": both, "places": places, "handshake": handshake, "rotation": rotation}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sizes", default="1,2")
    parser.add_argument("--only", default=",".join(KINDS))
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
