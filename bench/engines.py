#!/usr/bin/env python3
"""What each engine decides alone: the table that the engine book shows.

    python3 bench/engines.py target/release/alphorn [--ticks 20k] [--each 3] [--kind KIND] [--group GROUP]
                             [--engine NAME] [--out bench/notes/engines.tsv]

Every engine is asked about the first few small problems of each group of its kind in corpus/ and examples/, alone, with one
thread and so many ticks, so that the answers are the same on every machine; and about those that name it (`engines:`), in
the group `named`. Files with several properties are left out. First come rows with `of`: a kind, a group of problems, and how many
there are. The others are a kind, an engine, the group, the words behind `alphorn`, the answer, and the seconds of CPU, which
are those of one machine. An answer against what the file itself expects ends it with 1.
"""

import argparse
import glob
import json
import os
import re
import resource
import shlex
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# By kind: a group, a verb or none, and files.
ASKED = {
    "horn": [(None, "", "corpus/horn/*/*.smt2"), ("counters", "", "corpus/counters/*.spec"),
             ("clocks", "", "corpus/timed/*.tck"), ("examples", "", "examples/*.smt2"), ("C", "", "corpus/c/[cf]*.c")],
    "circuit": [(None, "", "corpus/aiger/*/*.aag"), ("examples", "", "examples/*.aag")],
    "words": [(None, "", "corpus/btor2/*/*.btor2"), ("examples", "", "examples/*.btor2")],
    "program": [("C", "", "corpus/c/*.c"), ("examples", "", "examples/*.c")],
    "flow": [("flows", "terminate", "corpus/flow/*"), ("examples", "terminate", "examples/*.t2"),
             ("examples", "terminate", "examples/gcd.c")],
    "temporal": [("formulas", "ctl", "examples/server.t2")],
}
FORMULAS = ["AG (busy == 1 -> AF (busy == 0))", "AG AF (busy == 1)", "EF (busy == 1)", "AG EF (busy == 0)", "EG (busy == 0)"]
EXPECTED = {"safe": "safe", "unsafe": "unsafe", "terminates": "safe", "runs forever": "unsafe"}


def problems(kind, each, engine=None):
    """Groups, and the words that ask: some of each group, and those that name the engine."""
    seen = {}
    for group, verb, pattern in ASKED[kind]:
        for file in sorted(glob.glob(pattern)):
            words = ([verb] if verb else []) + [file]
            for formula in FORMULAS if verb == "ctl" else [None]:
                place = group or file.split("/")[2]
                seen[place] = seen.get(place, 0) + 1
                if seen[place] > each and not formula:
                    place = "named"
                    if engine not in named(file):
                        continue
                yield place, words + (["--property", formula] if formula else []), file


def head(file):
    with open(file, errors="replace") as text:
        return text.read(2000)


def named(file):
    """The engines that a file names."""
    found = re.search(r"engines: *(.*)$", head(file), re.MULTILINE)
    return re.split(r"[ ,]+", found.group(1)) if found else []


def expected(file):
    found = re.search(r"expect: *(\w+(?: forever)?) *$", head(file), re.MULTILINE)
    return found and EXPECTED.get(found.group(1))


def ask(alphorn, words):
    """The only verdict, or none, and the seconds of CPU."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [alphorn, *words, "--threads", "1", "--time", "60s", "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    said = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    verdicts = [one["verdict"] for one in said if one.get("kind") == "answer"]
    return (verdicts[0] if len(verdicts) == 1 and verdicts[0] != "unknown" else None), seconds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("alphorn")
    parser.add_argument("--ticks", default="20k")
    parser.add_argument("--each", type=int, default=3)
    parser.add_argument("--engine", action="append")
    parser.add_argument("--kind")
    parser.add_argument("--group")
    parser.add_argument("--out")
    args = parser.parse_args()
    alphorn = os.path.abspath(args.alphorn)
    os.chdir(ROOT)
    listed = subprocess.run([alphorn, "engines", "--json"], stdout=subprocess.PIPE, text=True, check=True)
    engines = [(line["works_on"], line["name"]) for line in map(json.loads, listed.stdout.splitlines())]
    wrong, rows = 0, []
    for kind in ASKED:
        groups = [group for group, _, _ in problems(kind, args.each)]
        rows += [f"{kind}\tof\t{group}\t{groups.count(group)}" for group in sorted(set(groups))]
    for kind, name in engines:
        if args.engine and name not in args.engine or args.kind and kind != args.kind:
            continue
        for group, words, file in problems(kind, args.each, name):
            if args.group and group != args.group:
                continue
            words = words + ["--engine", name, "--ticks", args.ticks]
            verdict, seconds = ask(alphorn, words)
            if verdict is None:
                continue
            label = None if kind == "temporal" else expected(file)
            if label and label != verdict:
                print(f"WRONG {shlex.join(words)}: {verdict}", file=sys.stderr)
                wrong += 1
            rows.append(f"{kind}\t{name}\t{group}\t{shlex.join(words)}\t{verdict}\t{seconds:.2f}")
            print(rows[-1], flush=True)
    if args.out:
        with open(args.out, "w") as out:
            out.write("\n".join(rows) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
