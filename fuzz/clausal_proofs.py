#!/usr/bin/env python3
"""Proofs of another SAT solver: `alphorn check` against what CaDiCaL writes.

usage: fuzz/clausal_proofs.py [--count 40] [--seed 0] [--alphorn PATH] [--cadical PATH]

Random formulas (three literals a clause, exclusive disjunctions, pigeons in holes) go to CaDiCaL, which
writes its proof in every form that its version knows: DRAT as text and in binary, and LRAT likewise from
version 1.7 on. Each proof must be accepted for its formula, a model of a satisfiable one too, and a proof
must be refused for a formula that lost a clause and is satisfiable. The exit code is 1 if one is not.
"""

import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ACCEPTED, REFUSED = 0, 6
UNSATISFIABLE = 20
FORMS = {"DRAT, text": ["--no-binary"], "DRAT, binary": []}
WITH_HINTS = {"LRAT, text": ["--lrat", "--no-binary"], "LRAT, binary": ["--lrat"]}


def random_formula(draw):
    kind = draw.randrange(3)
    if kind == 0:
        count = draw.randint(10, 120)
        clauses = [[lit * draw.choice((1, -1)) for lit in draw.sample(range(1, count + 1), 3)]
                   for _ in range(int(count * draw.uniform(4.2, 6)))]
    elif kind == 1:
        count, clauses = draw.randint(8, 36), []
        for _ in range(count + 2):
            lits, odd = draw.sample(range(1, count + 1), 3), draw.randrange(2)
            for mask in range(8):
                if bin(mask).count("1") % 2 == odd:
                    clauses.append([-lit if mask >> at & 1 else lit for at, lit in enumerate(lits)])
    else:
        holes = draw.randint(2, 6)
        count = holes * (holes + 1)
        place = lambda pigeon, hole: pigeon * holes + hole + 1
        clauses = [[place(pigeon, hole) for hole in range(holes)] for pigeon in range(holes + 1)]
        clauses += [[-place(one, hole), -place(other, hole)]
                    for hole in range(holes) for one in range(holes + 1) for other in range(one)]
    return count, clauses


def write(path, count, clauses):
    lines = [f"p cnf {count} {len(clauses)}"] + [" ".join(map(str, clause + [0])) for clause in clauses]
    path.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--alphorn", default=ROOT / "target/release/alphorn")
    parser.add_argument("--cadical", default="cadical")
    arguments = parser.parse_args()
    usage = subprocess.run([arguments.cadical, "--help"], capture_output=True, text=True).stdout
    forms = dict(FORMS, **(WITH_HINTS if "--lrat" in usage else {}))
    counts, faults = {}, 0

    def check(formula, evidence, wanted, what):
        nonlocal faults
        run = subprocess.run([arguments.alphorn, "check", formula, evidence], capture_output=True, text=True)
        counts[what] = counts.get(what, 0) + 1
        if run.returncode != wanted:
            faults += 1
            print(f"seed {seed}, {what}: ended with {run.returncode}: {(run.stdout + run.stderr)[:300]}")

    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        formula, other, proof, model = (folder / name for name in ("f.cnf", "g.cnf", "proof", "model"))
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            draw = random.Random(seed)
            count, clauses = random_formula(draw)
            write(formula, count, clauses)
            answer = subprocess.run([arguments.cadical, "-q", formula], capture_output=True, text=True)
            if answer.returncode != UNSATISFIABLE:
                model.write_text(answer.stdout)
                check(formula, model, ACCEPTED, "model")
                continue
            lost = clauses[:]
            lost.pop(draw.randrange(len(lost)))
            write(other, count, lost)
            is_lost = subprocess.run([arguments.cadical, "-q", other], capture_output=True).returncode
            for form, options in forms.items():
                # A file of its own, since CaDiCaL asks before it writes over one that looks like a formula.
                proof.unlink(missing_ok=True)
                subprocess.run([arguments.cadical, "-q", *options, formula, proof], capture_output=True)
                check(formula, proof, ACCEPTED, form)
                if is_lost != UNSATISFIABLE:
                    check(other, proof, REFUSED, f"{form}, of another formula")
    print(", ".join(f"{what}: {number}" for what, number in sorted(counts.items())) + f"; {faults} faults")
    sys.exit(1 if faults else 0)


main()
