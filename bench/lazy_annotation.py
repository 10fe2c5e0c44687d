#!/usr/bin/env python3
"""The ablation of lazy annotation: each mark with one technique more than the one before.

Runs `duality` or `la` with every preset on Horn files, under a limit of processor time, and writes a table
(solved, time, median resolutions and height on the files that all presets solve) and two plots: how
many files each preset solves within so many resolutions, and up to which height of the unwinding (McMillan,
CAV 2014, figures 6 to 8 have the same by time).

    bench/lazy_annotation.py --alphorn target/release/alphorn --engine duality --time 3 \\
        --out rows.json --plots bench/notes FILES…

Rows that are in `--out` are not run again. Exit code 1 if two presets contradict each other.
"""
import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import time

import plot

MARKS = ["mark1", "mark2", "mark3", "mark4", "mark5", "mark6", "mark7", "final"]
ADDED = ["nothing", "decisions of minterms", "generalization", "scores", "back-jumping",
         "eager propagation (the paper's Final)", "implicants for minterms", "templates"]
COUNT = re.compile(r"(\d+) resolutions")
HEIGHT = re.compile(r"height (\d+)")
BOUND = re.compile(r"no derivation|up to (?:depth|bound) (\d+)|bound (\d+)")


def run(alphorn, engine, file, seconds):
    """Verdict, processor time, resolutions and height of one run."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(seconds + 1), int(seconds + 2)))
    command = [alphorn, file, "--engine", engine, "--threads", "1", "-v", "-v", "--time", f"{int(seconds * 40)}s"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    text = done.stdout + done.stderr
    verdict = "unknown"
    for word in ("UNSAFE", "SAFE"):
        if re.search(rf": {word}\b", text):
            verdict = word.lower()
            break
    if cpu > seconds:
        verdict = "unknown"
    last = lambda pattern: max([int(next(filter(None, found.groups()), 0)) for found in pattern.finditer(text)] + [0])
    return {"verdict": verdict, "cpu": round(cpu, 2), "resolutions": last(COUNT),
            "height": last(HEIGHT) or last(BOUND)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--alphorn", default="target/release/alphorn")
    parser.add_argument("--engine", default="duality", choices=["duality", "la"])
    parser.add_argument("--time", type=float, default=3)
    parser.add_argument("--out", required=True)
    parser.add_argument("--plots", help="the folder for the plots")
    parser.add_argument("--stop-after", type=float, help="seconds after which no more runs begin")
    options = parser.parse_args()
    rows = json.load(open(options.out)) if os.path.exists(options.out) else {}
    began = time.time()
    for file in options.files:
        for mark in MARKS:
            engine = options.engine if mark == "final" else f"{options.engine}-{mark}"
            key = f"{os.path.basename(file)} {engine}"
            if key not in rows and not (options.stop_after and time.time() - began > options.stop_after):
                rows[key] = run(options.alphorn, engine, file, options.time)
                with open(options.out, "w") as out:
                    json.dump(rows, out, indent=0)
    return report(options, rows)


def report(options, rows):
    of = {mark: {} for mark in MARKS}
    for file in options.files:
        keys = [f"{os.path.basename(file)} {options.engine}" + ("" if mark == "final" else f"-{mark}") for mark in MARKS]
        if all(key in rows for key in keys):
            for mark, key in zip(MARKS, keys):
                of[mark][file] = rows[key]
    files = list(of["final"])
    is_solved = lambda mark, file: of[mark][file]["verdict"] != "unknown"
    common = [file for file in files if all(is_solved(mark, file) for mark in MARKS)]
    wrong = [file for file in files if {"safe", "unsafe"} <= {of[mark][file]["verdict"] for mark in MARKS}]
    print(f"{len(files)} files, {options.time:g} s of processor time, {len(common)} solved by all")
    print("| preset | adds | solved | s on all | resolutions, median of common | height, median of common |")
    print("|---|---|--:|--:|--:|--:|")
    for mark, adds in zip(MARKS, ADDED):
        all_of = of[mark]
        solved = [file for file in files if is_solved(mark, file)]
        middle = lambda what: statistics.median([all_of[file][what] for file in common] or [0])
        total = sum(row["cpu"] for row in all_of.values())
        print(f"| {mark} | {adds} | {len(solved)} | {total:.1f} | {middle('resolutions'):g} | {middle('height'):g} |")
    for what, words in (("resolutions", "resolutions"), ("height", "height of the unwinding")):
        curves = {mark: [max(1, of[mark][file][what]) for file in files if is_solved(mark, file)] for mark in MARKS}
        most = max([value for values in curves.values() for value in values] + [10])
        if options.plots:
            title = f"{options.engine}: files solved by {words}"
            picture = plot.cactus(title, curves, most, floor=1, show=lambda value: f"{value:g}")
            with open(os.path.join(options.plots, f"{options.engine}-{what}.svg"), "w") as out:
                out.write(picture)
    for file in wrong:
        print(f"CONTRADICTION {file}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
