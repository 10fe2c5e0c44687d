; expect: unsafe
; engines: bmc bmc-forward forward
; Each fact needs the two before it: the derivation has 9 facts, and is a tree with 34 leaves.
(set-logic HORN)
(declare-fun fib (Int Int) Bool)
(assert (fib 0 0))
(assert (fib 1 1))
(assert (forall ((n Int) (x Int) (y Int))
  (=> (and (fib n x) (fib (+ n 1) y)) (fib (+ n 2) (+ x y)))))
(assert (forall ((x Int)) (=> (and (fib 8 x) (= x 21)) false)))
(check-sat)
