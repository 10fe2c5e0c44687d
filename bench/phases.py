#!/usr/bin/env python3
"""Loops with phases: by a remainder, by a bound, by a bound that comes again, and sums that are taken away.

    bench/phases.py [--seconds 5] [--program PATH ...] [--z3 PATH] [--keep FOLDER]

Writes Horn clauses of each kind with other numbers, half of them safe by an equation in each phase and half unsafe at a depth that no
search step by step reaches, and prints how many each program decides. An answer that is not the known one is an error.
What was measured with them is in bench/notes/pdr.md.
"""

import argparse
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

HEAD = "(set-logic HORN)\n(declare-fun loop (Int Int Int) Bool)\n"


def number(value):
    return str(value) if value >= 0 else f"(- {-value})"


def system(step, query, start="0 0 0"):
    variables = "(forall ((n Int) (a Int) (b Int))"
    return (f"{HEAD}(assert (loop {start}))\n(assert {variables} (=> (loop n a b) (loop {step}))))\n"
            f"(assert {variables} (=> (and (loop n a b) {query}) false)))\n(check-sat)\n")


def by_remainder(pick, is_safe):
    modulus = pick.randint(2, 4)
    gains = [pick.randint(-2, 3) for _ in range(modulus)]
    others = [pick.randint(-2, 3) for _ in range(modulus)]
    if len(set(gains)) == 1:
        gains[0] += 1

    def cases(values):
        text = number(values[-1])
        for rest in range(modulus - 1):
            text = f"(ite (= (mod n {modulus}) {rest}) {number(values[rest])} {text})"
        return text

    periods, rest = pick.randint(10_000, 900_000), pick.randrange(modulus)
    a = sum(gains) * periods + sum(gains[:rest]) + (0 if is_safe else 1)
    b = sum(others) * periods + sum(others[:rest])
    query = f"(= n {modulus * periods + rest}) (not (= (+ a b) {number(a + b)}))"
    return system(f"(+ n 1) (+ a {cases(gains)}) (+ b {cases(others)})", query)


def by_bound(pick, is_safe):
    bound, one, two = pick.randint(300, 90_000), pick.randint(1, 3), pick.randint(4, 6)
    last = bound + pick.randint(300, 90_000)
    value = one * bound + two * (last - bound) + (0 if is_safe else 1)
    query = f"(= n {last}) (not (= (+ a b) {value + last}))"
    return system(f"(+ n 1) (+ a (ite (< n {bound}) {one} {two})) (+ b 1)", query)


def by_bound_again(pick, is_safe):
    half, one = pick.randint(200, 600), pick.randint(2, 4)
    # As much is added in the first half as in both together, one at a time.
    value = "b" if is_safe else "(+ b 1)"
    query = f"(= n 0) (> b {pick.randint(1, 50) * 2 * half}) (not (= (* 2 a) (* {one} {value})))"
    step = f"(mod (+ n 1) {2 * half}) (+ a (ite (< n {half}) {one} 0)) (+ b 1)"
    return system(step, query)


def taken_away(pick, is_safe):
    more, less = pick.randint(1, 4), pick.randint(1, 5)
    start = f"(+ s {more})" if is_safe else f"(- s {less} {pick.randint(5, 9)})"
    variables = "(forall ((n Int) (s Int))"
    return (f"(set-logic HORN)\n(declare-fun up (Int Int) Bool)\n(declare-fun down (Int Int) Bool)\n(assert (up 0 0))\n"
            f"(assert {variables} (=> (up n s) (up (+ n 1) (+ s n 1)))))\n"
            f"(assert {variables} (=> (and (up n s) (> n {less})) (down n {start}))))\n"
            f"(assert {variables} (=> (and (down n s) (> s 0)) (down (- n 1) (+ (- s n) 1)))))\n"
            f"(assert {variables} (=> (and (down n s) (<= s 0) (>= n 0)) false)))\n(check-sat)\n")


KINDS = {"remainder": by_remainder, "bound": by_bound, "again": by_bound_again, "taken": taken_away}


def decide(command, path, seconds):
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    try:
        out = subprocess.run([*command, str(path)], capture_output=True, text=True, preexec_fn=limit, timeout=4 * seconds).stdout
    except subprocess.TimeoutExpired:
        out = ""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    words = out.replace(":", " ").split()
    answer = next((word for word in words if word.lower() in ("sat", "unsat", "safe", "unsafe")), "unknown").lower()
    return {"sat": "safe", "unsat": "unsafe"}.get(answer, answer), spent


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--program", action="append", default=[])
    parser.add_argument("--z3")
    parser.add_argument("--each", type=int, default=5, help="systems of each kind and answer")
    parser.add_argument("--keep")
    args = parser.parse_args()
    folder = pathlib.Path(args.keep or tempfile.mkdtemp(prefix="phases"))
    folder.mkdir(parents=True, exist_ok=True)
    commands = {program: [program, "--threads", "1", "--time", f"{args.seconds}s"] for program in args.program}
    if args.z3:
        commands[args.z3] = [args.z3]
    wrong = 0
    for kind, make in KINDS.items():
        for is_safe in (True, False):
            counts = {name: [0, 0.0] for name in commands}
            for seed in range(args.each):
                path = folder / f"{kind}_{'safe' if is_safe else 'unsafe'}_{seed}.smt2"
                path.write_text(make(random.Random(f"{kind}{is_safe}{seed}"), is_safe))
                for name, command in commands.items():
                    answer, spent = decide(command, path, args.seconds)
                    if answer == ("safe" if is_safe else "unsafe"):
                        counts[name][0] += 1
                        counts[name][1] += spent
                    elif answer != "unknown":
                        wrong += 1
                        print(f"{path}: {name} says {answer}")
            row = ", ".join(f"{name} {count} in {spent:.1f} s" for name, (count, spent) in counts.items())
            print(f"{kind} {'safe' if is_safe else 'unsafe'} of {args.each}: {row}", flush=True)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
