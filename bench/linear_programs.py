#!/usr/bin/env python3
"""Linear programs of known answer, large ones: answers and CPU time of programs, side by side.

    bench/linear_programs.py [--program COMMAND …] [--z3 z3] [--size 1] [--count 2] [--seconds 10] [--only FAMILY,…] [--keep FOLDER]

Each family is drawn feasible and infeasible, with answers known by how they are made: a feasible one is drawn around a point, an infeasible one
has a combination of its rows that contradicts itself. A program is a command with options, such as
`target/release/alphorn smt --set simplex.oracle-after=1000000000`. An answer that differs is printed as WRONG and the exit code is 1.
What was measured is in bench/notes/smt.md.
"""

import argparse
import pathlib
import random
import re
import resource
import shlex
import subprocess
import sys
import tempfile
from fractions import Fraction


class System:
    """Rows `Σ a·x op b` over reals."""

    def __init__(self, count):
        self.count = count
        self.rows = []

    def add(self, terms, op, bound):
        self.rows.append((dict(terms), op, Fraction(bound)))

    def script(self):
        lines = ["(set-logic QF_LRA)"]
        lines += [f"(declare-const x{place} Real)" for place in range(self.count)]
        for terms, op, bound in self.rows:
            parts = [f"(* {number(by)} x{var})" for var, by in terms.items() if by != 0]
            total = parts[0] if len(parts) == 1 else "(+ " + " ".join(parts) + ")" if parts else "0.0"
            lines.append(f"(assert ({op} {total} {number(bound)}))")
        return "\n".join(lines + ["(check-sat)", ""])


def number(value):
    value = Fraction(value)
    text = f"{abs(value.numerator)}.0" if value.denominator == 1 else f"(/ {abs(value.numerator)}.0 {value.denominator}.0)"
    return f"(- {text})" if value < 0 else text


def at(terms, point):
    return sum(by * point[var] for var, by in terms.items())


def contradict(system, rng, share):
    """Adds minus a positive combination of `<=` rows, off by one."""
    rows = [row for row in system.rows if row[1] == "<="]
    terms, bound = {}, Fraction(0)
    for row, _, most in rng.sample(rows, max(2, int(len(rows) * share))):
        by = rng.randint(1, 5)
        bound += by * most
        for var, coefficient in row.items():
            terms[var] = terms.get(var, 0) - by * coefficient
    system.add(terms, "<=", -bound - 1)


def rows_of(rng, count, rows, length, size, is_feasible, slack=3, scale=lambda: 1):
    system = System(count)
    point = [rng.randint(-20, 20) for _ in range(count)]
    for _ in range(rows):
        by = scale()
        chosen = rng.sample(range(count), min(length, count))
        terms = {var: by * rng.choice([-1, 1]) * rng.randint(1, size) for var in chosen}
        system.add(terms, "<=", at(terms, point) + by * rng.randint(0, slack))
    for var in range(count):
        system.add({var: 1}, "<=", 100)
        system.add({var: -1}, "<=", 100)
    if not is_feasible:
        contradict(system, rng, 0.15)
    rng.shuffle(system.rows)
    return system


def dense(rng, size, is_feasible):
    """Every unknown in every row."""
    return rows_of(rng, int(25 * size), int(45 * size), int(25 * size), 9, is_feasible)


def sparse(rng, size, is_feasible):
    """Four unknowns in a row."""
    return rows_of(rng, int(120 * size), int(200 * size), 4, 9, is_feasible)


def scaled(rng, size, is_feasible):
    """Rows of sizes between 10^-12 and 10^12, where floats mislead."""
    return rows_of(rng, int(40 * size), int(60 * size), 5, 9, is_feasible, 1, lambda: Fraction(10) ** rng.randint(-12, 12))


def equations(rng, size, is_feasible):
    """Equations between bounded unknowns."""
    count = int(80 * size)
    system = System(count)
    point = [rng.randint(0, 10) for _ in range(count)]
    total, right = {}, Fraction(1)
    for _ in range(count // 2):
        terms = {var: rng.choice([-3, -2, -1, 1, 2, 3]) for var in rng.sample(range(count), 5)}
        system.add(terms, "=", at(terms, point))
        if rng.random() < 0.3:
            right += at(terms, point)
            for var, by in terms.items():
                total[var] = total.get(var, 0) + by
    for var in range(count):
        system.add({var: 1}, "<=", 10)
        system.add({var: -1}, "<=", 0)
    if not is_feasible:
        system.add(total, "=", right)
    rng.shuffle(system.rows)
    return system


def transport(rng, size, is_feasible):
    """From sources to sinks under capacities; demand is all that there is, or one more than that."""
    sources, sinks = int(12 * size), int(12 * size)
    system = System(sources * sinks)
    flow = [rng.randint(0, 9) if rng.random() < 0.3 else 0 for _ in range(system.count)]
    cell = lambda source, sink: source * sinks + sink
    for source in range(sources):
        row = {cell(source, sink): 1 for sink in range(sinks)}
        system.add(row, "<=", at(row, flow))
    for sink in range(sinks):
        row = {cell(source, sink): 1 for source in range(sources)}
        extra = 1 if sink == 0 and not is_feasible else 0
        system.add(row, ">=", at(row, flow) + extra)
    costs = {var: rng.randint(1, 9) for var in range(system.count)}
    system.add(costs, "<=", at(costs, flow))
    for var in range(system.count):
        system.add({var: 1}, ">=", 0)
        system.add({var: 1}, "<=", flow[var] + rng.randint(0, 5))
    return system


def network(rng, size, is_feasible):
    """A flow through layers, as large as the narrowest cut, or larger by one."""
    layers, width = 6, int(8 * size)
    edges, nodes = [], layers * width
    for layer in range(layers - 1):
        for left in range(width):
            for right in rng.sample(range(width), min(4, width)):
                edges.append((layer * width + left, (layer + 1) * width + right))
    system = System(len(edges))
    flow = [0] * len(edges)
    leaving = [[] for _ in range(nodes)]
    for place, (start, _) in enumerate(edges):
        leaving[start].append(place)
    for start in range(width):
        for _ in range(3):
            node = start
            while leaving[node]:
                edge = rng.choice(leaving[node])
                flow[edge] += 1
                node = edges[edge][1]
    cut = rng.randrange(layers - 1)
    for place, (start, _) in enumerate(edges):
        spare = 0 if start // width == cut else rng.randint(0, 3)
        system.add({place: 1}, ">=", 0)
        system.add({place: 1}, "<=", flow[place] + spare)
    for node in range(width, nodes - width):
        terms = {}
        for place, (start, end) in enumerate(edges):
            if start == node:
                terms[place] = 1
            elif end == node:
                terms[place] = -1
        system.add(terms, "=", 0)
    out = {place: 1 for place, (start, _) in enumerate(edges) if start < width}
    system.add(out, ">=", at(out, flow) + (0 if is_feasible else 1))
    return system


def klee_minty(rng, size, is_feasible):
    """The cube on which greedy pivots visit every corner, and its best corner or a little more."""
    count = int(24 * size)
    system = System(count)
    for row in range(count):
        terms = {var: 2 ** (row - var + 1) for var in range(row)}
        system.add({**terms, row: 1}, "<=", 5 ** (row + 1))
        system.add({row: 1}, ">=", 0)
    goal = {var: 2 ** (count - 1 - var) for var in range(count)}
    system.add(goal, ">=", 5 ** count + (0 if is_feasible else Fraction(1, 3)))
    return system


def differences(rng, size, is_feasible):
    """Differences of times, some strict; infeasible with a long cycle."""
    count = int(150 * size)
    system = System(count)
    time = [rng.randint(0, 1000) for _ in range(count)]
    for _ in range(4 * count):
        left, right = rng.sample(range(count), 2)
        system.add({left: 1, right: -1}, "<", time[left] - time[right] + rng.randint(1, 4))
    if not is_feasible:
        cycle = rng.sample(range(count), count // 3)
        for left, right in zip(cycle, cycle[1:] + cycle[:1]):
            system.add({left: 1, right: -1}, "<=", time[left] - time[right])
        left, right = cycle[0], cycle[1]
        system.add({left: 1, right: -1}, "<", time[left] - time[right])
    rng.shuffle(system.rows)
    return system


def degenerate(rng, size, is_feasible):
    """Many rows through one point, all strict or one combination too many."""
    count = int(30 * size)
    system = System(count)
    point = [rng.randint(-5, 5) for _ in range(count)]
    direction = [rng.randint(-5, 5) for _ in range(count)]
    for _ in range(3 * count):
        terms = {var: rng.randint(-4, 4) or 1 for var in rng.sample(range(count), 6)}
        if at(terms, direction) > 0:
            terms = {var: -by for var, by in terms.items()}
        system.add(terms, "<=", at(terms, point))
    if not is_feasible:
        contradict(system, rng, 0.2)
    rng.shuffle(system.rows)
    return system


FAMILIES = [dense, sparse, scaled, equations, transport, network, klee_minty, differences, degenerate]


def ask(command, path, seconds):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    done = subprocess.run([*command, path], capture_output=True, text=True, preexec_fn=limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if "panicked" in done.stderr or "refused" in done.stderr:
        print("fault:", command, path, done.stderr[-300:])
    found = re.search(r"^(sat|unsat|unknown)$", done.stdout, re.M)
    return found[1] if found else "-", after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--program", action="append")
    parser.add_argument("--z3")
    parser.add_argument("--size", type=float, default=1)
    parser.add_argument("--count", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", type=pathlib.Path)
    args = parser.parse_args()
    commands = [shlex.split(program) for program in args.program or ["target/release/alphorn smt"]]
    commands += [[args.z3]] if args.z3 else []
    only = set(filter(None, args.only.split(",")))
    wrong = 0
    totals = [[0, 0.0] for _ in commands]
    print("| family | answer | " + " | ".join(" ".join(command[-2:]) for command in commands) + " |")
    print("|---|---|" + "--:|" * len(commands))
    with tempfile.TemporaryDirectory() as made:
        folder = args.keep or pathlib.Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        for family in FAMILIES:
            if only and family.__name__ not in only:
                continue
            for is_feasible in (True, False):
                expected = "sat" if is_feasible else "unsat"
                cells = [[] for _ in commands]
                for draw in range(args.count):
                    rng = random.Random(f"{family.__name__} {args.seed + draw} {args.size}")
                    path = folder / f"{family.__name__}-{expected}-{args.seed + draw}-{args.size}.smt2"
                    path.write_text(family(rng, args.size, is_feasible).script())
                    for place, command in enumerate(commands):
                        answer, used = ask(command, str(path), args.seconds)
                        totals[place][1] += used
                        if answer == expected:
                            totals[place][0] += 1
                            cells[place].append(f"{used:.2f}")
                        elif answer in ("sat", "unsat"):
                            wrong += 1
                            cells[place].append("WRONG")
                        else:
                            cells[place].append(f"– ({used:.0f})")
                print(f"| {family.__name__} | {expected} | " + " | ".join(", ".join(cell) for cell in cells) + " |", flush=True)
    print("| solved, CPU s | | " + " | ".join(f"{solved}, {used:.1f}" for solved, used in totals) + " |")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
