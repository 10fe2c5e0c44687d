#!/usr/bin/env python3
"""Has Z3 confirm our models of Horn systems, clause by clause, and our derivations, step by step.

    bench/confirm.py --out confirmed.csv [--time 30] [--limit 10] [--shapes 20] [--engine NAME] PATH…

For every file that alphorn finds safe, the model it prints (`--dialect horn --model`) takes the place
of the declarations, and each assertion of the file is asked about on its own: its negation must be
unsatisfiable, within `--limit` seconds of processor time for each. Where a model has recursive functions
and Z3 does not decide a clause, the clause is tried on trees of random shapes (bench/evaluate.py). For
every file that is unsafe, each step of the derivation must follow from its premises by an assertion of the
file. PATH is as in bench/run.py.

Rows: file,verdict,clauses,confirmed,open,refuted,size,slowest,tried, where size is the number of symbols and
numbers in the definitions, slowest the seconds of the slowest clause, and tried the number of open clauses
that hold for all shapes; of an unsafe file the clauses are steps. Rows that are there are not
made again. Exit code: 1 if a clause is refuted, which means a wrong model, or if a definition is
missing; a clause that Z3 cannot decide in time is only counted.
"""

import argparse
import csv
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import evaluate
import run

COLUMNS = ["file", "verdict", "clauses", "confirmed", "open", "refuted", "size", "slowest", "tried"]


def commands(text):
    """The commands of a script, as text; comments and strings are understood."""
    found, depth, start, at = [], 0, 0, 0
    while at < len(text):
        char = text[at]
        if char == ";":
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
            continue
        if char in '|"':
            at = text.index(char, at + 1) + 1
            continue
        if char == "(":
            if depth == 0:
                start = at
            depth += 1
        elif char == ")":
            depth -= 1
            if depth == 0:
                found.append(text[start:at + 1])
        at += 1
    return found


def head(command):
    """The first word of a command."""
    return command[1:].split(None, 1)[0].rstrip(")")


def second(command):
    """The second word of a command: the name that it declares or defines."""
    rest = command[1:].split(None, 1)[1].lstrip()
    return rest[:rest.index("|", 1) + 1] if rest.startswith("|") else rest.split(None, 1)[0].rstrip(")")


def plain(name):
    """A symbol without bars."""
    return name.strip("|")


def parts(script, model):
    """The commands before the assertions, with definitions for declarations; the assertions; and
    the names that have no definition."""
    defined = {plain(second(command)): command for command in model if head(command) == "define-fun"}
    recursive = [command for command in model if head(command) == "define-funs-rec"]
    prelude, asserts, missing = [], [], []
    for command in script:
        word = head(command)
        if word in ("declare-fun", "declare-const"):
            prelude, recursive = prelude + recursive, []
            name = plain(second(command))
            if name not in defined:
                missing.append(name)
            prelude.append(defined.get(name, command))
        elif word == "assert":
            asserts.append(command)
        elif word.startswith(("declare-", "define-")):
            prelude.append(command)
    return prelude, asserts, missing


def body(command):
    """What an assertion asserts."""
    return command[command.index("assert") + len("assert"):-1]


def asks(prelude, command, limit, folder):
    """What Z3 says about the negation of an assertion, and how long it took."""
    path = os.path.join(folder, "clause.smt2")
    with open(path, "w") as out:
        out.write("\n".join(prelude) + f"\n(assert (not {body(command)}))\n(check-sat)\n")
    seconds = max(1, int(limit))
    restrict = lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    begun = time.monotonic()
    done = subprocess.run([run.z3_path(), path], capture_output=True, text=True, preexec_fn=restrict)
    words = done.stdout.split()
    return (words[0] if words else "unknown"), time.monotonic() - begun, done.stdout


def confirm(args, path):
    """A row about a file without its name, and complaints."""
    words = [run.alphorn_path(args.alphorn), path, "--dialect", "horn", "--model", "--time", f"{args.time}s"]
    words += ["--engine", args.engine] if args.engine else []
    done = subprocess.run(words, capture_output=True, text=True, errors="replace")
    verdict, _, rest = done.stdout.partition("\n")
    if verdict == "unsat":
        return derived(args, path)
    if verdict != "sat":
        return [verdict or "error", 0, 0, 0, 0, 0, 0, 0], []
    text = rest.strip()
    model = commands(text[1:-1] if text.startswith("(") else text)
    size = sum(len(command.replace("(", " ").replace(")", " ").split()) for command in model)
    with open(path, encoding="utf-8", errors="replace") as script:
        prelude, asserts, missing = parts(commands(script.read()), model)
    complaints = [f"{path}: no definition of {name}" for name in missing]
    counts, slowest, tried = {"unsat": 0, "sat": 0}, 0.0, 0
    is_recursive = any(head(command) == "define-funs-rec" for command in model)
    with tempfile.TemporaryDirectory() as folder:
        for number, command in enumerate(asserts):
            word, seconds, said = asks(prelude, command, args.limit, folder)
            slowest = max(slowest, seconds)
            counts[word] = counts.get(word, 0) + 1
            if word == "sat":
                complaints.append(f"{path}: REFUTED at assertion {number}")
            elif word.startswith("(error"):
                complaints.append(f"{path}: assertion {number}: {said.strip()[:200]}")
            elif word != "unsat" and is_recursive:
                found = evaluate.shapes("\n".join(prelude + [command]), args.shapes)
                tried += found[evaluate.HOLDS] == args.shapes
                if found[evaluate.FAILS]:
                    complaints.append(f"{path}: REFUTED at assertion {number} by a shape")
    undecided = len(asserts) - counts["unsat"] - counts["sat"]
    row = ["sat", len(asserts), counts["unsat"], undecided, counts["sat"], size, f"{slowest:.2f}", tried]
    return row, complaints


def declarations(text):
    """A script without the commands that ask."""
    asked = ("check-sat", "get-model", "exit", "set-logic")
    return "\n".join(part for part in commands(text) if head(part) not in asked)


def converted(path, alphorn):
    """A file's clauses, numbered as in evidence, as a script that asks nothing."""
    done = subprocess.run([alphorn, "convert", path, "--to", "smtlib"], capture_output=True, text=True)
    return declarations(done.stdout)


def derived(args, path):
    """A row about a file that is unsafe without its name, and complaints."""
    words = [run.alphorn_path(args.alphorn), path, "-q", "--evidence", "-", "--time", f"{2 * args.time}s"]
    words += ["--engine", args.engine] if args.engine else []
    done = subprocess.run(words, capture_output=True, text=True, errors="replace")
    if "(derivation" not in done.stdout:
        return ["unsat", 0, 0, 0, 0, 0, 0, 0], [f"{path}: no derivation the second time"]
    if "(progression" in done.stdout:
        script = converted(path, run.alphorn_path(args.alphorn))
    else:
        with open(path, encoding="utf-8", errors="replace") as script:
            script = declarations(script.read())
    begun = time.monotonic()
    try:
        found = evaluate.derivation(script, done.stdout, 1000 * int(args.limit))
    except evaluate.z3.Z3Exception as error:
        return ["unsat", 0, 0, 0, 0, 0, 0, 0], [f"{path}: Z3 does not read it: {str(error)[:200]}"]
    complaints = [f"{path}: REFUTED in {found[evaluate.FAILS]} steps"] if found[evaluate.FAILS] else []
    counts = [found[word] for word in (evaluate.HOLDS, evaluate.OPEN, evaluate.FAILS)]
    return ["unsat", sum(counts), *counts, 0, f"{time.monotonic() - begun:.2f}", 0], complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="*", metavar="PATH")
    parser.add_argument("--out", metavar="CSV")
    parser.add_argument("--time", type=float, default=30, metavar="SECONDS")
    parser.add_argument("--limit", type=float, default=10, metavar="SECONDS")
    parser.add_argument("--shapes", type=int, default=20, metavar="COUNT")
    parser.add_argument("--engine", metavar="NAME")
    parser.add_argument("--alphorn", metavar="PATH")
    parser.add_argument("--self-test", action="store_true")
    args = parser.parse_args()
    if args.self_test:
        return self_test()
    if not args.out or not args.paths:
        parser.error("--out and a PATH are needed")
    rows = []
    if os.path.exists(args.out):
        with open(args.out, newline="") as text:
            rows = list(csv.reader(text))[1:]
    else:
        with open(args.out, "w", newline="") as out:
            csv.writer(out, lineterminator="\n").writerow(COLUMNS)
    there, wrong = {row[0] for row in rows}, 0
    files = [path for path in run.files_of(args.paths) if path not in there]
    for number, path in enumerate(files, 1):
        row, complaints = confirm(args, path)
        for complaint in complaints:
            wrong += 1
            sys.stderr.write(f"!!! {complaint}\n")
        rows.append([path, *map(str, row)])
        with open(args.out, "a", newline="") as out:
            csv.writer(out, lineterminator="\n").writerow(rows[-1])
        sys.stderr.write(f"{number}/{len(files)}  {row[0]}  {os.path.basename(path)}\n")
    summary(rows)
    return 1 if wrong else 0


def summary(rows):
    safe = [row for row in rows if row[1] == "sat"]
    whole = [row for row in safe if row[2] == row[3]]
    print(f"{len(rows)} files, {len(safe)} models, {len(whole)} of them confirmed in every clause")
    shaped = [row for row in safe if row[4] != "0" and int(row[4]) == int(row[8])]
    print(f"{len(shaped)} more models whose open clauses hold for all shapes tried")
    runs = [row for row in rows if row[1] == "unsat"]
    whole = [row for row in runs if row[2] == row[3] != "0"]
    print(f"{len(runs)} derivations, {len(whole)} of them confirmed in every step")
    if safe:
        sizes = sorted(int(row[6]) for row in safe)
        print(f"symbols per model: median {statistics.median(sizes):g}, most {sizes[-1]}")
        print(f"slowest clause {max(float(row[7]) for row in safe):.2f} s")


def self_test():
    """Splitting of scripts, and that a wrong model is noticed."""
    script = commands('; a (comment\n(declare-fun |p q| (Int) Bool) (echo "(")\n'
                      "(assert (forall ((x Int)) (=> (> x 3) (|p q| x))))\n(check-sat)")
    assert [head(command) for command in script] == ["declare-fun", "echo", "assert", "check-sat"]
    assert second(script[0]) == "|p q|" and second("(declare-const c Int)") == "c"
    good, bad = ["(define-fun |p q| ((x Int)) Bool (> x 2))"], ["(define-fun |p q| ((x Int)) Bool (> x 4))"]
    with tempfile.TemporaryDirectory() as folder:
        for model, expected in ((good, "unsat"), (bad, "sat")):
            prelude, asserts, missing = parts(script, model)
            assert prelude == model and len(asserts) == 1 and not missing
            assert asks(prelude, asserts[0], 10, folder)[0] == expected
    assert parts(script, [])[2] == ["p q"]
    clauses = "(declare-fun p (Int) Bool)(assert (p 1))(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))" \
              "(assert (forall ((x Int)) (=> (and (p x) (= x 2)) false)))"
    steps = "(derivation\n  (step 0 (clause 0) (values) (premises)) ; (p 1)\n" \
            "  (step 1 (clause 1) (values 1) (premises 0)) ; (p 2)\n" \
            "  (step 2 (clause 2) (values 2) (premises 1)) ; false\n)"
    assert evaluate.derivation(clauses, steps) == {"holds": 3, "fails": 0, "open": 0}
    assert evaluate.derivation(clauses, steps.replace("(p 2)", "(p 3)"))["fails"] == 2
    assert evaluate.derivation(clauses, steps.replace("(premises 1)", "(premises 0)"))["fails"] == 1
    rounds = lambda count, growth: [
        (0, [], []), (count, [(1, ["1"], [growth])], [0]), (2, ["2"], [1])]
    assert evaluate.replay(clauses, rounds(1, "1")) is True
    late = clauses.replace("(= x 2)", "(= x 1001)")
    assert evaluate.replay(late, rounds(1000, "1")[:2] + [(2, ["1001"], [1])]) is True
    assert evaluate.replay(late, rounds(999, "1")[:2] + [(2, ["1001"], [1])]) is False
    assert evaluate.replay(late, rounds(1000, "2")[:2] + [(2, ["1001"], [1])]) is False
    print("self-test passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
