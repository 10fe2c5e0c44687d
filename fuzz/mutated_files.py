#!/usr/bin/env python3
"""Damaged problems: every reader answers with a diagnostic, never with a failure, and soon.

    fuzz/mutated_files.py [--count 2000] [--seed 0] [--alphorn PATH] [--limit 10] [--keep DIR] FILE…

Each mutant is one of the files with a few bytes or tokens dropped, repeated, exchanged, or replaced by those
of another file. Scripts are decided with little work, and run as SMT scripts; other files are decided. An
exit code that is not in the README's table, the one for faults of ours, a panic, or more than LIMIT seconds of
processor time is an error, and so is a complaint about the input without a line; files with errors are kept.
"""

import argparse
import collections
import os
import random
import re
import resource
import subprocess
import sys
import tempfile

TOKEN = re.compile(rb'\|[^|]*\||"[^"]*"|;[^\n]*|[()]|[^\s()]+|\s+')
ODD = [b"(", b")", b"0", b"-1", b"99999999999999999999", b"#b", b"#xZ", b"(_ BitVec 0)", b"(as const Int)",
       b"(Array Int)", b"\xff", b"|", b'"', b"forall", b"match", b"par", b"(_ extract 3 9)", b"let", b"!",
       b"(declare-datatypes ((T 1)) ((par (X) ((c (f (T (T X))))))))", b"(push 1000000)", b"1e9", b"(- 1)"]


def tokens(rng, text, other):
    """A text with some tokens changed."""
    parts, others = TOKEN.findall(text), TOKEN.findall(other)
    for _ in range(rng.choice([1, 1, 2, 4])):
        if not parts or not others:
            break
        at, kind = rng.randrange(len(parts)), rng.randrange(6)
        if kind == 0:
            del parts[at]
        elif kind == 1:
            parts.insert(at, parts[rng.randrange(len(parts))])
        elif kind == 2:
            parts[at] = rng.choice(others)
        elif kind == 3:
            parts[at] = rng.choice(ODD)
        elif kind == 4:
            to = rng.randrange(len(parts))
            parts[at], parts[to] = parts[to], parts[at]
        else:
            start = rng.randrange(len(others))
            parts[at:at + rng.randrange(5)] = others[start:start + rng.randrange(12)]
    return b"".join(parts)


def damaged(rng, text):
    """A text with some bytes changed."""
    data = bytearray(text)
    for _ in range(rng.choice([1, 1, 2, 8])):
        if not data:
            break
        at = rng.randrange(len(data))
        kind = rng.randrange(4)
        if kind == 0:
            data[at] = rng.randrange(256)
        elif kind == 1:
            del data[at:at + rng.randrange(1, 9)]
        elif kind == 2:
            data[at:at] = data[at:at + rng.randrange(1, 40)]
        else:
            del data[at:]
    return bytes(data)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=int, default=10)
    parser.add_argument("--alphorn", default="target/release/alphorn")
    parser.add_argument("--keep")
    args = parser.parse_args()
    folder = args.keep or tempfile.mkdtemp(prefix="alphorn-damaged-")
    os.makedirs(folder, exist_ok=True)
    texts = {path: open(path, "rb").read() for path in args.files}
    counts, errors = collections.Counter(), 0
    restrict = lambda: resource.setrlimit(resource.RLIMIT_CPU, (args.limit, args.limit + 1))
    for number in range(args.count):
        rng = random.Random(f"{args.seed} {number}")
        path = rng.choice(args.files)
        text = texts[path]
        if rng.random() < 0.7:
            text = tokens(rng, text, texts[rng.choice(args.files)])
        if rng.random() < 0.4:
            text = damaged(rng, text)
        mutant = os.path.join(folder, f"{number}{os.path.splitext(path)[1]}")
        with open(mutant, "wb") as file:
            file.write(text)
        commands = [["--ticks", "50", "--time", "2s", "--threads", "1", mutant]]
        if path.endswith(".smt2"):
            commands.append(["smt", mutant])
        before = errors
        for command in commands if number % 3 == 0 else commands[:1]:
            done = subprocess.run([args.alphorn, *command], capture_output=True, preexec_fn=restrict)
            said = (done.stdout + done.stderr).decode(errors="replace")
            counts[command[0] if command[0] == "smt" else "decide", done.returncode] += 1
            has_line = re.search(r"--> .*:\d+:\d+|line \d+|\(error \"\d+:\d+", said) or done.returncode != 4 or not text
            if done.returncode not in range(0, 7) or "panicked" in said or "fault of ours" in said or not has_line:
                errors += 1
                print(f"ERROR {mutant}: {' '.join(command[:-1])}: exit {done.returncode}: {said[:300]}", flush=True)
        if errors == before:
            os.remove(mutant)
    print({f"{verb} {code}": count for (verb, code), count in sorted(counts.items())}, f"{errors} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
