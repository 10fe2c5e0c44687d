; expect: unsafe
; engines: bmc bmc-backward
; A sum over a tree that is built bottom up, with leaves that may be any number up to 3 and may be left
; out below a disjunction.
(set-logic HORN)
(declare-fun tree (Int Int) Bool)
(assert (forall ((x Int)) (=> (<= 0 x 3) (tree 0 x))))
(assert (forall ((h Int) (k Int) (x Int) (y Int) (z Int))
  (=> (and (tree h x) (or (and (tree k y) (<= k h) (= z (+ x y))) (= z x))) (tree (+ h 1) z))))
(assert (forall ((h Int) (x Int)) (=> (and (tree h x) (<= h 3) (= x 17)) false)))
(check-sat)
