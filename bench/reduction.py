#!/usr/bin/env python3
"""The programs of the paper on reduction for threads, made as C, and timed models in the encodings of the thesis.

    python3 bench/reduction.py [--alphorn PROGRAM] [--time 60s] [--timed FILE...] [--no-programs]

Prints a row for each: the verdict that is expected and the one that is found, the places of the threads' product and its clauses, processor time of
deciding and of checking the evidence anew. Where the sources do not print a program, it is one that fits what they say of it.
"""

import argparse
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

HEAD = """typedef unsigned long pthread_t;
typedef union { char size[40]; long align; } pthread_mutex_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern void reach_error(void);
extern void abort(void);
#define LOCK(m) pthread_mutex_lock(&m)
#define UNLOCK(m) pthread_mutex_unlock(&m)
"""


def program(shared, threads, after):
    """A program that creates all threads, joins them, and goes on."""
    lines = [HEAD, shared]
    for number, body in enumerate(threads, 1):
        lines.append(f"void *thread{number}(void *arg) {{ {body} return 0; }}")
    count = len(threads)
    ids = ", ".join(f"t{number}" for number in range(1, count + 1))
    create = " ".join(f"pthread_create(&t{n}, 0, thread{n}, 0);" for n in range(1, count + 1))
    join = " ".join(f"pthread_join(t{n}, 0);" for n in range(1, count + 1))
    lines.append(f"int main(void) {{ pthread_t {ids}; {create} {join} {after} return 0; }}")
    return "\n".join(lines) + "\n"


def p1(n, wrong=11, late=""):
    """The paper's figure, with n statements in each block; `late` is what thread 3 does without a mutex."""
    first = (f"LOCK(mx); int a = x; LOCK(my); {'y = y + a; ' * n}UNLOCK(my); a = a + 1; "
             f"LOCK(my); {'y = y + a; ' * n}UNLOCK(my); x = 2 * x + a; UNLOCK(mx);")
    second = f"LOCK(mx); {'x = x + 2; ' * n}UNLOCK(mx);"
    third = f"LOCK(my); {'y = y + 2; ' * n}UNLOCK(my); {late}"
    shared = "int x = 2, y = 2; pthread_mutex_t mx, my;"
    return program(shared, [first, second, third], f"if (x == {wrong}) reach_error();")


def stack(n, safe):
    push = f"LOCK(m); if (top == {n}) reach_error(); top = top + 1; {'' if safe else 'flag = 1; '}UNLOCK(m);"
    test = "top > 0" if safe else "flag == 1"
    pop = f"LOCK(m); if ({test}) {{ if (top == 0) reach_error(); top = top - 1; }} UNLOCK(m);"
    loop = lambda body: f"for (int i = 0; i < {n}; i++) {{ {body} }}"
    return program("int top, flag; pthread_mutex_t m;", [loop(push), loop(pop)], "")


def twostage(fixed):
    writer = "LOCK(m1); d1 = 1; UNLOCK(m1); LOCK(m2); d2 = d1 + 1; UNLOCK(m2);"
    reader = ("LOCK(m1); if (d1 == 0) { UNLOCK(m1); return 0; } int t1 = d1; UNLOCK(m1); "
              "LOCK(m2); int t2 = d2; UNLOCK(m2); if (t2 != t1 + 1) reach_error();")
    if fixed:
        writer = "LOCK(m1); d1 = 1; d2 = d1 + 1; UNLOCK(m1);"
        reader = ("LOCK(m1); if (d1 == 0) { UNLOCK(m1); return 0; } int t1 = d1; int t2 = d2; UNLOCK(m1); "
                  "if (t2 != t1 + 1) reach_error();")
    return program("int d1, d2; pthread_mutex_t m1, m2;", [writer, writer, reader], "")


def join():
    first = ("int k = 0, r0 = 0, r1 = 0; LOCK(m); while (k < 2) { LOCK(n); if (k == 0) r0 = y; else r1 = y; UNLOCK(n); k++; } "
             "UNLOCK(m); if (r0 != r1) reach_error();")
    return program("int y; pthread_mutex_t m, n;", [first, "LOCK(n); y = y + 1; UNLOCK(n);"], "")


def diverge(end):
    first = f"LOCK(m); x = 1; UNLOCK(m); {end}"
    return program("int x; pthread_mutex_t m;", [first, "LOCK(m); int t = x; UNLOCK(m); if (t == 1) reach_error();"], "")


def deadlock():
    one = "LOCK(a); LOCK(b); x = 1; UNLOCK(b); UNLOCK(a);"
    two = "LOCK(b); LOCK(a); x = 1; UNLOCK(a); UNLOCK(b);"
    return program("int x; pthread_mutex_t a, b;", [one, two], "if (x != 1) reach_error();")


def rows():
    """Name, expected verdict, program, and seconds that the paper's tool took."""
    for n, seconds in ((1, 2), (5, 32), (10, 64), (50, 2400)):
        yield f"P1-{n}", "SAFE", p1(n), seconds
    yield "P1-2", "UNSAFE", p1(2), None
    for wrong, verdict in ((9, "UNSAFE"), (13, "UNSAFE"), (7, "SAFE"), (12, "SAFE")):
        yield f"P1-1, x = {wrong}", verdict, p1(1, wrong), None
    for n, seconds in ((5, 140), (10, 220), (50, 3778)):
        yield f"P2-{n}", "SAFE", p1(n, late="y = y + 1;"), seconds
    for n, safe, seconds in ((5, True, 17), (10, True, 75), (5, False, 2), (10, False, 3)):
        yield f"stack-{'safe' if safe else 'unsafe'}-{n}", "SAFE" if safe else "UNSAFE", stack(n, safe), seconds
    yield "twostage-3", "UNSAFE", twostage(False), 17
    yield "twostage-3, one lock", "SAFE", twostage(True), None
    yield "T-JOIN", "UNSAFE", join(), None
    yield "T-DIVERGE", "UNSAFE", diverge("while (1) ;"), None
    yield "T-BLOCK", "UNSAFE", diverge("abort();"), None
    yield "T-DEADLOCK", "SAFE", deadlock(), None


def run(command):
    """What a command says, and its processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout + done.stderr, spent


def decide(alphorn, path, limit, more=()):
    """Verdict, clauses, time of deciding, time of checking."""
    evidence = path.with_suffix(".evidence")
    said, spent = run([alphorn, str(path), "--time", limit, "--threads", "1", "--evidence", str(evidence), *more])
    verdict = re.search(r": (SAFE|UNSAFE|UNKNOWN)", said)
    text, _ = run([alphorn, "convert", str(path), "--to", "smtlib", *more])
    clauses = text.count("(assert")
    if path.suffix == ".c":
        text, _ = run([alphorn, "convert", str(path), "--to", "svlib"])
        clauses = f"{text.count('(label ')} / {clauses}"
    checked = None
    if evidence.exists():
        judged, checked = run([alphorn, "check", str(path), str(evidence), *more])
        if "accepted" not in judged:
            checked = judged.strip()[:60]
        evidence.unlink()
    return (verdict[1] if verdict else said.strip()[:60]), clauses, spent, checked


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--alphorn", default="target/release/alphorn")
    parser.add_argument("--time", default="60s")
    parser.add_argument("--timed", nargs="*", default=[])
    parser.add_argument("--no-programs", action="store_true", help="only timed models")
    args = parser.parse_args()
    wrong = 0
    number = lambda value: f"{value:.2f}" if isinstance(value, float) else str(value or "–")
    with tempfile.TemporaryDirectory() as folder:
        print("| program | expected | found | places / clauses | s | check, s | the paper's tool, s |\n|---|---|---|--:|--:|--:|--:|")
        for name, expected, text, seconds in [] if args.no_programs else rows():
            path = Path(folder) / "program.c"
            path.write_text(text)
            found, clauses, spent, checked = decide(args.alphorn, path, args.time)
            wrong += found in ("SAFE", "UNSAFE") and found != expected
            print(f"| {name} | {expected} | {found} | {clauses} | {spent:.2f} | {number(checked)} | {seconds or '–'} |", flush=True)
        print("\n| model | encoding | found | clauses | s | check, s |\n|---|---|---|--:|--:|--:|")
        for file in args.timed:
            path = Path(folder) / Path(file).name
            path.write_bytes(Path(file).read_bytes())
            # Templates, of which there may be any number of copies, are in UPPAAL's files.
            any_number = ("parameterised",) if path.suffix == ".xml" else ()
            for encoding in ("product", "owicki-gries", "rely-guarantee", *any_number):
                found, clauses, spent, checked = decide(args.alphorn, path, args.time, ["--encoding", encoding])
                print(f"| {path.stem} | {encoding} | {found} | {clauses} | {spent:.2f} | {number(checked)} |", flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
