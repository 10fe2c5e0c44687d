#!/usr/bin/env python3
"""Random Boolean programs with threads against an explicit search of all interleavings.

The search knows nothing but the meaning of statements: it keeps shared values and a sorted list of threads, and looks at
runs with a bounded number of threads. A violation that it finds must not be called safe; if it has seen
everything without having to leave a thread out, what it does not find must not be called unsafe.

    python3 fuzz/random_boolean.py --count 1000 [--alphorn PROGRAM] [--engine wqo]
"""

import argparse
import itertools
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

MAX_THREADS = 4
MAX_STATES = 30000


def random_formula(rng, depth=2, primed=False):
    """A formula as a nested tuple."""
    kind = rng.random()
    if depth == 0 or kind < 0.45:
        atoms = ["s", "t", "l"] if not primed else ["'s", "'t", "'l"]
        return (rng.choice(atoms + ["0", "1", "*"]),)
    if kind < 0.6:
        return ("!", random_formula(rng, depth - 1, primed))
    operator = rng.choice(["&", "|", "=", "!=", "schoose", "?"])
    count = 3 if operator == "?" else 2
    return (operator, *(random_formula(rng, depth - 1, primed) for _ in range(count)))


def shown(formula):
    head, *rest = formula
    if not rest:
        return head
    parts = [shown(part) for part in rest]
    if head == "!":
        return f"!({parts[0]})"
    if head == "schoose":
        return f"schoose[{parts[0]}, {parts[1]}]"
    if head == "?":
        return f"(({parts[0]}) ? ({parts[1]}) : ({parts[2]}))"
    return f"(({parts[0]}) {head} ({parts[1]}))"


def values(formula, old, new=None):
    """The set of what a formula may be, by trying all choices."""
    head, *rest = formula
    if head == "*":
        return {0, 1}
    if head in "01":
        return {int(head)}
    if not rest:
        return {new[head[1:]]} if head.startswith("'") else {old[head]}
    parts = [values(part, old, new) for part in rest]
    apply = {
        "!": lambda a: 1 - a, "&": lambda a, b: a & b, "|": lambda a, b: a | b,
        "=": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b),
        "?": lambda a, b, c: b if a else c,
    }
    if head == "schoose":
        found = set()
        for yes, no in itertools.product(*parts):
            found |= {1} if yes else {0} if no else {0, 1}
        return found
    return {apply[head](*choice) for choice in itertools.product(*parts)}


def random_program(rng):
    """Starts of the variables, and statements."""
    starts = {name: rng.choice(["0", "1", "*"]) for name in "stl"}
    count = rng.randint(3, 7)
    statements, inside = [], 0
    for at in range(count):
        kind = rng.random()
        place = lambda: rng.randint(0, count)
        if kind < 0.12:
            statements.append(("goto", [place() for _ in range(rng.randint(1, 2))]))
        elif kind < 0.3:
            statements.append(("assume", random_formula(rng)))
        elif kind < 0.55:
            names = rng.sample("stl", rng.randint(1, 2))
            constraint = random_formula(rng, 1, True) if rng.random() < 0.2 else None
            statements.append(("assign", names, [random_formula(rng, 1) for _ in names], constraint))
        elif kind < 0.67:
            statements.append(("start", place()))
        elif kind < 0.75:
            statements.append(("wait",))
        elif kind < 0.82:
            statements.append(("broadcast",))
        elif kind < 0.9:
            statements.append(("if", random_formula(rng, 1), place()))
        else:
            statements.append(("skip",))
    statements.insert(rng.randint(1, len(statements)), ("assert", random_formula(rng, 1)))
    if rng.random() < 0.3:
        # An atomic section without jumps in or out.
        first = rng.randint(0, len(statements) - 1)
        body = [s for s in statements[first:first + 2] if s[0] in ("assume", "assign", "assert", "skip", "broadcast")]
        statements += [("atomic",), *body, ("end_atomic",)]
    return starts, statements


def text_of(program):
    starts, statements = program
    lines = [f"decl s := {starts['s']}, t := {starts['t']};", "void main() begin", f"  decl l := {starts['l']};"]
    for at, (kind, *rest) in enumerate(statements):
        if kind == "goto":
            body = "goto " + ", ".join(f"L{place}" for place in rest[0])
        elif kind in ("assume", "assert"):
            body = f"{kind}({shown(rest[0])})"
        elif kind == "assign":
            names, formulas, constraint = rest
            body = f"{', '.join(names)} := {', '.join(map(shown, formulas))}"
            body += f" constrain {shown(constraint)}" if constraint else ""
        elif kind == "start":
            body = f"start_thread goto L{rest[0]}"
        elif kind == "if":
            body = f"if {shown(rest[0])} then goto L{rest[1]}; fi"
        else:
            body = {"atomic": "atomic_begin", "end_atomic": "atomic_end"}.get(kind, kind)
        lines.append(f"  L{at}: {body};")
    lines.append(f"  L{len(statements)}: skip;\nend")
    return "\n".join(lines) + "\n"


def search(program):
    """Whether an assertion fails, and whether all states were seen."""
    starts, statements = program
    options = [[0, 1] if starts[name] == "*" else [int(starts[name])] for name in "stl"]
    seen = {((s, t), ((0, l),), None) for s, t, l in itertools.product(*options)}
    open_, complete = list(seen), True
    while open_:
        state = open_.pop()
        shared, threads, holder = state
        for index, (place, local) in enumerate(threads) if holder is None else [(None, holder)]:
            if place >= len(statements):
                continue
            rest = threads if holder is not None else threads[:index] + threads[index + 1:]
            kind, *data = statements[place]
            old = {"s": shared[0], "t": shared[1], "l": local}
            after = []  # (shared, thread, rest, new threads, how the section goes on)
            step = lambda to=place + 1: after.append((shared, (to, local), rest, []))
            if kind == "goto":
                for to in data[0]:
                    step(to)
            elif kind == "assume":
                if 1 in values(data[0], old):
                    step()
            elif kind == "assert":
                if 0 in values(data[0], old):
                    return True, complete
                step()
            elif kind == "assign":
                names, formulas, constraint = data
                for choice in itertools.product(*(values(formula, old) for formula in formulas)):
                    new = {**old, **dict(zip(names, choice))}
                    if constraint is None or 1 in values(constraint, old, new):
                        after.append(((new["s"], new["t"]), (place + 1, new["l"]), rest, []))
            elif kind == "start":
                after.append((shared, (place + 1, local), rest, [(data[0], local)]))
            elif kind == "broadcast":
                waits = lambda thread: thread[0] < len(statements) and statements[thread[0]][0] == "wait"
                woken = tuple((at + waits((at, value)), value) for at, value in rest)
                after.append((shared, (place + 1, local), woken, []))
            elif kind == "if":
                may = values(data[0], old)
                if 1 in may:
                    step(data[1])
                if 0 in may:
                    step()
            elif kind in ("skip", "atomic", "end_atomic"):
                step()
            for new_shared, thread, others, more in after:
                inside = kind == "atomic" or (holder is not None and kind != "end_atomic")
                all_ = list(others) + more + ([] if inside else [thread])
                if len(all_) > MAX_THREADS or len(seen) > MAX_STATES:
                    complete = False
                    continue
                state = (new_shared, tuple(sorted(all_)), thread if inside else None)
                if state not in seen:
                    seen.add(state)
                    open_.append(state)
    return False, complete


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--alphorn", default="target/release/alphorn")
    parser.add_argument("--engine")
    args = parser.parse_args()
    counts, wrong = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.seed, args.seed + args.count):
            program = random_program(random.Random(seed))
            path = Path(folder) / "program.bp"
            path.write_text(text_of(program))
            command = [args.alphorn, str(path), "--time", "2s", "--threads", "1"]
            command += ["--engine", args.engine] if args.engine else []
            done = subprocess.run(command, capture_output=True, text=True)
            said = re.search(r": (SAFE|UNSAFE|UNKNOWN)", done.stdout)
            said = said[1] if said else "refused" if done.returncode == 5 else f"exit {done.returncode}"
            covered, complete = search(program)
            counts[said] = counts.get(said, 0) + 1
            if said.startswith("exit") or (said == "SAFE" and covered) or (
                    said == "UNSAFE" and complete and not covered):
                wrong += 1
                print(f"seed {seed}: {said}, found {covered}, complete {complete}\n{text_of(program)}{done.stderr}")
    print(" ".join(f"{name} {count}" for name, count in sorted(counts.items())), f"wrong {wrong}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
