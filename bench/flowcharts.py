#!/usr/bin/env python3
r"""Programs as one transition relation, as model checkers write them: the place in the bits of a counter.

    bench/flowcharts.py DIRECTORY [--sizes 2,4,6] [--seeds 3]
    bench/run.py --out rows.csv --time 10 --threads 1 --expected DIRECTORY/expected.csv --root DIRECTORY \
        --command alphorn --command z3 DIRECTORY

Each system has one predicate and three clauses, over truth values (the place) and reals, most of which are flags,
modes and events that are copied and compared with constants. Kinds, each safe and unsafe:

- ring: stations pass a token on; two of them never have it
- pipes: stages hand a value on, which arrives as it was sent, with one added by each stage that says so
- locks: processes take locks one after the other, and an error is to give one back that nobody took
- phases: rounds in which every station must have answered before the next begins, with a count of rounds

Before every action the program goes through places that keep temporary values, as compilers do, so that there are more
variables than matter at a place. The seed chooses which temporaries there are and in which order things are written.
"""

import argparse
import pathlib
import random


class Program:
    """Edges between places: guards and assignments, both texts."""

    def __init__(self, rng):
        self.rng, self.vars, self.edges, self.start = rng, [], [], {}

    def var(self, name, start=None):
        self.vars.append(name)
        if start is not None:
            self.start[name] = start
        return name

    def edge(self, source, target, guard, **values):
        self.edges.append((source, target, guard, values))

    def text(self, error):
        places = sorted({place for edge in self.edges for place in edge[:2]} | {0, error})
        width = max(1, (len(places) - 1).bit_length())
        order = [place for place in places if place != 0]
        self.rng.shuffle(order)
        codes = {0: 0, **{place: code for code, place in enumerate(order, 1)}}

        def at(place, prime=""):
            bits = [f"b{k}{prime}" for k in range(width)]
            says = [bit if codes[place] >> k & 1 else f"(not {bit})" for k, bit in enumerate(bits)]
            return " ".join(says)

        def state(prime=""):
            return " ".join([f"b{k}{prime}" for k in range(width)] + [name + prime for name in self.vars])

        def declared(prime=""):
            bits = " ".join(f"(b{k}{prime} Bool)" for k in range(width))
            return bits + " " + " ".join(f"({name}{prime} Real)" for name in self.vars)

        ways = []
        for source, target, guard, values in self.edges:
            moves = [f"(= {name}n {values.get(name, name)})" for name in self.vars if values.get(name, name) != "?"]
            self.rng.shuffle(moves)
            ways.append(f"(and {at(source)} {at(target, 'n')} {guard} {' '.join(moves)})")
        self.rng.shuffle(ways)
        start = " ".join(f"(= {name} {value})" for name, value in self.start.items())
        return "\n".join([
            "(set-logic HORN)",
            f"(declare-fun state ({' '.join(['Bool'] * width + ['Real'] * len(self.vars))}) Bool)",
            f"(assert (forall ({declared()}) (=> (and {at(0)} {start}) (state {state()}))))",
            f"(assert (forall ({declared()} {declared('n')}) (=> (and (state {state()}) (or {' '.join(ways)}))"
            f" (state {state('n')}))))",
            f"(assert (forall ({declared()}) (=> (and (state {state()}) {at(error)}) false)))",
            "(check-sat)",
            "",
        ])


def temporaries(program, source, target, rng, number):
    """A path on which temporaries get values that are looked at once."""
    last = source
    for k in range(number):
        name = program.var(f"t{source}_{k}")
        middle = 1000 + 10 * source + k
        program.edge(last, middle, "true", **{name: rng.choice(["0.0", "1.0", "2.0"])})
        last = middle
    program.edge(last, target, "true" if number == 0 else f"(not (= t{source}_{number - 1} 3.0))")


def ring(rng, size, is_safe):
    program = Program(rng)
    modes = [program.var(f"m{i}", "1.0" if i == 0 else "0.0") for i in range(size)]
    events = [program.var(f"e{i}", "2.0") for i in range(size)]
    temporaries(program, 0, 1, rng, rng.randrange(3))
    for i in range(size):
        j = (i + 1) % size
        keep = {} if is_safe or i != size - 1 else {modes[i]: modes[i]}
        program.edge(1, 2, f"(= m{i} 1.0) (= e{j} 2.0)", **{modes[i]: "0.0", events[j]: "0.0", **keep})
        program.edge(2, 0, f"(= e{i} 0.0) (= m{i} 0.0)", **{modes[i]: "1.0", events[i]: "2.0"})
        for k in range(i):
            program.edge(0, 3, f"(= m{i} 1.0) (= m{k} 1.0)")
    return program.text(3)


def pipes(rng, size, is_safe):
    program = Program(rng)
    sent, stage = program.var("sent"), program.var("stage", "0.0")
    values = [program.var(f"v{i}", None) for i in range(size + 1)]
    modes = [program.var(f"m{i}", rng.choice(["0.0", "1.0"])) for i in range(size)]
    program.edge(0, 1, "true", **{sent: "?", values[0]: "?"})
    program.edge(1, 2, f"(= {values[0]} {sent})", stage="0.0")
    for i in range(size):
        for mode, value in (("0.0", values[i]), ("1.0", f"(+ {values[i]} 1.0)")):
            program.edge(2, 2, f"(= stage {i}.0) (= m{i} {mode})", **{values[i + 1]: value, stage: f"{i + 1}.0"})
    least = f"(< {values[size]} {sent})" if is_safe else f"(<= {values[size]} (+ {sent} {size}.0))"
    program.edge(2, 3, f"(= stage {size}.0) {least}")
    program.edge(2, 0, f"(= stage {size}.0)", stage="0.0")
    return program.text(3)


def locks(rng, size, is_safe):
    program = Program(rng)
    taken = [program.var(f"l{i}", "0.0") for i in range(size)]
    wanted = [program.var(f"p{i}") for i in range(size)]
    program.edge(0, 1, "true", **{name: "?" for name in wanted}, **{name: "0.0" for name in taken})
    last = 1
    for i in range(size):
        program.edge(last, 10 + i, f"(not (= p{i} 0.0))", **{taken[i]: "1.0"})
        program.edge(last, 10 + i, f"(= p{i} 0.0)")
        last = 10 + i
    for i in range(size):
        slip = not is_safe and i == size - 1
        ask = f"(= p{i} 1.0)" if not slip else f"(not (= p{i} 1.0))"
        program.edge(last, 30 + i, f"{ask} (= l{i} 1.0)" if not slip else f"{ask} (= l{i} 1.0)", **{taken[i]: "0.0"})
        program.edge(last, 3, f"{ask} (not (= l{i} 1.0))")
        program.edge(last, 30 + i, f"(not {ask})")
        last = 30 + i
    program.edge(last, 0, "true")
    return program.text(3)


def phases(rng, size, is_safe):
    program = Program(rng)
    done = [program.var(f"d{i}", "0.0") for i in range(size)]
    rounds, late = program.var("rounds", "0.0"), program.var("late", "0.0")
    temporaries(program, 0, 1, rng, rng.randrange(3))
    for i in range(size):
        program.edge(1, 1, f"(= d{i} 0.0)", **{done[i]: "1.0"})
    all_done = " ".join(f"(= d{i} 1.0)" for i in range(size if is_safe else size - 1))
    program.edge(1, 2, all_done, rounds="(+ rounds 1.0)")
    some = "(or " + " ".join(f"(= d{i} 0.0)" for i in range(size)) + ")"
    program.edge(2, 0, "true", **{name: "0.0" for name in done})
    program.edge(2, 3, f"{some} (>= rounds 2.0)", **{late: "1.0"})
    return program.text(3)


KINDS = {"ring": ring, "pipes": pipes, "locks": locks, "phases": phases}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--sizes", default="2,4,6")
    parser.add_argument("--seeds", type=int, default=3)
    arguments = parser.parse_args()
    arguments.directory.mkdir(parents=True, exist_ok=True)
    expected = ["file,verdict"]
    for name, kind in KINDS.items():
        for size in map(int, arguments.sizes.split(",")):
            for seed in range(arguments.seeds):
                for is_safe in (True, False):
                    rng = random.Random(f"{name} {size} {seed}")
                    verdict = "safe" if is_safe else "unsafe"
                    path = arguments.directory / f"{name}_{size}_{seed}_{verdict}.smt2"
                    path.write_text(kind(rng, size, is_safe))
                    expected.append(f"{path.name},{verdict}")
    (arguments.directory / "expected.csv").write_text("\n".join(expected) + "\n")


if __name__ == "__main__":
    main()
