#!/usr/bin/env python3
"""How deep `bmc` and ABC's `bmc3` come in equal time: a row for each circuit.

    bench/frames.py --alphorn PROGRAM [--time 10] FILE…

Each file is unrolled by both, one after the other, with so many seconds of processor time each; told is the largest number of
steps after which there is no violation, or where a violation was found. ABC is Debian's `berkeley-abc`, with constraints folded
into the property. What was measured is in bench/notes/circuit-engines.md.
"""

import argparse
import os
import re
import resource
import subprocess


def said(words, seconds):
    """All that a command says until its time is over."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    done = subprocess.run(words, capture_output=True, text=True, errors="replace", preexec_fn=limit)
    return done.stdout + done.stderr


def depth(text, cleared, violated):
    """The depth of the last line that says there is no violation, or of a violation."""
    last = max(map(int, re.findall(cleared, text, re.M)), default=-1)
    found = re.search(violated, text)
    return f"violated at {found.group(1)}" if found else str(last)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--alphorn", required=True, metavar="PROGRAM")
    parser.add_argument("--time", type=int, default=10, metavar="SECONDS")
    args = parser.parse_args()
    print("| file | `bmc` | ABC `bmc3` |")
    print("|---|--:|--:|", flush=True)
    for file in args.files:
        ours = said([args.alphorn, file, "--engine", "bmc", "--threads", "1", "--time", "600s", "-vv"], args.time)
        script = f"read_aiger {file}; logic; undc; strash; zero; fold; strash; bmc3 -v"
        theirs = said(["stdbuf", "-oL", "berkeley-abc", "-c", script], args.time)
        ours = depth(ours, r"no counterexample up to depth (\d+)", r"UNSAFE\D*?(\d+) steps?")
        theirs = depth(theirs, r"^\s*(\d+) \+ :", r"was asserted in frame (\d+)")
        print(f"| {os.path.splitext(os.path.basename(file))[0]} | {ours} | {theirs} |", flush=True)


if __name__ == "__main__":
    main()
