#!/usr/bin/env python3
"""Small scripts of the kinds that solvers' own regression tests are full of, answered by solvers side by side.

    bench/solver_scripts.py [--folder DIR] [--time 5] [--list] NAME=COMMAND...

Each script is of one question with a known answer: divisions by zero and by unknowns, small factors, terms that formulas leave free, universal
formulas about trees, functions by recursion, quantifiers with divisions, alternation and shadowed variables. They are written to the
folder; a command gets the file as its last argument and has so many seconds of the clock. Printed is how many of each
kind each command answers, what it leaves open, and any answer that is wrong. `NAME=cvc5` alone stands for the Python package of
cvc5. What was measured is in bench/notes/smt.md.
"""

import argparse
import pathlib
import shlex
import subprocess
import sys
import tempfile

CVC5 = """
import cvc5, sys
solver = cvc5.Solver(cvc5.TermManager())
solver.setOption("tlimit-per", str(int(float(sys.argv[1]) * 1000)))
parser = cvc5.InputParser(solver)
parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.argv[2])
symbols = parser.getSymbolManager()
while not (command := parser.nextCommand()).isNull():
    print(command.invoke(solver, symbols) or "", end="")
"""

INTS = "(declare-const x Int)(declare-const y Int)(declare-const z Int)\n"
REALS = "(declare-const u Real)(declare-const v Real)\n"
LISTS = "(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))\n(declare-const l List)(declare-const n Int)\n"
TREES = "(declare-datatypes ((Tree 0)) (((leaf (at Int)) (node (left Tree) (right Tree)))))\n(declare-const t Tree)(declare-const n Int)\n"


def word(width):
    names = " ".join(f"(declare-const {name} (_ BitVec {width}))" for name in "abcd")
    return f"{names}(declare-const m (Array (_ BitVec 8) (_ BitVec {width})))(declare-const i (_ BitVec 8))(declare-fun g ((_ BitVec {width})) (_ BitVec {width}))\n"


def all_scripts():
    """Kinds, answers and texts."""
    yield "zero", "sat", INTS + "(assert (< (mod x y) 0))(assert (< (div x y) 0))"
    yield "zero", "sat", INTS + "(assert (distinct x 0))(assert (distinct x (+ (* y (div x y)) (mod x y))))"
    yield "zero", "sat", REALS + "(assert (< u (- (/ v v))))(assert (< (/ v v) (- 5.0)))"
    yield "zero", "sat", REALS + "(assert (= (/ u v) 1.0))(assert (= (/ (* 2.0 u) v) 7.0))"
    yield "zero", "unsat", INTS + "(assert (= x (+ y 1)))(assert (distinct (div x 0) (div (+ y 1) 0)))"
    yield "zero", "unsat", INTS + "(assert (= z 0))(assert (= x y))(assert (> (mod x z) (mod y z)))"
    yield "zero", "sat", INTS + "(assert (exists ((k Int)) (distinct k 0 (mod 0 0) (div 0 0) (mod 1 0) (div k 0))))"
    yield "zero", "sat", "(declare-const b Bool)(declare-const r Int)(declare-const s Int)(assert (forall ((k Int)) (= (< s r) (= b (= 0.0 (/ (to_real r) (to_real s)))))))"
    for sign in ("y", "(- y)", "(abs y)"):
        yield "quotients", "unsat", INTS + f"(assert (distinct y 0))(assert (distinct (mod x y) (mod x {sign})))"
    yield "quotients", "unsat", INTS + "(assert (> z 0))(assert (distinct 0 (mod (* x z y) z)))"
    yield "quotients", "unsat", INTS + "(assert (> y 0))(assert (>= x y))(assert (< (div x y) 1))"
    yield "quotients", "unsat", INTS + "(assert (< x 0))(assert (> y 0))(assert (> 0 (mod x y)))"
    yield "quotients", "unsat", INTS + "(assert (> y 0))(assert (distinct (div (+ x y) y) (+ 1 (div x y))))"
    yield "quotients", "unsat", INTS + "(assert (> y 0))(assert (< 0 x y))(assert (distinct (mod x y) x))"
    yield "quotients", "unsat", INTS + "(assert (distinct y 0))(assert (= z (- y)))(assert (distinct (div x y) (- (div x z))))"
    yield "quotients", "sat", INTS + "(assert (> y 4))(assert (= (mod x y) 4))(assert (= (div x y) 9))(assert (> x 100))"
    for width in (8, 64, 512):
        yield "free", "sat", word(width) + "(assert (distinct (select m i) (bvudiv (bvudiv a b) (bvurem (bvudiv c a) (bvudiv c b)))))"
        yield "free", "sat", word(width) + "(assert (= (g a) (bvmul (bvudiv a b) (bvudiv b c))))"
        yield "free", "sat", word(width) + "(assert (= (bvadd d (bvmul a b c)) (bvudiv a (bvadd b c))))(assert (bvult (bvmul a a) (bvmul b c)))"
    yield "free", "sat", INTS + "(assert (= (+ x (* y y y)) (* z z z)))(assert (> (* y z) 10))"
    yield "free", "unsat", word(64) + "(assert (= (bvmul a (_ bv6 64)) (_ bv9 64)))"
    yield "factors", "sat", REALS + "(assert (= (* 9.0 u u) 4.0))"
    yield "factors", "sat", REALS + "(assert (< 0.0 v))(assert (>= u (* 2.0 v)))(assert (< (* u u) (* 5.0 v v)))"
    yield "factors", "sat", REALS + "(assert (= 0.0 (+ 2.0 (* u u v u))))(assert (> u 0.5))"
    yield "factors", "sat", REALS + "(declare-const p Real)(declare-const q Real)(assert (< 0.0 u v p q))(assert (< (* u q) (* v p)))"
    yield "factors", "sat", REALS + "(assert (= 1.0 (+ (* u u) (* v v))))(assert (<= 0.0 u v))"
    yield "factors", "sat", REALS + "(declare-const p Real)(assert (= (* u v) 1.0))(assert (> u 0.0))(assert (or (= p 0.0) (= 0.0 (* u p))))(assert (distinct p v))"
    yield "factors", "sat", REALS + "(assert (> (* " + "(+ u v) " * 16 + ") 0.0))(assert (> u 1.0))"
    yield "factors", "sat", INTS + "(assert (<= (- 65536) x 65536))(assert (> (* x x) 4000000000))"
    yield "factors", "sat", REALS + "(declare-const p Real)(assert (<= 1.0 u 2.0))(assert (<= 1.0 v 2.0))(assert (<= 1.0 p 2.0))(assert (< (* u v p) (+ (* u u) (* v p))))"
    yield "factors", "unsat", REALS + "(assert (< 0.0 v))(assert (>= u (* 2.0 v)))(assert (< (* u u) (* 3.0 v v)))"
    yield "factors", "unsat", REALS + "(assert (< 0.0 u))(assert (= (* u u) 3.0))(assert (< u 1.7))"
    yield "factors", "unsat", REALS + "(assert (= (* u u) 5.0))(assert (= (* v v v v) 25.0))(assert (distinct (* u u) (* v v)))"
    yield "trees", "unsat", LISTS + "(assert (not (exists ((y List)) (= l (tail y)))))"
    yield "trees", "unsat", LISTS + "(assert (exists ((k Int)) (forall ((y List)) (distinct (head y) (+ k 7)))))"
    yield "trees", "unsat", LISTS + "(assert (forall ((y List)) (or ((_ is nil) y) (distinct (tail (tail y)) l) (< (head y) n))))"
    yield "trees", "unsat", TREES + "(assert (forall ((y Tree)) (or ((_ is leaf) y) (distinct (left y) t) (distinct (right y) (node t t)))))"
    yield "trees", "unsat", TREES + "(assert (forall ((y Tree)) (< (at y) n)))"
    yield "trees", "sat", TREES + "(assert (forall ((y Tree)) (=> ((_ is leaf) y) (or (< (at y) n) (> (at y) (- n 1))))))"
    yield "trees", "unsat", "(declare-datatype Box (par (A) ((box (unbox A)))))(assert (forall ((b (Box Bool))) (unbox b)))"
    yield "recursion", "unsat", "(define-fun-rec s ((k Int)) Int (+ k (ite (> k 0) (s (- k 1)) 0)))(assert (= (s 2) 2))"
    yield "recursion", "unsat", "(declare-fun s (Int) Int)(assert (forall ((k Int)) (= (s k) (+ k (ite (> k 0) (s (- k 1)) 0)))))(assert (= (s 3) 5))"
    yield "recursion", "unsat", "(define-funs-rec ((e ((k Int)) Bool) (o ((k Int)) Bool)) ((or (= k 0) (o (- k 1))) (and (distinct k 0) (e (- k 1)))))(assert (e 7))"
    yield "recursion", "unsat", "(define-fun-rec p ((a Int) (b Int)) Int (ite (<= b 0) 1 (* a (p a (- b 1)))))" + INTS + "(assert (< 0 x (p 2 3)))(assert (> (div x (p 2 4)) 0))"
    yield "recursion", "sat", "(define-fun-rec p ((k Int) (q Int)) Bool (or (and (= k 0) (= q 1)) (and (> k 0) (> q 1) (= 0 (mod q 2)) (p (- k 1) (div q 2)))))(declare-const q Int)(assert (p 6 q))"
    yield "divided", "unsat", "(assert (forall ((r Real)) (exists ((k Int)) (= (exists ((c Int)) (<= r (to_real c) (+ r 1.0))) (and (>= (to_real k) (/ r (+ r 1.0))) (< 1.0 (+ r 1.0)))))))"
    yield "divided", "unsat", "(assert (forall ((r Real)) (= (* (to_int (+ r 1.0)) (to_int r)) 1)))"
    yield "divided", "unsat", "(assert (forall ((k Int)) (= 0 (abs k))))"
    yield "divided", "unsat", "(declare-fun f (Int Int) Int)(assert (forall ((a Int) (b Int)) (! (= 1 (* b (div b b))) :pattern ((f a b)))))(assert (= 0 (f 0 1)))"
    yield "divided", "sat", INTS + "(assert (forall ((k Int)) (=> (> k 0) (>= (+ x k) (div x 2)))))(assert (> x 5))"
    yield "divided", "unsat", REALS + "(assert (forall ((r Real)) (= r (/ u (* 2.0 v)))))"
    yield "divided", "unsat", "(assert (forall ((a Int) (b Int)) (or (> (to_real a) (/ 0.0 (to_real b))) (exists ((c Int)) (< a c b)))))"
    yield "divided", "unsat", "(assert (forall ((b Int)) (> 0 (div 10 b))))"
    yield "alternation", "unsat", "(assert (forall ((a Bool) (b Bool)) (exists ((c Bool)) (=> a (and (= c b) (forall ((b Bool)) (= c (and a b))))))))"
    yield "alternation", "unsat", "(declare-fun P (Int) Bool)(assert (forall ((x Int)) (forall ((x Int)) (P x))))(assert (not (P 100)))"
    yield "alternation", "unsat", REALS + "(declare-const b Bool)(assert (forall ((q Real)) (= b (< q u))))"
    yield "alternation", "sat", REALS + "(assert (forall ((p Real)) (exists ((q Real)) (and (< p q) (< u (- q p) v)))))"
    yield "alternation", "unsat", INTS + "(assert (forall ((p Int)) (exists ((q Int)) (= (* 2 q) (+ p x)))))"
    yield "alternation", "sat", "(declare-const a (_ BitVec 8))(assert (forall ((p (_ BitVec 8))) (exists ((q (_ BitVec 8))) (= (bvadd p q) (bvand a p)))))"
    yield "alternation", "unsat", "(declare-sort U 0)(declare-fun p (U U U) Bool)(assert (distinct (forall ((x U) (y U) (z U)) (p x y z)) (forall ((z U) (y U) (x U)) (p x y z))))"
    yield "alternation", "sat", "(declare-fun P (Int Int) Bool)(declare-const a Int)(assert (> a 10))(assert (forall ((x Int) (y Int)) (=> (and (<= a x (+ a 5)) (<= 14 y (+ 7 x))) (P x y))))(assert (not (P 15 4)))"


def ask(command, path, seconds):
    """The answer of a command, in a word."""
    if command == "cvc5":
        words = [sys.executable, "-c", CVC5, str(seconds), str(path)]
    else:
        words = [*shlex.split(command), str(path)]
    try:
        run = subprocess.run(words, capture_output=True, text=True, timeout=seconds + 0.5)
    except subprocess.TimeoutExpired:
        return "unknown"
    answers = [line for line in run.stdout.split() if line in ("sat", "unsat", "unknown")]
    return answers[-1] if answers else "unknown"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("--time", type=float, default=5)
    parser.add_argument("--list", action="store_true", help="print what each command leaves open")
    parser.add_argument("commands", nargs="*", metavar="NAME=COMMAND")
    args = parser.parse_args()
    folder = args.folder or pathlib.Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    scripts = []
    for number, (kind, answer, text) in enumerate(all_scripts()):
        path = folder / f"{number:02}-{kind}-{answer}.smt2"
        path.write_text(f"(set-logic ALL)\n{text}\n(check-sat)\n")
        scripts.append((kind, answer, path))
    kinds = list(dict.fromkeys(kind for kind, _, _ in scripts))
    print("scripts", len(scripts), *(f"{kind} {sum(k == kind for k, _, _ in scripts)}" for kind in kinds))
    is_wrong = False
    for name, command in (one.split("=", 1) for one in args.commands):
        right = dict.fromkeys(kinds, 0)
        for kind, answer, path in scripts:
            found = ask(command, path, args.time)
            right[kind] += found == answer
            if found not in (answer, "unknown"):
                is_wrong = True
                print(f"{name}: {path.name} is answered {found}")
            elif found == "unknown" and args.list:
                print(f"{name}: {path.name} is left open")
        print(name, sum(right.values()), *(f"{kind} {count}" for kind, count in right.items()))
    sys.exit(1 if is_wrong else 0)


if __name__ == "__main__":
    main()
