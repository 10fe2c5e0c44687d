#!/usr/bin/env python3
"""Runs alphorn over a folder of problems and compares with recorded verdicts.

    bench/agree.py BENCH [--alphorn PATH] [--time 2s] [--late 0.3] [--under PREFIX] [--keep DIR] [--check]

BENCH holds `expected.csv` with lines `file,verdict`. Files run one at a time. What counts as an
error: a verdict that contradicts the record, an exit code that is none of an answer's, evidence of
an engine's that the checker refused, an answer later than the limit plus `--late` seconds, and,
with `--check`, evidence that `alphorn check` does not accept. The summary has a line per folder.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time

UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0}


def seconds(text):
    unit = "ms" if text.endswith("ms") else text[-1]
    return float(text[: -len(unit)]) * UNITS[unit]


def answers(stdout):
    lines = [json.loads(line) for line in stdout.splitlines() if line.startswith("{")]
    return [line for line in lines if line["kind"] == "answer"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("bench")
    parser.add_argument("--alphorn", default="target/release/alphorn")
    parser.add_argument("--time", default="2s")
    parser.add_argument("--late", type=float, default=0.3)
    parser.add_argument("--under", default="")
    parser.add_argument("--keep", help="keep evidence in this folder")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    limit = seconds(args.time) + args.late
    keep = args.keep or tempfile.mkdtemp(prefix="alphorn-agree-")
    os.makedirs(keep, exist_ok=True)
    with open(os.path.join(args.bench, "expected.csv"), newline="") as table:
        rows = [row for row in csv.DictReader(table) if row["file"].startswith(args.under)]
    folders, errors, news = {}, [], []
    for row in rows:
        file, expected = row["file"], row["verdict"]
        path = os.path.join(args.bench, file)
        if not os.path.exists(path) or file.startswith("nts/"):
            continue
        count = folders.setdefault(os.path.dirname(file), dict.fromkeys(
            ["files", "safe", "unsafe", "unknown", "unsupported", "accepted", "late"], 0))
        count["files"] += 1
        evidence = os.path.join(keep, file.replace("/", "__") + ".evidence")
        begun = time.monotonic()
        command = [args.alphorn, "--time", args.time, "--json", path, "--evidence", evidence]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        took = time.monotonic() - begun
        found = answers(done.stdout)
        verdicts = {answer["verdict"] for answer in found}
        if done.returncode == 5 and not found:
            verdict = "unsupported"
        elif "unsafe" in verdicts:
            verdict = "unsafe"
        else:
            verdict = "safe" if verdicts == {"safe"} else "unknown"
        count[verdict] += 1
        if took > limit:
            count["late"] += 1
            errors.append(f"late: {file} took {took:.2f} s")
        if done.returncode not in (0, 1, 2, 5):
            errors.append(f"exit {done.returncode}: {file}: {done.stderr.strip()[:300]}")
        for answer in found:
            for attempt in answer["attempts"]:
                if "fault of ours" in attempt["ended"]:
                    errors.append(f"fault: {file}: {attempt['engine']}: {attempt['ended'][:300]}")
        if {verdict, expected} == {"safe", "unsafe"}:
            errors.append(f"contradiction: {file}: {verdict}, expected {expected}")
        elif expected == "unknown" and verdict in ("safe", "unsafe"):
            news.append(f"news: {file}: {verdict}")
        decided = [answer for answer in found if answer["verdict"] != "unknown"]
        if args.check and decided:
            check = subprocess.run([args.alphorn, "check", path, evidence],
                                   capture_output=True, text=True, errors="replace")
            accepted = check.stdout.count("evidence accepted")
            count["accepted"] += accepted == len(decided)
            if check.returncode != 0 or accepted != len(decided):
                said = (check.stdout + check.stderr).strip()[:300]
                errors.append(f"check: {file}: exit {check.returncode}: {said}")
    print("| folder | " + " | ".join(next(iter(folders.values()))) + " |")
    print("|---|" + "--:|" * len(next(iter(folders.values()))))
    for folder, count in sorted(folders.items()):
        print(f"| {folder} | " + " | ".join(str(n) for n in count.values()) + " |")
    for line in news + errors:
        print(line)
    print(f"{len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
