#!/usr/bin/env python3
"""Infinite runs: decides what tables of expected answers ask, and has the evidence checked again.

  bench/flow.py alphorn TABLE [--time S] [--only TEXT] [--engine NAME] [--check]

TABLE is an expected.csv beside its files. Its rows say, in the column `expected`, `yes` or `no` (whether every run
ends), or `holds; FORMULA` and `fails; FORMULA`, several of them separated by ` / `, with `under fairness (P, Q)` behind
the verdict where that is meant; a row of a table of programs says it in the columns `property` (`termination`),
`verdict` and `data_model`. A line per question, and the sums at the end; ends with 1 if an answer is another one.
"""
import argparse
import csv
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

WORDS = {"TERMINATES": "yes", "RUNS FOREVER": "no", "HOLDS": "holds", "FAILS": "fails"}


def questions(table):
    """What is asked: file, expected answer, arguments."""
    folder = os.path.dirname(os.path.abspath(table))
    for row in csv.DictReader(open(table)):
        path = os.path.join(folder, row["file"])
        if "verdict" in row:
            if row["property"] == "termination":
                wanted = {"safe": "yes", "unsafe": "no"}.get(row["verdict"])
                model = (row.get("data_model") or "lp64").lower()
                yield path, wanted, ["terminate", path, "--data-model", model]
            continue
        expected = row["expected"]
        if ";" not in expected:
            yield path, expected.split()[0], ["terminate", path]
            continue
        for part in expected.split(" / "):
            verdict, formula = part.split("; ", 1)
            fair = re.match(r"(\w+) under fairness \((.*)\)", verdict)
            options = ["--fair", fair.group(2)] if fair else []
            wanted = fair.group(1) if fair else verdict
            yield path, wanted, ["ctl", path, "--property", formula] + options


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("alphorn")
    parser.add_argument("table")
    parser.add_argument("--time", type=float, default=10.0)
    parser.add_argument("--only", default="")
    parser.add_argument("--engine")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    count = {"right": 0, "open": 0, "OTHER": 0, "REFUSED": 0}
    times = []
    with tempfile.TemporaryDirectory() as scratch:
        evidence = os.path.join(scratch, "evidence")
        for path, wanted, command in questions(args.table):
            if args.only not in path:
                continue
            if os.path.exists(evidence):
                os.remove(evidence)
            command = [args.alphorn] + command + ["--time", f"{args.time}s", "-q"]
            command += ["--engine", args.engine] if args.engine else []
            command += ["--evidence", evidence] if args.check else []
            begun = time.time()
            done = subprocess.run(command, capture_output=True, text=True)
            took = time.time() - begun
            times.append(took)
            found = next((own for word, own in WORDS.items() if f": {word}" in done.stdout), None)
            became = "open" if found is None else "right" if found == wanted else "OTHER"
            if args.check and found:
                again = subprocess.run([args.alphorn, "check", path, evidence] + command[3:5] * ("--data-model" in command), capture_output=True)
                became = became if again.returncode == 0 else "REFUSED"
            count[became] += 1
            about = command[4] if command[1] == "ctl" else ""
            print(f"{os.path.basename(path)[:56]:56} {wanted:6} {became:7} {took:6.2f} {about[:60]}", flush=True)
    if times:
        print(count, f"median {statistics.median(times):.2f} s, sum {sum(times):.1f} s")
    sys.exit(count["OTHER"] + count["REFUSED"] > 0)


if __name__ == "__main__":
    main()
