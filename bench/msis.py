#!/usr/bin/env python3
"""How small invariants of circuits become, and what that costs: a table as that of the paper on MSIS.

    bench/msis.py --alphorn PROGRAM [--time 20] [--engine ic3] FILE…

Each file is decided four times, with the invariant as the proofs leave it, and with --minimize=nec, feas and
msis. Files whose property has no invariant of clauses within the time are left out. A row has the clauses
after each and the seconds of processor time of the whole run; the last lines have sums and quotients.
Ivrii, Gurfinkel, Belov, "Small Inductive Safe Invariants" (FMCAD 2014).
"""

import argparse
import json
import os
import re
import resource
import subprocess

METHODS = [None, "nec", "feas", "msis"]


def run(args, file, method):
    """The clauses of the invariant and the seconds of the processor, or nothing."""
    words = [args.alphorn, file, "--json", "--engine", args.engine, "--threads", "1", "--time", f"{args.time * 8:g}s"]
    words += [f"--minimize={method}"] if method else []
    limit = int(args.time) + 1
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, capture_output=True, text=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    for line in done.stdout.splitlines():
        found = re.search(r"invariant of (\d+) clauses?", json.loads(line).get("detail") or "")
        if found:
            return int(found.group(1)), seconds
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--alphorn", required=True, metavar="PROGRAM")
    parser.add_argument("--engine", default="ic3")
    parser.add_argument("--time", type=float, default=20, metavar="SECONDS")
    args = parser.parse_args()
    print("| file | clauses quick | nec | feas | msis | seconds quick | nec | feas | msis |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    rows = []
    for file in args.files:
        row = []
        for method in METHODS:
            row.append(run(args, file, method))
            if row[-1] is None:
                break
        if row[-1] is None:
            continue
        rows.append(row)
        name = os.path.splitext(os.path.basename(file))[0]
        print(f"| {name} | " + " | ".join(str(clauses) for clauses, _ in row) + " | "
              + " | ".join(f"{seconds:.2f}" for _, seconds in row) + " |", flush=True)
    if rows:
        clauses = [sum(row[method][0] for row in rows) for method in range(len(METHODS))]
        seconds = [sum(row[method][1] for row in rows) for method in range(len(METHODS))]
        print(f"| {len(rows)} files | " + " | ".join(map(str, clauses)) + " | "
              + " | ".join(f"{value:.1f}" for value in seconds) + " |")
        changed = sum(row[3][0] < row[0][0] for row in rows)
        print(f"\nsmaller by msis: {changed} of {len(rows)} files; clauses of msis / feas {clauses[3] / max(1, clauses[2]):.3f}, "
              f"msis / quick {clauses[3] / max(1, clauses[0]):.3f}")


if __name__ == "__main__":
    main()
