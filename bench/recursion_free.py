#!/usr/bin/env python3
"""Recursion-free Horn systems by class, and how the solver does on them.

Classes after Rümmer, Hojjat, Kuncak (VSTTE 2013): linear tree-like, tree-like, body-disjoint, linear,
head-disjoint, and general ones in which predicates are shared. Families:

- `doubling`: a relation for 2^k steps, out of two uses of that for 2^(k-1) (safe and unsafe);
- `machine`: a Turing machine that runs for 2^n steps, so that the system is linear in n and its
  expansion exponential (safe and unsafe);
- `ladder`: a linear system in which edges lead past predicates (safe and unsafe);
- `pair`: two ladders whose ends are compared, so that a system is not linear and its tree exponential (safe and unsafe);
- `choices`: alternatives with the same atoms, by which trees grow if alternatives do not share them (safe and unsafe);
- `qbf`: quantified Boolean formulas, by the reduction that shows hardness; the verdict is computed
  by expanding the quantifiers;
- `random`: random systems of each class over integers, words, arrays and lists. Their verdict is
  Z3's, where Z3 (with its Spacer) has one.

Seconds are of processor time; `--time` is of wall time.

With `--formulas`, random systems are also given to solvers without Horn clauses, as quantified formulas: the clauses as they are,
to Z3 and to `alphorn smt`, and the succinct expansion (Hojjat's thesis, lemma 5.6.3), one formula with an alternation of
quantifiers for each predicate, which is true iff a query can be derived.

    bench/recursion_free.py --alphorn target/release/alphorn --time 10 [--engine recursion-free]
                            [--only doubling] [--keep DIR] [--count 10] [--z3] [--formulas]
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


def pair(n, is_safe):
    """Two ladders from the same start, `l` and `r`, that grow in other orders by the same; their ends are compared."""
    preds, clauses = [], []
    two = [(v, "Int") for v in ("x", "y")]
    for side, (first, second) in (("l", (1, 2)), ("r", (2, 1))):
        preds.append((f"{side}0", ["Int", "Int"]))
        clauses.append(([("x", "Int")], ["(>= x 0)"], f"({side}0 x x)"))
        for k in range(n):
            preds += [(f"{side}a{k}", ["Int", "Int"]), (f"{side}b{k}", ["Int", "Int"]), (f"{side}{k + 1}", ["Int", "Int"])]
            clauses.append((two, [f"({side}{k} x y)", f"(> x {k})"], f"({side}a{k} x (+ y {first}))"))
            clauses.append((two, [f"({side}{k} x y)", f"(<= x {k})"], f"({side}b{k} x (+ y {second}))"))
            clauses.append((two, [f"({side}a{k} x y)"], f"({side}{k + 1} x (+ y {second}))"))
            clauses.append((two, [f"({side}b{k} x y)"], f"({side}{k + 1} x (+ y {first}))"))
    goal = "(not (= y z))" if is_safe else f"(= (+ y z) {6 * n + 4})"
    three = two + [("z", "Int")]
    clauses.append((three, [f"(l{n} x y)", f"(r{n} x z)", goal], "false"))
    return system(preds, clauses), "sat" if is_safe else "unsat"


def choices(n, is_safe):
    """Three ways from each number to the next, all of them by the same two atoms."""
    preds = [("q", ["Int"])] + [(f"p{k}", ["Int"]) for k in range(n + 1)]
    clauses = [([("y", "Int")], ["(<= 0 y 1)"], "(q y)"), ([("x", "Int")], ["(= x 0)"], "(p0 x)")]
    two = [("x", "Int"), ("y", "Int")]
    for k in range(n):
        both = [f"(p{k} x)", "(q y)"]
        clauses.append((two, both, f"(p{k + 1} (+ x y))"))
        clauses.append((two, both, f"(p{k + 1} (+ x (* 2 y)))"))
        clauses.append((two, [*both, f"(> x {k})"], f"(p{k + 1} (- x y))"))
    goal = f"(> x {2 * n})" if is_safe else f"(= x {2 * n})"
    clauses.append(([("x", "Int")], [f"(p{n} x)", goal], "false"))
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


KINDS = ("linear-tree-like", "tree-like", "body-disjoint", "linear", "head-disjoint", "general")
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
    width = 1 if kind == "linear-tree-like" else rng.randint(1, 3)
    names = [[f"p{k}_{w}" for w in range(width)] for k in range(layers)]
    if kind in ("body-disjoint", "head-disjoint", "tree-like") and width == 1:
        names = [[f"p{k}_{w}" for w in range(2)] for k in range(layers)]
    preds = [(name, [sort]) for layer in names for name in layer]
    unused = list(itertools.chain(*names))
    clauses = []

    def pick(k):
        below = names[rng.randint(max(0, k - 2), k - 1)]
        name = rng.choice(below)
        if kind in ("body-disjoint", "tree-like", "linear-tree-like"):
            free = [p for layer in names[:k] for p in layer if p in unused]
            if not free:
                return None
            name = rng.choice(free[-3:])
            unused.remove(name)
        return name

    for k, layer in enumerate(names):
        for name in layer:
            rules = 1 if kind in ("head-disjoint", "tree-like", "linear-tree-like") else rng.randint(1, 2)
            for _ in range(rules):
                atoms = 0 if k == 0 else 1 if kind in ("linear", "linear-tree-like") else rng.randint(1, 2)
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
    check_class(kind, clauses)
    text = system(preds, clauses)
    short = succinct(preds, clauses)
    if theory == "lists":
        data = "(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))\n"
        text = text.replace("(set-logic HORN)\n", "(set-logic HORN)\n" + data)
        short = short.replace("(set-logic ALL)\n", "(set-logic ALL)\n" + data)
    return text, None, short


def check_class(kind, clauses):
    """Whether clauses are of the class that they are to be of, and so a test of the generator."""
    heads = [head.strip("()").split()[0] for _, _, head in clauses if head != "false"]
    bodies = [[atom.strip("()").split()[0] for atom in body if atom.startswith("(p")] for _, body, _ in clauses]
    used = list(itertools.chain(*bodies))
    if kind in ("head-disjoint", "tree-like", "linear-tree-like"):
        assert len(set(heads)) == len(heads), kind
    if kind in ("body-disjoint", "tree-like", "linear-tree-like"):
        assert len(set(used)) == len(used), kind
    if kind in ("linear", "linear-tree-like"):
        assert all(len(body) <= 1 for body in bodies), kind


def succinct(preds, clauses):
    """The succinct expansion of clauses over predicates with one argument: true iff a query can be derived.

    Predicates are taken from the query down. A use of one has a flag; for each predicate a value stands for that of
    any use, and if a use has it then some clause concludes it.
    """
    sort_of = {name: sorts[0] for name, sorts in preds}
    uses = {name: [] for name in sort_of}
    count = itertools.count()

    def taken(variables, body, rename, value):
        """The existential variables and the condition of a clause that concludes `value`."""
        for name, _ in variables:
            rename[name] = f"{name}!{next(count)}"
        bound = [f"({rename[name]} {sort})" for name, sort in variables]
        parts = []
        for item in body:
            words = item.strip("()").split()
            if words[0] in sort_of and len(words) == 2:
                flag = f"f!{next(count)}"
                bound.append(f"({flag} Bool)")
                uses[words[0]].append((flag, rename[words[1]]))
                parts.append(flag)
            else:
                parts.append(renamed(item, rename))
        if value is not None:
            parts.append(f"(= {value} {rename['b']})")
        return bound, "(and true " + " ".join(parts) + ")"

    layers = []
    queries = [taken(variables, body, {}, None) for variables, body, head in clauses if head == "false"]
    layers.append(("", [b for bound, _ in queries for b in bound], "(or false " + " ".join(c for _, c in queries) + ")"))
    for name, _ in reversed(preds):
        if not uses[name]:
            continue
        value = f"v!{next(count)}"
        guard = "(or false " + " ".join(f"(and {flag} (= {value} {arg}))" for flag, arg in uses[name]) + ")"
        ways = [taken(variables, body, {}, value) for variables, body, head in clauses
                if head != "false" and head.strip("()").split()[0] == name]
        some = "(or false " + " ".join(condition for _, condition in ways) + ")"
        bound = [b for of_way, _ in ways for b in of_way]
        layers.append((f"({value} {sort_of[name]})", bound, f"(=> {guard} {some})"))
    formula = "true"
    for universal, bound, matrix in reversed(layers):
        formula = f"(and {matrix} {formula})"
        formula = f"(exists ({' '.join(bound)}) {formula})" if bound else formula
        formula = f"(forall ({universal}) {formula})" if universal else formula
    return f"(set-logic ALL)\n(assert {formula})\n(check-sat)\n"


def renamed(text, rename):
    words = text.replace("(", " ( ").replace(")", " ) ").split()
    return " ".join(rename.get(word, word) for word in words)


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


def by_z3(text, seconds):
    """Whether a script has a model by Z3 in a process of its own, without its Horn engine."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
    code = "import z3,sys; s=z3.Solver(); s.from_string(sys.stdin.read()); print(s.check())"
    run = subprocess.run([sys.executable, "-c", code], input=text, capture_output=True, text=True, preexec_fn=limit)
    return (run.stdout.split() or ["none"])[0]


def by_alphorn(text, seconds, path, binary):
    with open(path, "w") as out:
        out.write(text)
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
    run = subprocess.run([binary, "smt", path], capture_output=True, text=True, preexec_fn=limit)
    return (run.stdout.split() or ["none"])[0]


def as_formulas(name, text, short, options, folder, verdict):
    """What solvers say to a system as formulas; `verdict` is that of the system, sat where it is safe."""
    other = {"sat": "unsat", "unsat": "sat"}
    plain = text.replace("(set-logic HORN)", "(set-logic ALL)")
    path = os.path.join(folder, name)
    found = {
        "Z3, clauses": by_z3(plain, options.formulas),
        "alphorn smt, clauses": by_alphorn(plain, options.formulas, path + ".clauses.smt2", options.alphorn),
        "Z3, succinct": other.get(by_z3(short, options.formulas)),
        "alphorn smt, succinct": other.get(by_alphorn(short, options.formulas, path + ".succinct.smt2", options.alphorn)),
    }
    wrong = [way for way, answer in found.items() if answer in other and verdict in other and answer != verdict]
    for way in wrong:
        print(f"DIFFERS {name}: {way} says {found[way]}, the system is {verdict}")
    return {way for way, answer in found.items() if answer in other}, len(wrong)


def problems(options):
    for size in (4, 8, 16):
        for is_safe in (True, False):
            yield f"doubling-{'safe' if is_safe else 'unsafe'}{size}", doubling(size, is_safe)
    for size in (3, 5, 10):
        for is_safe in (True, False):
            if is_safe or size <= 5:
                yield f"machine-{'safe' if is_safe else 'unsafe'}{size}", machine(size, is_safe)
    for size in (2, 4, 8, 16):
        for is_safe in (True, False):
            yield f"pair-{'safe' if is_safe else 'unsafe'}{size}", pair(size, is_safe)
            yield f"choices-{'safe' if is_safe else 'unsafe'}{2 * size}", choices(2 * size, is_safe)
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
    parser.add_argument("--formulas", type=float, help="random systems as quantified formulas as well, with so many seconds of processor time")
    options = parser.parse_args()
    folder = options.keep or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    wrong, rows, formulas = 0, {}, {}
    for name, (text, verdict, *short) in problems(options):
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
        if short and options.formulas:
            decided, differ = as_formulas(name, text, short[0], options, folder, answer)
            wrong += differ
            for way in decided:
                formulas[family, way] = formulas.get((family, way), 0) + 1
        if not name.startswith("random") and not name.startswith("qbf"):
            print(f"{name}: {answer} in {took:.2f} s")
    print("| family | systems | decided | mean s | slowest s |\n|---|---|---|---|---|")
    for family, (count, decided, total, slowest) in rows.items():
        print(f"| {family} | {count} | {decided} | {total / max(decided, 1):.2f} | {slowest:.2f} |")
    for (family, way), decided in sorted(formulas.items()):
        print(f"as formulas: {family}: {way}: {decided} decided")
    print(f"{wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
