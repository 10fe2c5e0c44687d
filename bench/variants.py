#!/usr/bin/env python3
"""Engines and settings side by side on the same files: a row for each file, a column for each way to decide it.

    bench/variants.py --alphorn PROGRAM [--time 5] [--set NAME=VALUE] COLUMN… -- FILE…
    bench/variants.py --self-test

A column is an engine, or an engine with settings: `avy`, `imc:interpolation.labels=1`, and several behind commas. `--set` goes
to all columns. `default` is the plan. Each file is decided by all columns, one after the other, with one thread; a cell has the
seconds of processor time of the whole run, evidence included, or a dash if there was no answer within the time. Two answers that differ end it with 1.
"""

import argparse
import os
import re
import resource
import subprocess
import sys


def words_of(column):
    """The options that a column stands for."""
    engine, _, settings = column.partition(":")
    words = [] if engine == "default" else ["--engine", engine]
    for setting in filter(None, settings.split(",")):
        words += ["--set", setting]
    return words


def run(alphorn, file, options, seconds):
    """The verdict, or none, and the seconds of the processor."""
    words = [alphorn, file, "--threads", "1", "--time", f"{seconds * 20:g}s", *options]
    limit = int(seconds) + 1
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, capture_output=True, text=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    found = re.search(r"\b(UNSAFE|SAFE)\b", done.stdout)
    return (found.group(1) if found and spent <= seconds else None), spent


def cells(answers):
    return " | ".join(f"{spent:.2f}" if verdict else "–" for verdict, spent in answers)


def summary(rows, columns):
    """The last lines: decided, and the seconds on what all columns decide."""
    decided = [sum(row[place][0] is not None for row in rows) for place in range(len(columns))]
    common = [row for row in rows if all(verdict for verdict, _ in row)]
    seconds = [sum(row[place][1] for row in common) for place in range(len(columns))]
    return [f"| decided, of {len(rows)} | | " + " | ".join(map(str, decided)) + " |",
            f"| seconds on the {len(common)} of all | | " + " | ".join(f"{value:.1f}" for value in seconds) + " |"]


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    arguments = sys.argv[1:]
    files = []
    if "--" in arguments:
        place = arguments.index("--")
        arguments, files = arguments[:place], arguments[place + 1:]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("columns", nargs="+", metavar="COLUMN")
    parser.add_argument("--alphorn", required=True, metavar="PROGRAM")
    parser.add_argument("--time", type=float, default=5, metavar="SECONDS")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    args = parser.parse_args(arguments)
    if not files:
        parser.error("no files")
    shared = [word for setting in args.set for word in ("--set", setting)]
    print("| file | answer | " + " | ".join(f"`{column}`" for column in args.columns) + " |")
    print("|---|---|" + "--:|" * len(args.columns), flush=True)
    rows, wrong = [], 0
    for file in files:
        row = [run(args.alphorn, file, shared + words_of(column), args.time) for column in args.columns]
        verdicts = sorted({verdict for verdict, _ in row if verdict})
        wrong += len(verdicts) > 1
        name = os.path.splitext(os.path.basename(file))[0]
        print(f"| {name} | {' AND '.join(verdicts).lower() or '–'} | {cells(row)} |", flush=True)
        rows.append(row)
    print("\n".join(summary(rows, args.columns)))
    return 1 if wrong else 0


def self_test():
    assert words_of("default") == []
    assert words_of("avy") == ["--engine", "avy"]
    assert words_of("imc:a=1,b=2") == ["--engine", "imc", "--set", "a=1", "--set", "b=2"]
    rows = [[("SAFE", 1.0), ("SAFE", 2.0)], [(None, 5.0), ("UNSAFE", 0.5)]]
    assert cells(rows[1]) == "– | 0.50"
    assert summary(rows, ["a", "b"]) == ["| decided, of 2 | | 1 | 2 |", "| seconds on the 1 of all | | 1.0 | 2.0 |"]
    print("self-test passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
