; What looks like recursion on a part, and is on a value that the part must be: no function by recursion.
; expect: safe
; engines: induction
(set-logic HORN)
(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (key Int) (right Tree)))))
(declare-fun P (Tree) Bool)
(assert (forall ((x Int)) (=> (P leaf) (P (node (node leaf 1 leaf) x leaf)))))
(assert (forall ((x Int)) (=> (and (P leaf) (>= x 5)) (P (node leaf x leaf)))))
(assert (forall ((x Int) (t Tree))
  (=> (and (P t) (= x (div x (- 2))) ((_ is node) (ite (<= 5 x) (node leaf 1 leaf) leaf))) false)))
(check-sat)
