#!/usr/bin/env python3
"""Systems with functions and axioms as driver verification has them, safe for every interpretation or not.

    bench/axioms.py [--alphorn PATH] [--time 10] [--sizes 1,2,4,8] [--engines default,pdr,duality,la] [--keep DIR]

After the background axioms of McMillan, Rybalchenko (MSR-TR-2013-6), whose problems came from device drivers: memory
as a map, offsets of fields with inverses, types of addresses. Families, each safe and unsafe, of a size:

- `memory`: a loop adds up cells of a map whose cells are bounded by an axiom;
- `fields`: a chain of fields is followed down and, by the inverses that axioms give, up again;
- `types`: a walk over fields stays at addresses whose type an axiom gives;
- `order`: a loop reads a map that grows with its address;
- `heap`: maps are elements of a declared sort, read and written by functions, as in axioms of heaps.

Told are verdicts and seconds of processor time; the exit code is 1 if a verdict is wrong.
"""

import argparse
import pathlib
import re
import resource
import subprocess
import sys
import tempfile


def system(declarations, axioms, clauses):
    """A file: declarations, closed axioms, and clauses as (variables, body, head)."""
    lines = ["(set-option :functions every)", "(set-logic HORN)", *declarations]
    lines += [f"(assert {axiom})" for axiom in axioms]
    for variables, body, head in clauses:
        sorts = " ".join(f"({v} {s})" for v, s in variables.items())
        lines.append(f"(assert (forall ({sorts}) (=> (and true {body}) {head})))")
    return "\n".join([*lines, "(check-sat)", ""])


def integers(names):
    return {name: "Int" for name in names}


def memory(size, is_safe):
    goal = f"(> s (* {size + 1} i))" if is_safe else f"(= s (* {size + 1} {size})) (= i {size})"
    return system(
        ["(declare-fun mem (Int) Int)", "(declare-fun loop (Int Int) Bool)"],
        [f"(forall ((a Int)) (<= 0 (mem a) {size + 1}))"],
        [
            (integers("i"), "(= i 0)", "(loop i 0)"),
            (integers("is"), "(loop i s)", "(loop (+ i 1) (+ s (mem i)))"),
            (integers("is"), f"(loop i s) {goal}", "false"),
        ],
    )


def fields(size, is_safe):
    names = [f"f{k}" for k in range(size)]
    declarations = [f"(declare-fun {name} (Int) Int)\n(declare-fun {name}_base (Int) Int)" for name in names]
    axioms = [f"(forall ((a Int)) (! (= ({n}_base ({n} a)) a) :pattern (({n} a))))" for n in names]
    declarations += [f"(declare-fun down{k} (Int Int) Bool)\n(declare-fun up{k} (Int Int) Bool)" for k in range(size + 1)]
    clauses = [(integers("p"), "", "(down0 p p)")]
    for k, name in enumerate(names):
        clauses.append((integers("pq"), f"(down{k} p q)", f"(down{k + 1} p ({name} q))"))
    clauses.append((integers("pq"), f"(down{size} p q)", f"(up{size} p q)"))
    order = names if is_safe else [names[-1], *names[1:-1], names[0]] if size > 1 else names
    for k in reversed(range(size)):
        # An inverse that is taken at another field's address may give anything.
        back = "q" if not is_safe and size == 1 else f"({order[k]}_base q)"
        clauses.append((integers("pq"), f"(up{k + 1} p q)", f"(up{k} p {back})"))
    clauses.append((integers("pq"), "(up0 p q) (distinct p q)", "false"))
    return system(declarations, axioms, clauses)


def types(size, is_safe):
    names = [f"f{k}" for k in range(size)]
    declarations = ["(declare-fun type (Int) Int)", "(declare-fun walk (Int) Bool)"]
    declarations += [f"(declare-fun {name} (Int) Int)" for name in names]
    axioms = [f"(forall ((a Int)) (= (type ({n} a)) {k + 1}))" for k, n in enumerate(names)]
    clauses = [(integers("p"), "(= (type p) 1)", "(walk p)")]
    clauses += [(integers("p"), "(walk p)", f"(walk ({name} p))") for name in names]
    clauses.append((integers("p"), f"(walk p) (> (type p) {size if is_safe else size - 1})", "false"))
    return system(declarations, axioms, clauses)


def order(size, is_safe):
    goal = "(< (mem i) (mem 0))" if is_safe else f"(= (mem i) (mem 0)) (= i {size})"
    return system(
        ["(declare-fun mem (Int) Int)", "(declare-fun loop (Int) Bool)"],
        ["(forall ((a Int) (b Int)) (=> (<= a b) (<= (mem a) (mem b))))"],
        [
            (integers("i"), "(= i 0)", "(loop i)"),
            (integers("i"), "(loop i)", f"(loop (+ i {size}))"),
            (integers("i"), f"(loop i) {goal}", "false"),
        ],
    )


def heap(size, is_safe):
    variables = {"h": "Heap", "n": "Int"}
    goal = f"(distinct (get h 0) 5)" if is_safe else f"(distinct (get h {size}) 7)"
    return system(
        [
            "(declare-sort Heap 0)",
            "(declare-fun get (Heap Int) Int)",
            "(declare-fun put (Heap Int Int) Heap)",
            "(declare-fun state (Heap Int) Bool)",
        ],
        [
            "(forall ((h Heap) (i Int) (v Int)) (= (get (put h i v) i) v))",
            "(forall ((h Heap) (i Int) (j Int) (v Int)) (=> (distinct i j) (= (get (put h i v) j) (get h j))))",
        ],
        [
            ({"h": "Heap"}, "", "(state (put h 0 5) 1)"),
            (variables, "(state h n)", f"(state (put h n n) (+ n {size}))"),
            (variables, f"(state h n) {goal}", "false"),
        ],
    )


FAMILIES = {"memory": memory, "fields": fields, "types": types, "order": order, "heap": heap}


def run(alphorn, engine, path, seconds):
    """The verdict, and seconds of processor time."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    chosen = [] if engine == "default" else ["--engine", engine]
    command = [alphorn, "-q", "--threads", "1", "--time", f"{4 * seconds}s", *chosen, path]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    found = re.search(r"\b(SAFE|UNSAFE)\b", done.stdout)
    return found.group(1) if found else "–", used


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--alphorn", default="target/release/alphorn")
    parser.add_argument("--time", type=int, default=10)
    parser.add_argument("--sizes", default="1,2,4,8")
    parser.add_argument("--engines", default="default,pdr,duality,la")
    parser.add_argument("--only", default=",".join(FAMILIES))
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(arguments.keep or folder)
        folder.mkdir(exist_ok=True)
        for family in arguments.only.split(","):
            for is_safe in (True, False):
                for size in map(int, arguments.sizes.split(",")):
                    path = folder / f"{family}-{'safe' if is_safe else 'unsafe'}{size}.smt2"
                    path.write_text(FAMILIES[family](size, is_safe))
                    row = []
                    for engine in arguments.engines.split(","):
                        verdict, used = run(arguments.alphorn, engine, str(path), arguments.time)
                        is_wrong = verdict not in ("–", "SAFE" if is_safe else "UNSAFE")
                        wrong += is_wrong
                        row.append(f"{engine} {verdict} {used:.2f}{' WRONG' if is_wrong else ''}")
                    print(f"{path.stem}: {'; '.join(row)}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
