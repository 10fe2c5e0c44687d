#!/usr/bin/env python3
"""Scripts in a folder by several programs, each script in a process of its own: answers and CPU time.

    bench/exists_forall.py FOLDER [--program PATH …] [--seconds 10] [--random 0] [--z3 z3]

The folder may have a table `expected.csv` (file,expected,…), with which answers are compared; otherwise those of the programs are compared
with each other. `--random N` adds so many scripts of fuzz/random_quantified.py. What was measured is in bench/notes/exists-forall.md.
"""

import argparse
import csv
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def ask(command, seconds):
    """The first answer of a command, and its CPU time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if "refused" in done.stderr or "panicked" in done.stderr:
        print("fault:", command, done.stderr[-300:])
    found = re.search(r"^(sat|unsat|unknown)$", done.stdout, re.M)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return found[1] if found else "unknown", used


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--program", action="append")
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--z3")
    args = parser.parse_args()
    paths = sorted(args.folder.glob("*.smt2"))
    expected = {}
    if (args.folder / "expected.csv").exists():
        with open(args.folder / "expected.csv") as table:
            expected = {row["file"]: row["expected"] for row in csv.DictReader(table)}
    made = tempfile.TemporaryDirectory()
    if args.random:
        sys.path.insert(0, str(ROOT / "fuzz"))
        from random_quantified import Script
        for seed in range(args.random):
            path = pathlib.Path(made.name) / f"random{seed}.smt2"
            path.write_text("(set-logic ALL)\n" + Script(seed).text + "\n")
            paths.append(path)
    commands = [[program, "smt"] for program in args.program or ["target/release/alphorn"]]
    commands += [[args.z3]] if args.z3 else []
    results = {path.name: [ask([*command, str(path)], args.seconds) for command in commands] for path in paths}
    for place, command in enumerate(commands):
        own = {name: answers[place] for name, answers in results.items()}
        known = {name: answer for name, (answer, _) in own.items() if answer != "unknown"}
        wrong = [name for name in known if known[name] != expected.get(name, known[name])]
        both = [name for name in own if all(answer != "unknown" for answer, _ in results[name])]
        lost = [name for name in own if name not in known and any(a != "unknown" for a, _ in results[name])]
        slow = max(own.items(), key=lambda item: item[1][1], default=("", ("", 0)))
        print(f"{command[0]}: {len(known)} of {len(own)} decided, {len(wrong)} wrong; decided by all: {len(both)} in "
              f"{sum(own[name][1] for name in both):.2f} s; slowest {slow[1][1]:.2f} s ({slow[0]})")
        print("  only others:", " ".join(lost) or "none")
    for name, answers in results.items():
        if len({answer for answer, _ in answers if answer != "unknown"}) > 1:
            print("DIFFERENT", name, answers)


if __name__ == "__main__":
    main()
