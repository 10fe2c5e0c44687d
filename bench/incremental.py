#!/usr/bin/env python3
"""Time per question in long incremental dialogues, beside `z3 -in`.

    python3 bench/incremental.py target/release/alphorn [--commands 10000] [--family NAME] [--no-z3]

Each family is a dialogue of about so many commands that is sent one command at a time, the next when the
last is answered. For each tenth of the questions the median and the longest time in milliseconds are
printed: flat is good. Where the system tells, the time is the processor's, which others on the machine
do not change; otherwise it is the clock's. Answers of the two solvers are compared; `unknown` agrees with everything.
"""

import argparse
import glob
import os
import random
import statistics
import subprocess
import sys
import time


def growing_linear(count):
    """Ever more assertions about ever more numbers, and a question after each few."""
    yield "(set-logic QF_LIA)"
    yield "(declare-const x0 Int)"
    for n in range(1, count // 4):
        yield f"(declare-const x{n} Int)"
        yield f"(assert (and (> x{n} x{n - 1}) (< x{n} (+ x{n - 1} 5))))"
        yield "(check-sat)"
        yield f"(check-sat-assuming ((> x{n} (+ x{max(0, n - 3)} 20))))"


def levels_linear(count):
    """A base of assertions, and levels that come and go."""
    yield "(set-logic QF_LIA)"
    for n in range(20):
        yield f"(declare-const x{n} Int)"
        yield f"(assert (<= 0 x{n} 1000))"
    draw = random.Random(1)
    for _ in range(count // 5):
        a, b, c = draw.randrange(20), draw.randrange(20), draw.randrange(-900, 900)
        yield "(push 1)"
        yield f"(assert (> (+ x{a} (* 2 x{b})) {abs(c) * 3}))"
        yield "(check-sat)"
        yield f"(get-value (x{a}))"
        yield "(pop 1)"


def words(count):
    """Bit-vectors under assumptions."""
    yield "(set-logic QF_BV)"
    for n in range(8):
        yield f"(declare-const w{n} (_ BitVec 16))"
    yield "(assert (= (bvadd w0 w1) (bvxor w2 w3)))"
    draw = random.Random(2)
    for _ in range(count // 2):
        a, b, c = draw.randrange(8), draw.randrange(8), draw.randrange(1 << 16)
        yield f"(check-sat-assuming ((bvult w{a} (_ bv{c} 16)) (= (bvand w{b} #x00ff) (bvlshr w{a} #x0003))))"
        yield "(echo \"next\")"


def functions(count):
    """Equalities over declared functions, growing, with levels."""
    yield "(set-logic QF_UF)"
    yield "(declare-sort U 0)"
    yield "(declare-fun f (U) U)"
    yield "(declare-const c0 U)"
    for n in range(1, count // 6):
        yield f"(declare-const c{n} U)"
        yield f"(assert (= (f c{n - 1}) c{n}))"
        yield "(push 1)"
        yield f"(assert (distinct (f (f c{max(0, n - 2)})) c{n if n > 1 else 0}))"
        yield "(check-sat)"
        yield "(pop 1)"


def axioms(count):
    """Quantified axioms at the base, and questions that need an instance each."""
    yield "(set-logic UFLIA)"
    yield "(declare-fun f (Int) Int)"
    yield "(declare-fun p (Int) Bool)"
    yield "(assert (forall ((x Int)) (! (=> (p x) (> (f x) x)) :pattern ((f x)))))"
    yield "(assert (forall ((x Int)) (! (=> (> (f x) 10) (p (f x))) :pattern ((f x)))))"
    for n in range(count // 5):
        yield f"(declare-const k{n} Int)"
        yield "(push 1)"
        yield f"(assert (and (p k{n}) (> k{n} 10) (<= (f k{n}) k{n})))"
        yield "(check-sat)"
        yield "(pop 1)"


def growing_axioms(count):
    """As above, with facts that stay."""
    yield "(set-logic UFLIA)"
    yield "(declare-fun f (Int) Int)"
    yield "(declare-fun p (Int) Bool)"
    yield "(assert (forall ((x Int)) (! (=> (p x) (> (f x) x)) :pattern ((f x)))))"
    for n in range(count // 4):
        yield f"(declare-const k{n} Int)"
        yield f"(assert (and (p k{n}) (>= (f k{n}) {n})))"
        yield "(echo \"next\")"
        yield f"(check-sat-assuming ((<= (f k{n}) k{n})))"


FAMILIES = [growing_linear, levels_linear, words, functions, axioms, growing_axioms]


def spent(process):
    """The processor's time for a process in milliseconds, or the clock's."""
    try:
        total = 0
        for path in glob.glob(f"/proc/{process.pid}/task/*/schedstat"):
            with open(path) as file:
                total += int(file.read().split()[0])
        if total:
            return total / 1e6
    except OSError:
        pass
    return time.monotonic() * 1000


def run(command, script, limit):
    """The answers, and the time of each question in milliseconds."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    answers, times = [], []
    begun = time.monotonic()
    process.stdin.write("(set-option :print-success true)\n")
    process.stdout.readline()
    for line in script:
        is_question = line.startswith("(check-sat")
        start = spent(process) if is_question else 0
        process.stdin.write(line + "\n")
        process.stdin.flush()
        reply = process.stdout.readline().strip()
        if is_question:
            times.append(spent(process) - start)
            answers.append(reply)
        elif reply.startswith("(error"):
            sys.exit(f"{command[0]}: {line}: {reply}")
        if time.monotonic() - begun > limit:
            break
    process.stdin.close()
    process.wait()
    usage = os.times()
    return answers, times, usage.children_user


def show(name, times, answers, cpu):
    size = max(1, len(times) // 10)
    parts = [times[at : at + size] for at in range(0, size * 10, size) if times[at : at + size]]
    medians = " ".join(f"{statistics.median(part):7.2f}" for part in parts)
    print(f"  {name:8} {len(times):6} questions, {sum(times) / 1000:7.2f} s in all, {cpu:7.2f} s of processor")
    print(f"           medians of tenths {medians}   longest {max(times):.1f} ms")
    print(f"           {answers.count('sat')} sat, {answers.count('unsat')} unsat, {answers.count('unknown')} unknown")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("alphorn")
    parser.add_argument("--commands", type=int, default=10_000)
    parser.add_argument("--family", action="append")
    parser.add_argument("--limit", type=float, default=300, help="seconds for one dialogue")
    parser.add_argument("--no-z3", action="store_true")
    args = parser.parse_args()
    solvers = [("alphorn", [args.alphorn, "smt", "-"])]
    if not args.no_z3:
        solvers.append(("z3", ["z3", "-in"]))
    wrong = 0
    for family in FAMILIES:
        if args.family and family.__name__ not in args.family:
            continue
        print(f"{family.__name__}: {family.__doc__}")
        found = []
        for name, command in solvers:
            before = os.times().children_user
            answers, times, after = run(command, family(args.commands), args.limit)
            show(name, times, answers, after - before)
            found.append(answers)
        if len(found) == 2:
            pairs = zip(*found)
            wrong += sum(a != b and "unknown" not in (a, b) for a, b in pairs)
    print(f"{wrong} disagreements")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
