#!/usr/bin/env python3
"""Whether two builds do the same work: for changes that are meant to change nothing.

    bench/alike.py OLD NEW [--ticks 20k] PATH…

Each file is run by both with one thread and so many ticks, so that runs are repeatable. Compared are the
answer, what engines did (ticks, depth, how they ended; where one answered that one alone, because the others
stop a moment later or earlier) and the evidence to the letter; times and memory are not. Files that differ are listed, and make the exit code 1.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

MEASURED = {"milliseconds", "memory", "time", "seconds", "peak"}


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(item) for key, item in value.items() if key not in MEASURED}
    return [without_times(item) for item in value] if isinstance(value, list) else value


def did(alphorn, file, ticks):
    """What a build does with a file: its answer, and its evidence."""
    with tempfile.TemporaryDirectory() as folder:
        evidence = os.path.join(folder, "evidence")
        command = [alphorn, file, "--threads", "1", "--ticks", ticks, "--json", "--evidence", evidence]
        run = subprocess.run(command, capture_output=True, text=True, timeout=600)
        answers = [without_times(json.loads(line)) for line in run.stdout.splitlines() if line.startswith("{")]
        for answer in answers:
            answer.pop("evidence", None)
            attempts = answer.get("attempts", [])
            winners = [attempt for attempt in attempts if attempt["ended"] == "answered"]
            answer["attempts"] = winners or attempts
        text = open(evidence).read() if os.path.exists(evidence) else ""
        return run.returncode, answers, text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--ticks", default="20k")
    parser.add_argument("paths", nargs="+", metavar="PATH")
    args = parser.parse_args()
    different = 0
    for file in args.paths:
        old, new = (did(alphorn, file, args.ticks) for alphorn in (args.old, args.new))
        ticks = sum(attempt.get("ticks", 0) for answer in new[1] for attempt in answer.get("attempts", []))
        same = old == new
        different += not same
        print(f"{'alike' if same else 'DIFFERENT':9} exit {new[0]} {ticks:>12,} ticks  {os.path.basename(file)}", flush=True)
        if not same:
            print("  old:", str(old)[:400], "\n  new:", str(new)[:400])
    print(f"{len(args.paths) - different} of {len(args.paths)} alike")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
