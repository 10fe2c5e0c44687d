#!/usr/bin/env python3
"""Small scripts of the kinds that solvers' own regression tests are full of, answered by solvers side by side.

    bench/solver_scripts.py [--folder DIR] [--time 5] [--list] NAME=COMMAND...

Each script is of one question with a known answer: divisions by zero and by unknowns, small factors, terms that formulas leave free, universal
formulas about trees, functions by recursion, quantifiers with divisions, alternation and shadowed variables, codatatypes (not for Z3). They are written to the
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
STREAMS = "(declare-codatatypes ((Stream 0)) (((scons (shead Int) (stail Stream)))))\n(declare-const s Stream)(declare-const t Stream)\n"
CONATS = "(declare-codatatypes ((Conat 0)) (((zero) (succ (pred Conat)))))\n(declare-const c Conat)(declare-const d Conat)\n"
ARRAYS = "(declare-const a (Array Int Int))(declare-const b (Array Int Int))(declare-const i Int)(declare-const j Int)\n"


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


def more_scripts():
    """Codatatypes, shadowed names, patterns that match nothing, quantifiers in and out of each other, of several sorts, and more of the others."""
    yield "codata", "sat", CONATS + "(assert (exists ((c Conat)) (= c (succ c))))"
    yield "codata", "sat", CONATS + "(assert (= c (succ c)))"
    yield "codata", "unsat", CONATS + "(assert (= c (succ c)))(assert (= d (succ d)))(assert (distinct c d))"
    yield "codata", "unsat", CONATS + "(assert (not (exists ((e Conat)) (= e (succ e)))))"
    yield "codata", "unsat", CONATS + "(assert (forall ((e Conat)) (distinct e (succ (succ e)))))"
    yield "codata", "unsat", CONATS + "(assert (forall ((e Conat)) (or ((_ is zero) e) (distinct (pred e) c))))"
    yield "codata", "sat", STREAMS + "(assert (= s (scons 1 (scons 2 s))))(assert (= t (stail s)))(assert (distinct s t))"
    yield "codata", "unsat", STREAMS + "(assert (= s (scons 1 s)))(assert (= t (scons 1 (scons 1 t))))(assert (distinct s t))"
    yield "codata", "sat", STREAMS + "(assert (exists ((u Stream)) (and (= u (scons 3 u)) (distinct u s))))"
    yield "codata", "unsat", STREAMS + "(assert (forall ((u Stream)) (=> (= u (scons 3 u)) (= (shead u) 4))))"
    yield "codata", "sat", STREAMS + "(declare-fun f (Stream) Int)(assert (forall ((u Stream)) (=> (= u (scons 3 u)) (= (f u) 4))))"
    yield "codata", "sat", STREAMS + "(define-fun-rec const ((k Int)) Stream (scons k (const k)))(assert (= s (const 2)))(assert (= 2 (shead (stail s))))"
    yield "codata", "unsat", STREAMS + "(define-fun-rec from ((k Int)) Stream (scons k (from (+ k 1))))(assert (= s (from 2)))(assert (distinct 4 (shead (stail (stail s)))))"
    yield "codata", "unsat", STREAMS + "(define-fun-rec evens ((u Stream)) Stream (scons (shead u) (evens (stail (stail u)))))(assert (= s (evens t)))(assert (distinct (shead (stail s)) (shead (stail (stail t)))))"
    yield "codata", "sat", CONATS + "(define-fun-rec plus ((a Conat) (b Conat)) Conat (ite ((_ is zero) a) b (succ (plus (pred a) b))))(assert (= (plus c (succ zero)) (succ (succ zero))))"
    yield "codata", "sat", CONATS + "(define-fun-rec inf () Conat (succ inf))(assert (= c inf))"
    yield "shadow", "unsat", "(declare-const x Int)(assert (forall ((x Int)) (exists ((x Int)) (= x 3))))(assert (forall ((y Int)) (=> (= y x) (exists ((x Int)) (> x y)))))(assert (exists ((x Int)) (forall ((x Int)) (> x 0))))"
    yield "shadow", "sat", "(declare-const x Int)(assert (forall ((x Int)) (exists ((y Int)) (let ((x y) (y x)) (> x y)))))(assert (> x 0))"
    yield "shadow", "unsat", "(declare-fun f (Int) Int)(assert (forall ((x Int)) (and (= (f x) x) (forall ((x Int)) (=> (> x 0) (< (f x) 5))))))"
    yield "shadow", "sat", "(declare-fun f (Int) Bool)(assert (forall ((x Int)) (or (f x) (exists ((x Int)) (and (not (f x)) (> x 10))))))(assert (not (f 1)))"
    yield "shadow", "unsat", "(declare-const p Bool)(assert (forall ((p Bool)) (exists ((q Bool)) (and (= p (not q)) (forall ((p Bool)) (or p q))))))"
    yield "shadow", "unsat", "(declare-const l (Array Int Int))(assert (forall ((i Int)) (= (select l i) (ite (exists ((i Int)) (> (select l i) 3)) 1 5))))"
    yield "shadow", "sat", "(declare-datatypes ((P 0)) (((mk (fst Int) (snd Int)))))(assert (forall ((p P)) (exists ((q P)) (and (= (fst p) (snd q)) (forall ((p Int)) (=> (> p (fst q)) (> p (- (fst q) 1))))))))"
    yield "patterns", "sat", "(declare-fun f (Int) Int)(declare-fun g (Int) Int)(assert (forall ((x Int)) (! (> (f x) x) :pattern ((g x)))))(assert (= (g 3) 4))"
    yield "patterns", "unsat", "(declare-fun f (Int) Int)(declare-fun g (Int) Int)(assert (forall ((x Int)) (! (> (f x) x) :pattern ((g x)))))(assert (< (f 3) 2))"
    yield "patterns", "unsat", "(declare-sort U 0)(declare-fun p (U) Bool)(declare-fun q (U) Bool)(declare-fun h (U) U)(declare-const a U)(assert (forall ((x U)) (! (=> (p x) (p (h x))) :pattern ((q x)))))(assert (p a))(assert (not (p (h (h a)))))"
    yield "patterns", "sat", "(declare-fun f (Int) Int)(assert (forall ((x Int)) (! (=> (and (<= 0 x) (< x 10)) (= (f x) (* 2 x))) :pattern ((f (+ x 1))))))(assert (= (f 4) 8))"
    yield "patterns", "unsat", "(declare-fun m () (Array Int Int))(declare-fun k (Int) Int)(assert (forall ((i Int)) (! (= (select m i) (+ i 1)) :pattern ((k i)))))(assert (< (select m 7) 8))"
    yield "patterns", "unsat", "(declare-fun f (Int) Int)(assert (forall ((x Int) (y Int)) (! (=> (< x y) (< (f x) (f y))) :no-pattern (f x))))(assert (= (f 2) (f 5)))"
    yield "prenex", "unsat", "(declare-fun p (Int Int) Bool)(assert (not (=> (exists ((x Int)) (forall ((y Int)) (p x y))) (forall ((y Int)) (exists ((x Int)) (p x y))))))"
    yield "prenex", "sat", "(declare-fun p (Int Int) Bool)(assert (not (=> (forall ((y Int)) (exists ((x Int)) (p x y))) (exists ((x Int)) (forall ((y Int)) (p x y))))))"
    yield "prenex", "unsat", "(declare-const b Bool)(assert (distinct (ite b (forall ((x Int)) (exists ((y Int)) (> y x))) true) true))"
    yield "prenex", "unsat", "(declare-fun p (Int) Bool)(assert (= (forall ((x Int)) (p x)) (exists ((x Int)) (not (p x)))))(assert (p 0))(assert (= 1 2))"
    yield "prenex", "sat", "(declare-fun p (Int) Bool)(assert (= (forall ((x Int)) (p x)) (exists ((x Int)) (p (+ x 1)))))"
    yield "prenex", "unsat", "(declare-fun p (Int) Bool)(assert (xor (forall ((x Int)) (p x)) (not (exists ((x Int)) (not (p x))))))"
    yield "prenex", "unsat", INTS + "(assert (exists ((a Int)) (forall ((b Int)) (exists ((c Int)) (and (< a b) (< c a))))))"
    yield "prenex", "sat", INTS + "(assert (forall ((a Int)) (exists ((b Int)) (forall ((c Int)) (=> (> c b) (> c a))))))"
    yield "prenex", "unsat", INTS + "(assert (forall ((a Int) (b Int)) (=> (< a b) (exists ((c Int)) (and (< a c) (< c b))))))"
    yield "prenex", "sat", REALS + "(assert (forall ((a Real) (b Real)) (=> (< a b) (exists ((c Real)) (and (< a c) (< c b))))))"
    yield "prenex", "unsat", REALS + "(assert (forall ((a Real)) (exists ((b Real)) (and (< (+ a u) (* 2.0 b)) (< b (+ a v))))))"
    yield "prenex", "unsat", "(declare-fun f (Int) Int)(assert (forall ((x Int)) (exists ((y Int)) (and (> y x) (= (f y) 0)))))(assert (forall ((x Int)) (=> (> x 100) (= (f x) 1))))"
    yield "prenex", "sat", "(declare-fun f (Int) Int)(assert (forall ((x Int)) (exists ((y Int)) (and (> y x) (> (f y) (f x))))))"
    yield "mixed", "unsat", "(declare-const r Real)(declare-const n Int)(assert (forall ((k Int)) (exists ((q Real)) (and (= (to_real k) (* 2.0 q)) (> q r) ))))"
    yield "mixed", "sat", "(declare-const r Real)(assert (forall ((k Int)) (exists ((q Real)) (and (< (to_real k) q) (< q (+ (to_real k) 1.0)) (distinct q r)))))"
    yield "mixed", "unsat", "(assert (forall ((r Real)) (exists ((k Int)) (and (<= (to_real k) r) (< r (+ (to_real k) (/ 1.0 2.0)))))))"
    yield "mixed", "sat", "(assert (forall ((r Real)) (exists ((k Int)) (and (<= (to_real k) r) (< r (+ (to_real k) 1.0))))))"
    yield "mixed", "sat", "(declare-const a (_ BitVec 8))(assert (forall ((b Bool) (x (_ BitVec 8))) (exists ((y (_ BitVec 8))) (= (ite b (bvadd y a) (bvsub y a)) x))))"
    yield "mixed", "unsat", "(declare-const a (_ BitVec 8))(assert (forall ((x (_ BitVec 8))) (exists ((y (_ BitVec 8))) (= (bvmul y (bvadd a a)) x))))"
    yield "mixed", "sat", "(declare-const n Int)(assert (forall ((b Bool) (k Int)) (exists ((m Int)) (and (= b (> m k)) (< (- m k) n)))))"
    yield "mixed", "unsat", "(declare-datatypes ((P 0)) (((mk (fst Int) (snd Real)))))(assert (forall ((p P)) (exists ((k Int)) (and (> k (fst p)) (< (to_real k) (snd p))))))"
    yield "mixed", "sat", "(declare-datatypes ((P 0)) (((mk (fst Int) (snd Real)))))(assert (forall ((k Int)) (exists ((p P)) (and (= k (fst p)) (< (to_real k) (snd p))))))"
    yield "mixed", "unsat", "(declare-const w (_ BitVec 16))(assert (forall ((x (_ BitVec 16)) (b Bool)) (=> b (bvult x w))))"
    yield "mixed", "sat", "(declare-const w (_ BitVec 32))(assert (forall ((x (_ BitVec 32))) (=> (bvult x w) (bvult x #x00001000))))(assert (distinct w #x00000000))"
    yield "mixed", "unsat", "(declare-const w (_ BitVec 32))(assert (forall ((x (_ BitVec 32))) (=> (bvult x w) (bvult x #x00001000))))(assert (bvult #x00001000 w))"
    yield "divmod", "unsat", INTS + "(assert (> y 0))(assert (= (mod x y) 0))(assert (= (mod z y) 0))(assert (distinct (mod (+ x z) y) 0))"
    yield "divmod", "unsat", INTS + "(assert (> y 1))(assert (= (mod x y) 1))(assert (= (mod (+ x y) y) 0))"
    yield "divmod", "unsat", INTS + "(assert (> y 0))(assert (distinct (mod (+ x (* 3 y)) y) (mod x y)))"
    yield "divmod", "unsat", INTS + "(assert (> y 0))(assert (> x 0))(assert (> (div x y) x))"
    yield "divmod", "unsat", INTS + "(assert (> y 0))(assert (<= x z))(assert (> (div x y) (div z y)))"
    yield "divmod", "unsat", INTS + "(assert (> y 0))(assert (distinct (mod (mod x y) y) (mod x y)))"
    yield "divmod", "unsat", INTS + "(assert (> y 0))(assert (distinct (div (mod x y) y) 0))"
    yield "divmod", "unsat", INTS + "(assert (> y 0))(assert (> z 0))(assert (distinct (div (div x y) z) (div x (* y z))))"
    yield "divmod", "sat", INTS + "(assert (> y 2))(assert (= (mod x y) (- y 1)))(assert (= (mod (* x x) y) 1))"
    yield "divmod", "sat", INTS + "(assert (< y (- 3)))(assert (= (mod x y) 2))(assert (< (div x y) (- 5)))"
    yield "divmod", "unsat", INTS + "(assert (< y 0))(assert (>= (mod x y) (- y)))"
    yield "divmod", "unsat", INTS + "(assert (= (mod x 3) 2))(assert (= (* y y) x))"
    yield "divmod", "unsat", INTS + "(assert (= (+ (* x x) 1) (* 3 y)))"
    yield "divmod", "unsat", INTS + "(assert (> y 0))(assert (= z (div x y)))(assert (> (* z y) x))"
    yield "divmod", "unsat", INTS + "(assert (> y 0))(assert (distinct (* y (div (* x y) y)) (* x y)))"
    yield "nonlinear", "sat", INTS + "(assert (= (+ (* x x) (* y y)) (* z z)))(assert (< 0 x y z))"
    yield "nonlinear", "sat", INTS + "(assert (= (* x y) 91))(assert (< 1 x y))"
    yield "nonlinear", "unsat", INTS + "(assert (= (* x y) 97))(assert (< 1 x y))"
    yield "nonlinear", "unsat", INTS + "(assert (= (* x x) 12))"
    yield "nonlinear", "unsat", INTS + "(assert (= (* x x) (+ (* 2 y y) )))(assert (< 0 x 30))(assert (< 0 y 30))"
    yield "nonlinear", "sat", INTS + "(assert (= (* x x x) (+ (* y y) 2)))(assert (> y 0))"
    yield "nonlinear", "unsat", INTS + "(assert (> x 2))(assert (> y 2))(assert (<= (* x y) (+ x y)))"
    yield "nonlinear", "unsat", INTS + "(assert (= (- (* x x) (* y y)) 2))"
    yield "nonlinear", "sat", INTS + "(assert (= (+ (* x x x) (* y y y)) 1729))(assert (< x y 11))"
    yield "nonlinear", "unsat", INTS + "(assert (< 0 x))(assert (< 0 y))(assert (= (* x y y) 5))(assert (> y 1))"
    yield "nonlinear", "sat", INTS + "(assert (= (* x (+ x 1)) (* 6 y)))(assert (> y 10))(assert (= z (* x y)))(assert (> z 100))"
    yield "nonlinear", "unsat", INTS + "(assert (< (+ (* x x) (* y y) (* z z)) (+ (* x y) (* y z) (* z x))))"
    yield "nonlinear", "unsat", INTS + "(assert (> x 1))(assert (> y x))(assert (> z y))(assert (< (* x y z) 24))"
    yield "unconstrained", "sat", ARRAYS + "(assert (distinct (store a i j) (store b j i)))(assert (= (select a (select b i)) (* i i i)))"
    yield "unconstrained", "sat", ARRAYS + "(assert (= (select (store a i (* j j j)) 5) (select b (div i j))))"
    yield "unconstrained", "sat", "(declare-const a (Array (_ BitVec 32) (_ BitVec 64)))(declare-const x (_ BitVec 64))(declare-const z (_ BitVec 64))(assert (= (select a ((_ extract 31 0) (bvmul x z))) (bvudiv x z)))(assert (bvult x (bvmul z z)))"
    yield "unconstrained", "sat", word(64) + "(assert (bvult (bvsdiv a b) (bvsrem c d)))"
    yield "unconstrained", "sat", word(128) + "(assert (= (bvxor (bvmul a b) (bvshl c d)) (bvudiv b c)))(assert (bvslt a (bvlshr b a)))"
    yield "unconstrained", "sat", word(64) + "(assert (= (concat ((_ extract 31 0) a) ((_ extract 63 32) (bvmul b c))) (bvashr d (bvurem b c))))"
    yield "unconstrained", "sat", word(64) + "(assert (= ((_ zero_extend 64) a) (bvmul ((_ sign_extend 64) b) ((_ sign_extend 64) c))))(assert (distinct a #x0000000000000000))"
    yield "unconstrained", "sat", word(64) + "(assert (= (bvcomp a (bvmul b c)) #b1))(assert (bvumulo a d))(assert (bvslt (bvsmod b c) (bvsmod c d)))"
    yield "unconstrained", "sat", word(64) + "(assert (= ((_ rotate_left 7) (bvmul a b)) ((_ rotate_right 9) (bvudiv c d))))(assert (bvugt c d))"


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
    for number, (kind, answer, text) in enumerate([*all_scripts(), *more_scripts()]):
        path = folder / f"{number:03}-{kind}-{answer}.smt2"
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
