#!/usr/bin/env python3
"""Measures what happens to problems before engines see them: memory and time against those of reading.

    bench/memory.py BENCH [--alphorn PATH] [--under PREFIX …] [--each] [--time 60s] [--most 10]

Every file runs twice, one process at a time: as read, without transforms, and with the transforms of
the default. With `-vv` the program says what it held at most when the engines begin; then it is ended.
This, less what it holds on a problem of one clause, is compared with the same for the run that only reads.
With `--each` every transform of Horn clauses runs alone as well. Files whose ratio is over `--most`, and
runs that do not come to the engines within `--time` of processor time and 4 GB, are listed, and make the
exit code 1. Memory below a megabyte is not counted: it is what the allocator rounds.
"""

import argparse
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile

FLOOR = 1024  # kB
HOLD = 4 << 30

TINY = {
    ".smt2": "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))"
             "(assert (forall ((x Int)) (=> (and (p x) (= x 1)) false)))(check-sat)",
    ".aag": "aag 1 0 1 0 0 1\n2 2\n2\n",
    ".btor2": "1 sort bitvec 1\n2 state 1\n3 next 1 2 2\n4 bad 2\n",
}


def run(command, seconds):
    """The most memory a command held before engines, in kB, its processor time, and whether it got there."""
    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (HOLD, HOLD))
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=limits)
    held = None
    for line in child.stdout:
        found = re.search(rb"memory: at most (\d+) kB before engines", line)
        if found:
            held = int(found.group(1))
            os.kill(child.pid, signal.SIGKILL)
            break
    child.stdout.close()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    return held or usage.ru_maxrss, usage.ru_utime + usage.ru_stime, held is not None


def kind(path):
    ending = os.path.splitext(path)[1]
    return ".aag" if ending == ".aig" else ending


def transforms(alphorn):
    text = subprocess.run([alphorn, "transforms"], capture_output=True, text=True).stdout
    return [name for name in re.findall(r"^horn\s+([a-z-]+)", text, re.M)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("bench")
    parser.add_argument("--alphorn", default="target/release/alphorn")
    parser.add_argument("--under", nargs="*", default=["chc/", "hw/"])
    parser.add_argument("--each", action="store_true")
    parser.add_argument("--time", type=lambda text: int(text.rstrip("s")), default=60)
    parser.add_argument("--most", type=float, default=10.0)
    args = parser.parse_args()
    common = [args.alphorn, "-vv", "--threads", "1", "--time", f"{args.time}s", "--memory", "3G"]
    base = {}
    for ending, text in TINY.items():
        with tempfile.NamedTemporaryFile("w", suffix=ending) as tiny:
            tiny.write(text)
            tiny.flush()
            base[ending] = run(common + [tiny.name], args.time)[0]
    names = transforms(args.alphorn) if args.each else []
    files = []
    for folder, _, entries in os.walk(args.bench):
        for entry in entries:
            path = os.path.join(folder, entry)
            name = os.path.relpath(path, args.bench)
            if kind(path) in TINY and any(name.startswith(prefix) for prefix in args.under):
                files.append((name, path))
    over, worst = [], {}
    for name, path in sorted(files):
        floor = base[kind(path)]
        held, _, ended = run(common + ["--without", "all", path], args.time)
        if not ended:
            continue  # nothing that is read: an error of the file, or outside of what is decided
        read = max(held - floor, FLOOR)
        runs = [("transforms", [])]
        if kind(path) == ".smt2":
            runs += [(one, ["--without", "all", "--with", one]) for one in names]
        for what, options in runs:
            held, spent, ended = run(common + options + [path], args.time)
            ratio = max(held - floor, FLOOR) / read
            group = (os.path.dirname(name), what)
            count = worst.setdefault(group, [0, 0.0, 0, 0.0, ""])
            count[0] += 1
            count[3] = max(count[3], spent)
            if ratio > count[1]:
                count[1], count[2], count[4] = ratio, held, os.path.basename(name)
            if ratio > args.most or not ended:
                over.append(f"{name} {what}: {ratio:.1f} × reading ({(held - floor) / 1024:.1f} MB against "
                            f"{read / 1024:.1f}), "
                            f"{spent:.1f} s{'' if ended else ', not ended'}")
                print(over[-1], flush=True)
    print("| folder | what | files | highest ratio | its memory, MB | longest, s |\n|---|---|---|---|---|---|")
    for (folder, what), (files, ratio, held, spent, _) in sorted(worst.items()):
        print(f"| {folder} | {what} | {files} | {ratio:.1f} | {held / 1024:.0f} | {spent:.1f} |")
    print(f"{len(over)} over")
    sys.exit(bool(over))


if __name__ == "__main__":
    main()
