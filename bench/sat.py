#!/usr/bin/env python3
"""Measures the SAT kernel against its peers and prints tables.

    bench/sat.py [--bench ../shared/bench] [--only a|b|c|d] [--out target/bench-sat] [--again]
    bench/sat.py --choose FILE.aig…

  a  unrollings of bench/sat-unrollings.txt: ours, cadical and minisat by turns
  b  recorded IC3 queries of bench/sat-traces.txt: ours and CaDiCaL's library
  c  what recording a proof costs on the instances of a
  d  sequence interpolants of bench/sat-interpolants.txt

The examples of crates/sat must be built in release mode. Times are user time of the process (b:
of the queries). Results are kept as CSV files in --out, and what is there is not run again unless
--again is given; part of a table can so be measured at a time. `--choose` looks for the depth at
which CaDiCaL takes 0.5 to 20 seconds and writes the lines for bench/sat-unrollings.txt.
"""

import argparse
import csv
import math
import os
import resource
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 60
ANSWERS = {10: "sat", 20: "unsat"}


def run(command, limit=LIMIT, stdout=subprocess.DEVNULL):
    """Runs a command; user seconds and exit code, None if it hit the limit of processor time."""
    def restrict():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    child = subprocess.Popen(command, stdout=stdout, stderr=subprocess.DEVNULL, preexec_fn=restrict)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    hit = child.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
    return usage.ru_utime, None if hit else child.returncode


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")


def listed(name):
    """The words of the lines of a list in this folder, without comments."""
    with open(os.path.join(HERE, name)) as lines:
        words = [line.split("#")[0].split() for line in lines]
    return [line for line in words if line]


class Table:
    """Rows of a CSV file by their first columns; each is written as soon as it is known."""

    def __init__(self, args, name, columns, keys=1):
        self.path = os.path.join(args.out, name + ".csv")
        self.columns, self.keys, self.rows = columns, keys, {}
        if os.path.exists(self.path) and not args.again:
            with open(self.path, newline="") as lines:
                rows = list(csv.reader(lines))
            if rows and rows[0] == columns:
                self.rows = {tuple(row[:keys]): row for row in rows[1:]}

    def __contains__(self, key):
        return tuple(map(str, key)) in self.rows

    def add(self, row):
        row = [str(word) for word in row]
        self.rows[tuple(row[:self.keys])] = row
        with open(self.path, "w", newline="") as lines:
            csv.writer(lines).writerows([self.columns, *self.rows.values()])

    def records(self):
        return [dict(zip(self.columns, row)) for row in self.rows.values()]

    def print(self):
        print("| " + " | ".join(self.columns) + " |")
        print("|---|" + "--:|" * (len(self.columns) - 1))
        for row in self.rows.values():
            print("| " + " | ".join(row) + " |")


class Bench:
    def __init__(self, args):
        self.args = args
        self.examples = os.path.join(args.target, "release", "examples")

    def example(self, name):
        return os.path.join(self.examples, name)

    def unroll(self, path, depth, cnf):
        """Writes the unrolling of a circuit; whether that worked."""
        with open(cnf, "w") as out:
            _, code = run([self.example("unroll"), path, str(depth)], stdout=out)
        return code == 0

    def choose(self, path, least):
        """A depth at which CaDiCaL takes from `least` to 20 seconds, the seconds and the answer."""
        below, above, depth = 0, None, 10
        for _ in range(10):
            with tempfile.TemporaryDirectory() as folder:
                cnf = os.path.join(folder, "x.cnf")
                if not self.unroll(path, depth, cnf) or os.path.getsize(cnf) > 80_000_000:
                    seconds, code = 99.0, None
                else:
                    seconds, code = run(["cadical", "-q", "-n", cnf], 21)
            if code is not None and least <= seconds <= 20:
                return depth, seconds, ANSWERS.get(code, "?")
            if code is not None and seconds < least:
                below = depth
            else:
                above = depth
            depth = 2 * below if above is None else (below + above) // 2
            if depth in (below, above) or depth > 640:
                return None
        return None


def choose(args):
    bench = Bench(args)
    for index, file in enumerate(args.choose):
        found = bench.choose(os.path.join(args.bench, file), (0.5, 2.0, 5.0)[index % 3])
        if found:
            depth, seconds, answer = found
            print(f"{file} {depth}  # {answer}, CaDiCaL {seconds:.1f} s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--bench", default="../shared/bench")
    parser.add_argument("--only", choices="abcd")
    parser.add_argument("--out", default="target/bench-sat")
    parser.add_argument("--target", default=os.environ.get("CARGO_TARGET_DIR", "target"))
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--choose", nargs="+", metavar="FILE")
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    if args.choose:
        return choose(args)
    return 0


if __name__ == "__main__":
    sys.exit(main())
