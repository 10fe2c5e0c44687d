#!/usr/bin/env python3
"""Measures the SMT kernel against Z3 and prints tables.

    bench/smt.py --bench ../shared/bench [--only a|c|i|w|m] [--out target/bench-smt] [--stride N]

  a  recorded queries and formulas (the table's second line) of all Horn files: ours and Z3's library
  c  unrollings of LIA-Lin and LRA-Lin at depths 5, 10 and 20: ours and the command `z3`
  i  sequence interpolants of the same unrollings
  w  unrollings of word-level systems (hwmcc20-btor2) at depths 5 and 10
  m  unrollings of designs with memories (bench/memories.py) at depths 4, 8 and 16: the commands
     `alphorn smt`, with and without checking its answers, and `z3` on the same scripts

Build before: `cargo build --release -p alphorn-smt --examples`, for `m` also `-p alphorn-cli`, and for
`a` bench/peers/z3_replay.cpp as it says, to OUT/z3_replay. Times are user time; the limit is 10 seconds of processor time. `--stride N`
takes each N-th file. Rows are kept in OUT/*.csv, and what is there is not run again.
"""

import argparse
import csv
import glob
import math
import os
import resource
import subprocess

import memories

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 10


def run(command, stdout=subprocess.PIPE):
    """User seconds and the words printed; none if the limit was hit."""
    def restrict():
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 1))
    child = subprocess.Popen(command, stdout=stdout, stderr=subprocess.DEVNULL, preexec_fn=restrict)
    text = child.stdout.read().decode() if child.stdout else ""
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime, text.split()


def unrollings(args, kind="horn"):
    if kind == "memories":
        folder = os.path.join(args.out, "memories")
        for path in sorted(glob.glob(f"{folder}/*.btor2"))[args.offset::args.stride]:
            for depth in (4, 8, 16):
                yield path, depth
        return
    if kind == "words":
        files = sorted(glob.glob(f"{args.bench}/hw/hwmcc20-btor2/*.btor2"))
        for path in files[args.offset::args.stride]:
            for depth in (5, 10):
                yield path, depth
        return
    files = [path for name in ("LIA-Lin", "LRA-Lin")
             for path in sorted(glob.glob(f"{args.bench}/chc/{name}/*.smt2"))]
    for path in files[args.offset::args.stride]:
        for depth in (5, 10, 20):
            yield path, depth


def known(path):
    if not os.path.exists(path):
        return {}
    with open(path) as rows:
        return {(row[0], row[1]): row[2:] for row in csv.reader(rows)}


def measure(args, name, command, kind="horn"):
    """Runs `command(file, depth)` on all unrollings and returns the rows by file and depth."""
    target = os.path.join(args.out, name + ".csv")
    rows = known(target)
    for path, depth in unrollings(args, kind):
        key = (os.path.basename(path), str(depth))
        if key in rows:
            continue
        seconds, words = run(command(path, str(depth)))
        rows[key] = [words[0] if words else "-", f"{seconds:.3f}"] + words[2:3]
        with open(target, "a") as out:
            csv.writer(out).writerow([*key, *rows[key]])
    wanted = {(os.path.basename(path), str(depth)) for path, depth in unrollings(args, kind)}
    return {key: row for key, row in rows.items() if key in wanted}


def is_decided(row):
    return row[0] in ("sat", "unsat")


def summary(name, rows, other):
    decided = [key for key, row in rows.items() if is_decided(row)]
    both = [key for key in decided if is_decided(other[key])]
    wrong = [key for key in both if rows[key][0] != other[key][0]]
    time = sum(float(rows[key][1]) for key in both)
    print(f"{name}: {len(decided)} of {len(rows)} decided, {time:.1f} s on the {len(both)} that "
          f"both decide, {len(wrong)} disagreements {wrong or ''}")


def ratio(ours, other):
    """The geometric mean of our time over theirs, where both decide; ten milliseconds are the least."""
    both = [key for key in ours if is_decided(ours[key]) and is_decided(other[key])]
    times = [[max(0.01, float(rows[key][1])) for key in both] for rows in (ours, other)]
    logs = [math.log(a / b) for a, b in zip(*times)]
    print(f"geometric mean of ours over Z3's: {math.exp(sum(logs) / max(1, len(logs))):.2f}")


def by_kind(ours, other):
    """A line of Markdown for each kind of design: how many are decided, and the mean of the ratios."""
    kinds = sorted({key[0].split("-")[0] for key in ours})
    print("| | ours | Z3 | seconds, ours | Z3 | ratio |\n|---|--:|--:|--:|--:|--:|")
    for kind in kinds:
        keys = [key for key in ours if key[0].split("-")[0] == kind]
        both = [key for key in keys if is_decided(ours[key]) and is_decided(other[key])]
        times = [[max(0.01, float(rows[key][1])) for key in both] for rows in (ours, other)]
        logs = [math.log(a / b) for a, b in zip(*times)]
        decided = [sum(is_decided(rows[key]) for key in keys) for rows in (ours, other)]
        print(f"| {kind} | {decided[0]} | {decided[1]} of {len(keys)} | {sum(times[0]):.1f} | "
              f"{sum(times[1]):.1f} | {math.exp(sum(logs) / max(1, len(logs))):.2f} |")


def measure_memories(args):
    """Designs with memories: commands on scripts, each written once."""
    folder = os.path.join(args.out, "memories")
    memories.write_all(folder)
    words = os.path.join(args.examples, "unroll_words")

    def script(path, depth):
        target = f"{path}.{depth}.smt2"
        if not os.path.exists(target):
            with open(target, "w") as out:
                subprocess.run([words, path, depth, "--print"], stdout=out, check=True)
        return target

    z3 = measure(args, "z3-memories",
                 lambda path, depth: [args.z3, script(path, depth)], "memories")
    for name, flags in (("unchecked", ["--no-check"]), ("checked", [])):
        ours = measure(args, f"{name}-memories",
                       lambda path, depth: [args.alphorn, "smt", *flags, script(path, depth)],
                       "memories")
        summary("Z3", z3, ours)
        summary(f"ours, {name}", ours, z3)
        ratio(ours, z3)
        by_kind(ours, z3)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bench", default=os.path.join(HERE, "..", "..", "shared", "bench"))
    parser.add_argument("--examples", default=os.path.join(HERE, "..", "target/release/examples"))
    parser.add_argument("--alphorn", default=os.path.join(HERE, "..", "target/release/alphorn"))
    parser.add_argument("--out", default=os.path.join(HERE, "..", "target/bench-smt"))
    parser.add_argument("--z3", default="z3")
    parser.add_argument("--only", default="aci")
    parser.add_argument("--each", default="600", help="queries recorded for each file")
    parser.add_argument("--stride", type=int, default=1)
    parser.add_argument("--offset", type=int, default=0)
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    unroll = os.path.join(args.examples, "unroll_horn")
    if "a" in args.only:
        files = [path for name in ("LIA-Lin", "LIA", "LRA-Lin")
                 for path in sorted(glob.glob(f"{args.bench}/chc/{name}/*.smt2"))]
        trace = os.path.join(args.out, "trace")
        record = os.path.join(args.examples, "record_queries")
        subprocess.run([record, "--each", args.each, "--out", trace, *files], check=True)
        subprocess.run([os.path.join(args.out, "z3_replay"), trace], check=True)
        subprocess.run([os.path.join(args.out, "z3_replay"), trace, "--early"], check=True)

    def z3_command(path, depth, unroll=unroll):
        script = os.path.join(args.out, "unrolling.smt2")
        with open(script, "w") as out:
            subprocess.run([unroll, path, depth, "--print"], stdout=out, check=True)
        return [args.z3, script]

    if "c" in args.only or "i" in args.only:
        z3 = measure(args, "z3", z3_command)
    if "c" in args.only:
        ours = measure(args, "ours", lambda path, depth: [unroll, path, depth, "--limit", "1000"])
        summary("Z3", z3, ours)
        summary("ours", ours, z3)
    if "w" in args.only:
        words = os.path.join(args.examples, "unroll_words")
        ours = measure(args, "ours-words",
                       lambda path, depth: [words, path, depth, "--limit", "1000"], "words")
        z3 = measure(args, "z3-words",
                     lambda path, depth: z3_command(path, depth, words), "words")
        summary("Z3", z3, ours)
        summary("ours", ours, z3)
        ratio(ours, z3)
    if "m" in args.only:
        measure_memories(args)
    if "i" in args.only:
        cut = measure(args, "interpolants",
                      lambda path, depth: [unroll, path, depth, "--interpolate"])
        refuted = [key for key, row in z3.items() if row[0] == "unsat"]
        done = [key for key in refuted if cut[key][0] == "unsat"]
        sizes = sorted(int(cut[key][2]) for key in done)
        print(f"interpolants: {len(done)} of {len(refuted)} that Z3 refutes"
              + (f", sizes of sequences: median {sizes[len(sizes) // 2]}, largest {sizes[-1]}"
                 if sizes else ""))


if __name__ == "__main__":
    main()
