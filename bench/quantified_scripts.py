#!/usr/bin/env python3
"""Small scripts with quantified axioms, for comparing solvers.

    bench/quantified_scripts.py FOLDER

Writes a script of one question per file: axiomatised arrays and heaps, order, groups, arrays, words,
enumerations, lists. The names end with the answer where it is known. What was measured with
them is in bench/notes/smt-quantifiers.md.
"""

import argparse
import pathlib

PARSER = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
PARSER.add_argument("folder", nargs="?", default="quantified-scripts", type=pathlib.Path)
FOLDER = PARSER.parse_args().folder


def w(name, logic, text):
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / f"{name}.smt2").write_text(f"(set-logic {logic})\n{text}\n(check-sat)\n")


# Arrays by axioms.
AX = """(declare-sort A 0)
(declare-fun sel (A Int) Int)
(declare-fun sto (A Int Int) A)
(assert (forall ((a A) (i Int) (v Int)) (= (sel (sto a i v) i) v)))
(assert (forall ((a A) (i Int) (j Int) (v Int)) (or (= i j) (= (sel (sto a i v) j) (sel a j)))))
(declare-const a A)
"""


def chain(n, base='a'):
    t=base
    for k in range(n): t=f"(sto {t} {k} (+ (sel {base} {k}) 1))"
    return t


for n in (4,8,16,32):
    w(f"chain{n}_unsat","UFLIA",AX+f"(declare-const b A)(assert (= b {chain(n)}))(assert (distinct (sel b 0) (+ (sel a 0) 1)))")
for n in (3,5,8):
    # symbolic indices, commute
    s=AX+"".join(f"(declare-const i{k} Int)(declare-const v{k} Int)" for k in range(n))+"(declare-const j Int)(declare-const b A)(declare-const c A)"
    s+="(assert (distinct "+" ".join(f"i{k}" for k in range(n))+"))"
    t='a'
    for k in range(n): t=f"(sto {t} i{k} v{k})"
    u='a'
    for k in reversed(range(n)): u=f"(sto {u} i{k} v{k})"
    s+=f"(assert (= b {t}))(assert (= c {u}))(assert (distinct (sel b j) (sel c j)))"
    w(f"commute{n}_unsat","UFLIA",s)
    w(f"swap{n}_unsat","UFLIA",s.replace(f"(assert (distinct (sel b j) (sel c j)))",f"(assert (or "+" ".join(f"(distinct (sel b i{k}) v{k})" for k in range(n))+"))"))
# A row of constants, each related to the next, and what then is and is not so of the first and the last.
def row(name,logic,sizes,axioms,sort,relation,unsat,sat):
    for n in sizes:
        s=axioms+"".join(f"(declare-const a{k} {sort})" for k in range(n))
        s+="".join(f"(assert ({relation} a{k} a{k+1}))" for k in range(n-1))
        w(f"{name}{n}_unsat",logic,s+f"(assert {unsat.format(last=f'a{n-1}')})")
        w(f"{name}{n}_sat",logic,s+f"(assert {sat.format(last=f'a{n-1}')})")
# sorted array / monotone
row("mono","UFLIA",(5,10,20),"(declare-fun f (Int) Int)(assert (forall ((x Int) (y Int)) (=> (<= x y) (<= (f x) (f y)))))",
    "Int","<","(> (f a0) (f {last}))","(< (f a0) (f {last}))")
# transitivity
row("trans","UF",(5,10,15),"(declare-sort U 0)(declare-fun R (U U) Bool)(assert (forall ((x U) (y U) (z U)) (=> (and (R x y) (R y z)) (R x z))))",
    "U","R","(not (R a0 {last}))","(not (R {last} a0))")
# group theory
G="(declare-sort G 0)(declare-fun m (G G) G)(declare-fun i (G) G)(declare-const e G)(assert (forall ((x G)) (= (m e x) x)))(assert (forall ((x G)) (= (m (i x) x) e)))(assert (forall ((x G) (y G) (z G)) (= (m (m x y) z) (m x (m y z)))))"
w("group_rinv_unsat","UF",G+"(declare-const a G)(assert (distinct (m a (i a)) e))")
w("group_rid_unsat","UF",G+"(declare-const a G)(assert (distinct (m a e) a))")
w("group_sat","UF",G+"(declare-const a G)(declare-const b G)(assert (distinct (m a b) (m b a)))")
# essentially uninterpreted
w("euf_sat1","UFLIA","(declare-fun f (Int) Int)(declare-fun g (Int) Int)(declare-const c Int)(assert (forall ((x Int)) (=> (> x 0) (> (f x) (g x)))))(assert (forall ((x Int)) (>= (g x) c)))(assert (< (f 3) 10))(assert (> c 5))")
w("euf_sat2","UFLIA","(declare-fun f (Int) Int)(assert (forall ((x Int)) (= (f (+ x 1)) (f x))))(assert (= (f 0) 3))")
w("euf_unsat2","UFLIA","(declare-fun f (Int) Int)(assert (forall ((x Int)) (= (f (+ x 1)) (f x))))(assert (= (f 0) 3))(assert (= (f 4) 2))")
w("inc_sat","UFLIA","(declare-fun f (Int) Int)(assert (forall ((x Int)) (> (f x) x)))")
w("inc_sat2","UFLIA","(declare-fun f (Int) Int)(assert (forall ((x Int)) (> (f x) x)))(assert (= (f 0) 7))(assert (= (f 10) 11))")
w("inj_sat","UFLIA","(declare-fun f (Int) Int)(assert (forall ((x Int) (y Int)) (=> (= (f x) (f y)) (= x y))))(assert (distinct (f 1) 1))")
w("inj_unsat","UFLIA","(declare-fun f (Int) Int)(assert (forall ((x Int) (y Int)) (=> (= (f x) (f y)) (= x y))))(declare-const a Int)(declare-const b Int)(assert (= (f (+ a b)) (f (* 2 a))))(assert (distinct a b))")
# arrays
w("arr_init_unsat","AUFLIA","(declare-const a (Array Int Int))(declare-const b (Array Int Int))(declare-const n Int)(assert (forall ((i Int)) (=> (and (<= 0 i) (< i n)) (= (select a i) 0))))(assert (= b (store a n 0)))(assert (exists ((i Int)) (and (<= 0 i) (<= i n) (distinct (select b i) 0))))")
w("arr_init_sat","AUFLIA","(declare-const a (Array Int Int))(declare-const b (Array Int Int))(declare-const n Int)(assert (forall ((i Int)) (=> (and (<= 0 i) (< i n)) (= (select a i) 0))))(assert (> n 5))(assert (= b (store a n 1)))(assert (exists ((i Int)) (and (<= 0 i) (<= i n) (distinct (select b i) 0))))")
w("arr_sorted_unsat","ALIA","(declare-const a (Array Int Int))(assert (forall ((i Int) (j Int)) (=> (and (<= 0 i) (<= i j)) (<= (select a i) (select a j)))))(declare-const k Int)(assert (> k 3))(assert (< (select a k) (select a 1)))")
w("arr_sorted_sat","ALIA","(declare-const a (Array Int Int))(assert (forall ((i Int) (j Int)) (=> (and (<= 0 i) (<= i j) (< j 10)) (<= (select a i) (select a j)))))(assert (< (select a 2) (select a 5)))")
w("arr_copy_unsat","AUFLIA","(declare-fun a () (Array Int Int))(declare-fun b () (Array Int Int))(declare-const n Int)(assert (forall ((i Int)) (=> (< i n) (= (select a i) (select b i)))))(assert (exists ((i Int)) (and (< i (+ n 1)) (distinct (select (store a n (select b n)) i) (select b i)))))")
# bit-vectors small
w("bv_inj_unsat","UFBV","(declare-fun f ((_ BitVec 3)) (_ BitVec 2))(assert (forall ((x (_ BitVec 3)) (y (_ BitVec 3))) (=> (= (f x) (f y)) (= x y))))")
w("bv_inj_sat","UFBV","(declare-fun f ((_ BitVec 2)) (_ BitVec 2))(assert (forall ((x (_ BitVec 2)) (y (_ BitVec 2))) (=> (= (f x) (f y)) (= x y))))(assert (distinct (f #b00) #b00))")
w("bv_inv_unsat","UFBV","(declare-fun f ((_ BitVec 4)) (_ BitVec 4))(assert (forall ((x (_ BitVec 4))) (bvugt (f x) x)))")
w("bv_all_sat","BV","(declare-const c (_ BitVec 4))(assert (forall ((x (_ BitVec 4))) (= (bvand x c) x)))")
w("bv_all_unsat","BV","(declare-const c (_ BitVec 8))(assert (forall ((x (_ BitVec 8))) (bvult x c)))")
w("bv_ex_sat","BV","(assert (forall ((x (_ BitVec 8))) (exists ((y (_ BitVec 8))) (= (bvadd x y) #x00))))")
w("bv_ex_unsat","BV","(assert (forall ((x (_ BitVec 4))) (exists ((y (_ BitVec 4))) (= (bvmul x y) #x1))))")
w("bv32_unsat","BV","(declare-const c (_ BitVec 32))(assert (forall ((x (_ BitVec 32))) (bvult x c)))")
w("bv32_sat","BV","(declare-const c (_ BitVec 32))(assert (forall ((x (_ BitVec 32))) (bvule x c)))")
# datatypes enumerations
w("enum_sat","UFDT","(declare-datatypes ((C 0)) (((red) (green) (blue))))(declare-fun next (C) C)(assert (forall ((x C)) (distinct (next x) x)))(assert (forall ((x C) (y C)) (=> (= (next x) (next y)) (= x y))))")
w("enum_unsat","UFDT","(declare-datatypes ((C 0)) (((red) (green) (blue))))(declare-fun next (C) C)(assert (forall ((x C)) (distinct (next x) x)))(assert (forall ((x C) (y C)) (=> (= (next x) (next y)) (= x y))))(assert (= (next (next red)) red))")
w("enum_arr_sat","ALL","(declare-datatypes ((C 0)) (((red) (green) (blue))))(declare-const a (Array C Int))(assert (forall ((x C)) (> (select a x) 3)))(assert (< (select a red) (select a blue)))")
w("bool_unsat","UF","(declare-fun f (Bool Bool) Bool)(assert (forall ((x Bool) (y Bool)) (= (f x y) (not (f y x)))))")
w("bool_sat2","UFLIA","(declare-fun f (Bool Bool) Int)(assert (forall ((x Bool) (y Bool)) (=> (distinct x y) (distinct (f x y) (f y x)))))(assert (= (f true false) 4))")
w("list_unsat","UFDTLIA","(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(declare-fun len (L) Int)(assert (= (len nil) 0))(assert (forall ((x Int) (l L)) (= (len (cons x l)) (+ 1 (len l)))))(assert (distinct (len (cons 1 (cons 2 (cons 3 nil)))) 3))")
w("list_sat","UFDTLIA","(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(declare-fun f (L) Int)(assert (forall ((l L)) (>= (f l) 0)))(assert (> (f nil) 3))")
w("record_unsat","UFDTLIA","(declare-datatypes ((P 0)) (((mk (fst Int) (snd Int)))))(declare-fun sw (P) P)(assert (forall ((p P)) (= (sw p) (mk (snd p) (fst p)))))(declare-const q P)(assert (distinct (sw (sw q)) q))")
# LIA
w("lia_unsat","LIA","(assert (exists ((x Int)) (forall ((y Int)) (<= x y))))")
w("lia_sat","LIA","(assert (forall ((x Int)) (exists ((y Int)) (or (= x (* 2 y)) (= x (+ 1 (* 2 y)))))))")
# pattern heavy (Boogie-like)
B="(declare-sort H 0)(declare-sort F 0)(declare-fun rd (H Int F) Int)(declare-fun wr (H Int F Int) H)(assert (forall ((h H) (o Int) (f F) (v Int)) (! (= (rd (wr h o f v) o f) v) :pattern ((wr h o f v)))))(assert (forall ((h H) (o Int) (f F) (v Int) (p Int) (g F)) (! (=> (or (distinct o p) (distinct f g)) (= (rd (wr h o f v) p g) (rd h p g))) :pattern ((rd (wr h o f v) p g)))))(declare-const h H)(declare-const f F)(declare-const g F)(assert (distinct f g))"
for n in (5,10,20):
    t='h'
    for k in range(n): t=f"(wr {t} {k} {'f' if k%2 else 'g'} {k})"
    w(f"heap{n}_unsat","UFLIA",B+f"(assert (distinct (rd {t} 0 g) 0))")
