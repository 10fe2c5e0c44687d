#!/usr/bin/env python3
"""Lemmas on demand with and without don't-care reasoning, on scripts with conditional reads and writes.

    bench/dont_cares.py [--program PATH] [--count 60] [--seed 0] [--time 4] [--z3 z3]

Programs without loops over arrays: assignments to cells under conditions that depend on earlier cells, reads behind
conditions, cases of which one has to hold, and a question about cells at the end. The indices are integers, words or
elements of a declared sort. The program is the example run_script of crates/script (`cargo build --release -p
alphorn-script --example run_script`); every answer is checked. The levels are those of the setting
`arrays.relevance`: all literals with a value, justification. Told are answers, lemmas and CPU seconds.
What was measured is in bench/notes/smt-arrays.md.
"""

import argparse
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from instances import ROOT, run  # noqa: E402

SORTS = {"Int": "Int", "word": "(_ BitVec 8)", "U": "U"}


def script(seed):
    """A random program as a script."""
    rng = random.Random(seed)
    kind = rng.choice(list(SORTS))
    sort = SORTS[kind]
    steps, names = rng.randint(4, 14), rng.randint(3, 6)
    lines = ["(set-logic ALL)"] + (["(declare-sort U 0)"] if kind == "U" else [])
    lines += [f"(declare-const x{k} {sort})" for k in range(names)]
    lines += [f"(declare-const a{k} (Array {sort} {sort}))" for k in range(steps + 1)]
    lines += [f"(declare-const p{k} Bool)" for k in range(names)]
    term = lambda: f"x{rng.randrange(names)}"
    read = lambda k: f"(select a{rng.randint(max(0, k - 2), k)} {term()})"
    value = lambda k: rng.choice([term, lambda: read(k), lambda: f"(ite {condition(k)} {read(k)} {term()})"])()

    def condition(k):
        choice = rng.random()
        if choice < 0.3:
            return f"p{rng.randrange(names)}"
        if choice < 0.6:
            return f"(= {term()} {term()})"
        return f"(= {read(k)} {term()})"

    for k in range(steps):
        write = f"(store a{k} {term()} {value(k)})"
        other = rng.choice([f"a{k}", f"(store a{k} {term()} {value(k)})"])
        lines.append(f"(assert (= a{k + 1} (ite {condition(k)} {write} {other})))")
        if rng.random() < 0.5:
            cases = " ".join(f"(and {condition(k)} (distinct {read(k)} {value(k)}))" for _ in range(rng.randint(2, 4)))
            lines.append(f"(assert (or {cases}))")
    for _ in range(rng.randint(1, 3)):
        lines.append(f"(assert (distinct {read(steps)} {read(steps)}))")
    if rng.random() < 0.5:
        lines.append(f"(assert (= a{steps} (store a{rng.randrange(steps)} {term()} {term()})))")
    return "\n".join([*lines, "(check-sat)", "(get-info :all-statistics)"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=ROOT / "target/release/examples/run_script")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--time", type=int, default=4)
    parser.add_argument("--levels", default="0,1")
    parser.add_argument("--z3", default="z3")
    arguments = parser.parse_args()
    levels = arguments.levels.split(",")
    totals = {name: {"sat": 0, "unsat": 0, "unknown": 0, "lemmas": 0, "time": 0.0} for name in [*levels, "z3"]}
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "script.smt2"
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            path.write_text(script(seed))
            commands = {n: [arguments.program, "--set", f"arrays.relevance={n}", path] for n in levels}
            if arguments.z3:
                commands["z3"] = [arguments.z3, path]
            found = {}
            for name, command in commands.items():
                answers, counts, used = run(command, arguments.time)
                found[name] = ((answers or ["unknown"])[0], (counts or [{}])[0], used)
            if {"sat", "unsat"} <= {answer for answer, _, _ in found.values()}:
                print("different answers, seed", seed, {name: one[0] for name, one in found.items()})
                wrong += 1
            is_common = all(answer != "unknown" for answer, _, _ in found.values())
            for name, (answer, counts, used) in found.items():
                totals[name][answer] += 1
                if is_common:
                    totals[name]["lemmas"] += counts.get("array-lemmas", 0)
                    totals[name]["time"] += used
    for name, total in totals.items():
        print(name, {key: round(number, 2) for key, number in total.items()})
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
