#!/usr/bin/env python3
"""C programs with threads whose verdicts are recorded: how many are decided, and none otherwise than recorded.

    bench/threads.py FOLDER [--alphorn PATH] [--time 12s] [--threads 2] [--encoding NAME] [--only SUBSTRING] [--unsafe]

FOLDER has `expected.csv` (file, property, verdict, …, data_model) and the files that it names. Asked are the files that
call `pthread_create`. Prints a line per question, with seconds of processor time, and what each property amounts to.
"""

import argparse
import csv
import os
import re
import resource
import subprocess
import sys
from collections import Counter


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--alphorn", default="target/release/alphorn")
    parser.add_argument("--time", default="12s")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--encoding")
    parser.add_argument("--only", default="")
    parser.add_argument("--unsafe", action="store_true", help="only what is recorded as violated")
    args = parser.parse_args()
    with open(os.path.join(args.folder, "expected.csv"), newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["file"].startswith("c/") and args.only in row["file"]]
    counts, wrong = Counter(), 0
    for row in rows:
        path = os.path.join(args.folder, row["file"])
        if not os.path.exists(path) or args.unsafe and row["verdict"] != "unsafe":
            continue
        with open(path, errors="replace") as file:
            if "pthread_create" not in file.read():
                continue
        more = ["--encoding", args.encoding] if args.encoding else []
        model = {"ILP32": "ilp32", "LP64": "lp64"}[row["data_model"] or "ILP32"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([args.alphorn, path, "--property", row["property"], "--data-model", model,
                               "--time", args.time, "--threads", args.threads, *more], capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        found = re.search(r": (SAFE|UNSAFE|UNKNOWN)", done.stdout + done.stderr)
        said = found[1].lower() if found else f"exit {done.returncode}"
        is_wrong = said in ("safe", "unsafe") and said != row["verdict"]
        wrong += is_wrong
        counts[row["property"], "asked"] += 1
        counts[row["property"], "against" if is_wrong else said if said == row["verdict"] else "open"] += 1
        print(f"{row['file']:75} {row['property']:16} {row['verdict']:7} {said:8} {spent:6.2f}"
              + ("  AGAINST" if is_wrong else ""), flush=True)
    for name in sorted({name for name, _ in counts}):
        print(name, *(f"{kind} {counts[name, kind]}" for kind in ("asked", "safe", "unsafe", "open", "against")))
    right = sum(count for (_, kind), count in counts.items() if kind in ("safe", "unsafe"))
    print("all", sum(count for (_, kind), count in counts.items() if kind == "asked"), "right", right, "against", wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
