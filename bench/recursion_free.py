#!/usr/bin/env python3
"""Recursion-free Horn systems by class, and how the solver does on them.

Classes after Rümmer, Hojjat, Kuncak (VSTTE 2013): body-disjoint (trees), head-disjoint, linear,
tree-like linear, and general ones in which predicates are shared. Families:

- `doubling`: a relation for 2^k steps, out of two uses of that for 2^(k-1) (safe and unsafe);
- `machine`: a Turing machine that runs for 2^n steps, so that the system is linear in n and its
  expansion exponential (safe and unsafe);
- `ladder`: a linear system in which edges lead past predicates (safe and unsafe);
- `qbf`: quantified Boolean formulas, by the reduction that shows hardness; the verdict is computed
  by expanding the quantifiers;
- `random`: random systems of each class over integers, words, arrays and lists. Their verdict is
  Z3's, where Z3 (with its Spacer) has one.

Seconds are of processor time; `--time` is of wall time.

    bench/recursion_free.py --alphorn target/release/alphorn --time 10 [--engine recursion-free]
                            [--only doubling] [--keep DIR] [--count 10] [--z3]
"""
import argparse
import itertools
import os
import random
import resource
import subprocess
import sys
import tempfile


def system(preds, clauses):
    """A file: predicates with their sorts, and clauses as (variables, body, head)."""
    out = ["(set-logic HORN)"]
    for name, sorts in preds:
        out.append(f"(declare-fun {name} ({' '.join(sorts)}) Bool)")
    for variables, body, head in clauses:
        body = f"(and {' '.join(body)})" if body else "true"
        text = f"(=> {body} {head})"
        if variables:
            text = f"(forall ({' '.join(f'({v} {s})' for v, s in variables)}) {text})"
        out.append(f"(assert {text})")
    out.append("(check-sat)")
    return "\n".join(out) + "\n"


def doubling(n, is_safe):
    """`s_k(x, y)`: y is x + 2^k, each the composition of the one before with itself."""
    preds = [(f"s{k}", ["Int", "Int"]) for k in range(n + 1)]
    clauses = [([("x", "Int")], [], "(s0 x (+ x 1))")]
    for k in range(n):
        clauses.append(
            ([(v, "Int") for v in "xyz"], [f"(s{k} x y)", f"(s{k} y z)"], f"(s{k + 1} x z)")
        )
    goal = "(not (= y %d))" % 2**n if is_safe else "(= y %d)" % 2**n
    clauses.append(([("y", "Int")], [f"(s{n} 0 y)", goal], "false"))
    return system(preds, clauses), "sat" if is_safe else "unsat"


def machine(n, is_safe):
    """A machine that writes ones to the right for 2^n steps; unsafe if it stops on the way there.

    The state has a number, the tape is two stacks of bits, and a step is a relation of six numbers.
    """
    preds = [(f"t{k}", ["Int"] * 6) for k in range(n + 1)]
    clauses = []
    # In state 0 with a 0 under the head: write 1, go right, state 1; in state 1: write 0, go
    # right, state 0. On a 1, state 2, which is the end and stays.
    variables = [(v, "Int") for v in ("x", "y")]
    clauses.append((variables, [], "(t0 0 x (* 2 y) 1 (+ 1 (* 2 x)) y)"))
    clauses.append((variables, [], "(t0 1 x (* 2 y) 0 (* 2 x) y)"))
    clauses.append((variables, [], "(t0 0 x (+ 1 (* 2 y)) 2 x (+ 1 (* 2 y)))"))
    clauses.append((variables, [], "(t0 1 x (+ 1 (* 2 y)) 2 x (+ 1 (* 2 y)))"))
    clauses.append((variables, [], "(t0 2 x y 2 x y)"))
    six = [(v, "Int") for v in ("q", "l", "r", "p", "m", "s", "o", "k", "u")]
    for k in range(n):
        clauses.append(
            (six, [f"(t{k} q l r p m s)", f"(t{k} p m s o k u)"], f"(t{k + 1} q l r o k u)")
        )
    tape = 0 if is_safe else 2 ** (2**n // 2)
    clauses.append((variables, [f"(t{n} 0 0 {tape} 2 x y)"], "false"))
    return system(preds, clauses), "sat" if is_safe else "unsat"


def ladder(n, is_safe):
    """A linear system with edges past predicates: two numbers grow by the same in either of two ways, or two rungs are
    taken at once, so that there are exponentially many paths."""
    preds = [("p0", ["Int", "Int"])]
    clauses = [([("x", "Int")], ["(>= x 0)"], "(p0 x x)")]
    two = [(v, "Int") for v in ("x", "y")]
    for k in range(n):
        preds += [(f"a{k}", ["Int", "Int"]), (f"b{k}", ["Int", "Int"]), (f"p{k + 1}", ["Int", "Int"])]
        clauses.append((two, [f"(p{k} x y)", f"(> x {k})"], f"(a{k} (+ x 1) y)"))
        clauses.append((two, [f"(p{k} x y)", f"(<= x {k})"], f"(b{k} x (+ y 2))"))
        clauses.append((two, [f"(a{k} x y)"], f"(p{k + 1} (+ x 1) (+ y 2))"))
        clauses.append((two, [f"(b{k} x y)"], f"(p{k + 1} (+ x 2) y)"))
        if k > 0:
            clauses.append((two, [f"(p{k - 1} x y)"], f"(p{k + 1} (+ x 4) (+ y 4))"))
    goal = "(not (= x y))" if is_safe else f"(= (+ x y) {4 * n + 2})"
    clauses.append((two, [f"(p{n} x y)", goal], "false"))
    return system(preds, clauses), "sat" if is_safe else "unsat"


def qbf(n, seed):
    """A random quantified formula in conjunctive form with alternating quantifiers."""
    rng = random.Random(seed)
    rows = [
        [(v, rng.random() < 0.5) for v in rng.sample(range(n), 3)] for _ in range(rng.randint(n, 3 * n))
    ]

    def value(i, chosen):
        if i == n:
            return all(any(chosen[v] == sign for v, sign in row) for row in rows)
        ways = (value(i + 1, chosen + [b]) for b in (False, True))
        return any(ways) if i % 2 == 0 else all(ways)

    xs = [f"x{i}" for i in range(n)]
    typed = [(x, "Int") for x in xs]
    preds = [(f"C{j}", ["Int"] * n) for j in range(len(rows))]
    preds += [(f"F{i}", ["Int"] * i) for i in range(n + 1)]
    clauses = []
    for j, row in enumerate(rows):
        for v, sign in row:
            args = [str(int(sign)) if i == v else x for i, x in enumerate(xs)]
            clauses.append(([t for i, t in enumerate(typed) if i != v], [], f"(C{j} {' '.join(args)})"))
    whole = [f"(C{j} {' '.join(xs)})" for j in range(len(rows))]
    clauses.append((typed, whole, f"(F{n} {' '.join(xs)})"))
    for i in reversed(range(n)):
        head = f"(F{i} {' '.join(xs[:i])})" if i else "F0"
        atoms = [f"(F{i + 1} {' '.join(xs[:i] + [b])})" for b in "01"]
        if i % 2 == 0:
            clauses += [(typed[:i], [atom], head) for atom in atoms]
        else:
            clauses.append((typed[:i], atoms, head))
    clauses.append(([], ["F0"], "false"))
    return system(preds, clauses), "unsat" if value(0, []) else "sat"


KINDS = ("body-disjoint", "head-disjoint", "linear", "tree-like", "general")
THEORIES = {
    "numbers": "Int",
    "words": "(_ BitVec 8)",
    "arrays": "(Array Int Int)",
    "lists": "List",
}


def constraint(theory, rng, a, b):
    """A random relation between two states, from `a` to `b`."""
    i = rng.randint(0, 3)
    c = rng.randint(0, 5)
    if theory == "numbers":
        return rng.choice(
            [f"(= {b} (+ {a} {c}))", f"(<= {a} {b} (+ {a} {c}))", f"(= {b} (- {a}))", f"(= {b} (* 2 {a}))"]
        )
    if theory == "words":
        c = f"#x{c:02x}"
        return rng.choice(
            [f"(= {b} (bvadd {a} {c}))", f"(= {b} (bvand {a} #x0f))", f"(bvule {a} {b})",
             f"(= {b} (bvshl {a} #x01))", f"(= {b} (bvxor {a} {c}))"]
        )
    if theory == "arrays":
        j = rng.randint(0, 3)
        return rng.choice(
            [f"(= {b} (store {a} {i} {c}))", f"(= {b} (store {a} {i} (+ {c} (select {a} {j}))))",
             f"(and (= {b} {a}) (<= (select {a} {i}) {c}))",
             f"(= {b} (store {a} (select {a} {i}) {c}))"]
        )
    return rng.choice(
        [f"(= {b} (cons {c} {a}))", f"(and (= {b} {a}) ((_ is nil) {a}))",
         f"(and ((_ is cons) {a}) (= {b} (tail {a})))",
         f"(and ((_ is cons) {a}) (<= (head {a}) {c}) (= {b} {a}))"]
    )


def start(theory, rng, a):
    c = rng.randint(0, 5)
    return {
        "numbers": f"(= {a} {c})",
        "words": f"(= {a} #x{c:02x})",
        "arrays": f"(= (select {a} {rng.randint(0, 3)}) {c})",
        "lists": rng.choice([f"(= {a} nil)", f"(= {a} (cons {c} nil))"]),
    }[theory]


def end(theory, rng, a):
    c = rng.randint(0, 12)
    return {
        "numbers": rng.choice([f"(= {a} {c})", f"(> {a} {c + 8})", f"(< {a} (- {c}))"]),
        "words": rng.choice([f"(= {a} #x{c:02x})", f"(bvult #x{c + 32:02x} {a})"]),
        "arrays": f"(= (select {a} {rng.randint(0, 3)}) {c})",
        "lists": rng.choice([f"(= {a} nil)", f"(and ((_ is cons) {a}) (= (head {a}) {c}))"]),
    }[theory]


def scattered(kind, theory, seed):
    """A random system of a class: layers of predicates, each out of those below it."""
    rng = random.Random(seed)
    sort = THEORIES[theory]
    layers = rng.randint(3, 6)
    width = 1 if kind == "tree-like" else rng.randint(1, 3)
    names = [[f"p{k}_{w}" for w in range(width)] for k in range(layers)]
    if kind in ("body-disjoint", "head-disjoint") and width == 1:
        names = [[f"p{k}_{w}" for w in range(2)] for k in range(layers)]
    preds = [(name, [sort]) for layer in names for name in layer]
    unused = list(itertools.chain(*names))
    clauses = []

    def pick(k):
        below = names[rng.randint(max(0, k - 2), k - 1)]
        name = rng.choice(below)
        if kind in ("body-disjoint", "tree-like"):
            free = [p for layer in names[:k] for p in layer if p in unused]
            if not free:
                return None
            name = rng.choice(free[-3:])
            unused.remove(name)
        return name

    for k, layer in enumerate(names):
        for name in layer:
            rules = 1 if kind == "head-disjoint" else rng.randint(1, 2)
            for _ in range(rules):
                atoms = 0 if k == 0 else 1 if kind in ("linear", "tree-like") else rng.randint(1, 2)
                used = [p for p in (pick(k) for _ in range(atoms)) if p]
                body = [f"({p} a{i})" for i, p in enumerate(used)]
                if used:
                    body += [constraint(theory, rng, f"a{i}", "b") for i in range(len(used))]
                else:
                    body.append(start(theory, rng, "b"))
                variables = [(f"a{i}", sort) for i in range(len(used))] + [("b", sort)]
                clauses.append((variables, body, f"({name} b)"))
    top = rng.choice([p for p in names[-1] if p in unused] or names[-1])
    clauses.append(([("a", sort)], [f"({top} a)", end(theory, rng, "a")], "false"))
    text = system(preds, clauses)
    if theory == "lists":
        data = "(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))\n"
        text = text.replace("(set-logic HORN)\n", "(set-logic HORN)\n" + data)
    return text, None


def z3_verdict(text, seconds):
    try:
        import z3
    except ImportError:
        return None
    solver = z3.SolverFor("HORN")
    solver.set("timeout", int(seconds * 1000))
    solver.from_string(text.replace("(check-sat)", ""))
    verdict = str(solver.check())
    return verdict if verdict in ("sat", "unsat") else None


def problems(options):
    for size in (4, 8, 16):
        for is_safe in (True, False):
            yield f"doubling-{'safe' if is_safe else 'unsafe'}{size}", doubling(size, is_safe)
    for size in (3, 5, 10):
        for is_safe in (True, False):
            if is_safe or size <= 5:
                yield f"machine-{'safe' if is_safe else 'unsafe'}{size}", machine(size, is_safe)
    for size in (8, 16, 32, 64):
        for is_safe in (True, False):
            yield f"ladder-{'safe' if is_safe else 'unsafe'}{size}", ladder(size, is_safe)
    for seed in range(options.count):
        yield f"qbf-{seed}", qbf(4 + seed % 4, seed)
    for kind in KINDS:
        for theory in THEORIES:
            for seed in range(options.count):
                seed += options.seed
                yield f"random-{kind}-{theory}-{seed}", scattered(kind, theory, f"{kind} {theory} {seed}")


def processor_time():
    """The seconds of processor time of all programs that were run so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--alphorn", default="target/release/alphorn")
    parser.add_argument("--time", type=float, default=10)
    parser.add_argument("--engine")
    parser.add_argument("--option", action="append", default=[], help="a further option, such as --option=--without=all")
    parser.add_argument("--only", default="")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", help="write the files to this folder")
    parser.add_argument("--z3", action="store_true", help="compare random systems with Z3")
    options = parser.parse_args()
    folder = options.keep or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    wrong, rows = 0, {}
    for name, (text, verdict) in problems(options):
        if options.only not in name:
            continue
        path = os.path.join(folder, name + ".smt2")
        with open(path, "w") as out:
            out.write(text)
        command = [options.alphorn, path, "--dialect", "horn", "--time", f"{options.time}s", "--threads", "1"]
        command += options.option
        if options.engine:
            command += ["--engine", options.engine]
        began = processor_time()
        run = subprocess.run(command, capture_output=True, text=True, timeout=options.time * 3 + 10)
        took = processor_time() - began
        answer = (run.stdout.split() or ["none"])[0]
        if verdict is None and options.z3:
            verdict = z3_verdict(text, 2)
        family = name.rsplit("-", 1)[0]
        row = rows.setdefault(family, [0, 0, 0.0, 0.0])
        row[0] += 1
        row[3] = max(row[3], took)
        if answer in ("sat", "unsat"):
            row[1] += 1
            row[2] += took
            if verdict and verdict != answer:
                wrong += 1
                print(f"WRONG {path}: {answer}, expected {verdict}")
        else:
            print(f"open  {name}: {answer} {run.stderr.strip().splitlines()[:1]} {took:.1f} s")
        if not name.startswith("random") and not name.startswith("qbf"):
            print(f"{name}: {answer} in {took:.2f} s")
    print("| family | systems | decided | mean s | slowest s |\n|---|---|---|---|---|")
    for family, (count, decided, total, slowest) in rows.items():
        print(f"| {family} | {count} | {decided} | {total / max(decided, 1):.2f} | {slowest:.2f} |")
    print(f"{wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
