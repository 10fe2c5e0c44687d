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


def name_of(file):
    return os.path.basename(file).removesuffix(".aig")


def seconds(time, code):
    return f"{time:.2f}" if code is not None else f">{LIMIT}"


def ratio_line(records, ours, theirs):
    """The geometric mean of ours ÷ theirs where both ended, and how many those are."""
    pairs = [(row[ours], row[theirs]) for row in records]
    both = [(float(a), float(b)) for a, b in pairs if ">" not in a + b]
    ratios = [max(a, 0.01) / max(b, 0.01) for a, b in both]
    return f"{ours} ÷ {theirs}: geometric mean {mean(ratios):.2f} over {len(ratios)} of {len(pairs)}"


def unrollings(args, bench):
    """Part a."""
    table = Table(args, "a-unrollings", ["unrolling", "depth", "ours s", "cadical s", "minisat s", "answer"], 2)
    for file, depth in listed("sat-unrollings.txt"):
        if (name_of(file), depth) in table:
            continue
        with tempfile.TemporaryDirectory() as folder:
            cnf = os.path.join(folder, "x.cnf")
            if not bench.unroll(os.path.join(args.bench, file), depth, cnf):
                print(f"cannot unroll {file}", file=sys.stderr)
                continue
            runs = [run([bench.example("dimacs"), cnf]), run(["cadical", "-q", "-n", cnf]),
                    run(["minisat", "-verb=0", cnf])]
        answers = {ANSWERS.get(code, f"exit {code}") for _, code in runs if code is not None}
        table.add([name_of(file), depth, *(seconds(*one) for one in runs), " ≠ ".join(sorted(answers))])
    table.print()
    for peer in ("cadical s", "minisat s"):
        print(ratio_line(table.records(), "ours s", peer))
    print(sum("≠" in row["answer"] for row in table.records()), "answers disagree\n")


def proofs(args, bench):
    """Part c."""
    table = Table(args, "c-proofs", ["unrolling", "depth", "plain s", "log s"], 2)
    for file, depth in listed("sat-unrollings.txt"):
        if (name_of(file), depth) in table:
            continue
        with tempfile.TemporaryDirectory() as folder:
            cnf = os.path.join(folder, "x.cnf")
            if bench.unroll(os.path.join(args.bench, file), depth, cnf):
                runs = [run([bench.example("dimacs"), cnf]), run([bench.example("dimacs"), cnf, "--log"])]
                table.add([name_of(file), depth, *(seconds(*one) for one in runs)])
    table.print()
    print(ratio_line(table.records(), "log s", "plain s") + "\n")


def said(command, limit):
    """What a command prints as `name value` pairs, or nothing if it takes too long or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return {}
    words = done.stdout.split()
    return dict(zip(words[::2], words[1::2]))


def queries(args, bench):
    """Part b."""
    peer = os.path.join(args.out, "cadical_replay")
    source = os.path.join(HERE, "peers", "cadical_replay.cpp")
    if not os.path.exists(peer) or os.path.getmtime(peer) < os.path.getmtime(source):
        subprocess.run(["g++", "-O2", "-o", peer, source, "-lcadical"], check=True)
    table = Table(args, "b-queries", ["circuit", "gates", "queries", "sat %", "domain", "ours µs", "no gates µs",
                                      "no domain µs", "cadical µs", "constrain µs", "wrong"])
    for file, count in listed("sat-traces.txt"):
        if (name_of(file),) in table:
            continue
        trace = os.path.join(args.out, name_of(file) + ".trace")
        if not os.path.exists(trace):
            command = [bench.example("ic3_record"), os.path.join(args.bench, file), trace, "--queries", count]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        ours = [bench.example("ic3_replay"), trace]
        runs = [said(command, 600) for command in (ours, ours + ["--no-gates"], ours + ["--no-domain"],
                                                   [peer, trace], [peer, trace, "--constrain"])]
        first = runs[0]
        share = f"{100 * int(first['sat']) / int(first['queries']):.0f}"
        wrong = sum(int(one.get("wrong", 0)) for one in runs)
        table.add([name_of(file), first["gates"], first["queries"], share, first["domain"],
                   *(f"{float(one['us']):.1f}" if one else "–" for one in runs), wrong])
    table.print()
    for low, high in ((0, 2000), (2000, 10000), (10000, 10**9)):
        rows = [row for row in table.records() if low <= int(row["gates"]) < high and row["cadical µs"] != "–"]
        if rows:
            best = [min(float(row["cadical µs"]), float(row["constrain µs"])) / float(row["ours µs"]) for row in rows]
            usual = [float(row["cadical µs"]) / float(row["ours µs"]) for row in rows]
            print(f"{low} to {high} gates: {mean(usual):.1f} × CaDiCaL's queries per second, "
                  f"{mean(best):.1f} × the better of its two ways")
    print()


def interpolants(args, bench):
    """Part d."""
    columns = ["unrolling", "steps", "variables", "proof", "trimmed", "plain s", "logged s", "trim s"]
    for policy in ("McMillan", "Pudlák", "dual"):
        columns += [policy + " s", policy + " size"]
    table = Table(args, "d-interpolants", columns + ["clausal s", "clauses", "rest size"], 2)
    for file, steps in listed("sat-interpolants.txt"):
        if (name_of(file), steps) in table:
            continue
        command = [bench.example("interpolate_bmc"), steps, "2000000", os.path.join(args.bench, file)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=10 * LIMIT)
        except subprocess.TimeoutExpired:
            continue
        cells = [cell.strip() for cell in done.stdout.split("|")[1:-1]]
        if cells:
            table.add([cells[0], steps, *cells[1:]])
    table.print()
    print()


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
    bench = Bench(args)
    for letter, part in zip("abcd", (unrollings, queries, proofs, interpolants)):
        if args.only in (None, letter):
            print(f"### {letter}. {(part.__name__).capitalize()}\n")
            part(args, bench)
    return 0


if __name__ == "__main__":
    sys.exit(main())
