; What a tree weighs is its key and twice some number, and nothing says which: a predicate with such a clause is no function. No tree is its own right one.
; expect: safe
; engines: pdr
(set-logic HORN)
(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (key Int) (right Tree)))))
(declare-fun weighs (Tree Int) Bool)
(declare-fun balanced (Tree) Bool)
(assert (weighs leaf 1))
(assert (forall ((s Tree) (t Tree) (n Int) (m Int) (k Int)) (=> (and (weighs s n) (weighs t m)) (weighs (node s k t) (+ n k m)))))
(assert (balanced leaf))
(assert (forall ((x Int) (y Tree) (z Int)) (=> (and (weighs y x) (= x (+ (key y) (* 2 z))) (= y (right y))) (balanced y))))
(assert (=> (balanced (node leaf 1 leaf)) false))
(check-sat)
