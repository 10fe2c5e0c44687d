; expect: safe
; engines: pdr
; Constant functions let the loop reach an error; one that starts high does not.
(set-logic HORN)
(declare-fun start (Int) Int)
(declare-fun at (Int Int) Bool)
(assert (forall ((x Int)) (=> (= x (start 0)) (at x 0))))
(assert (forall ((x Int) (n Int)) (=> (and (at x n) (< n 2)) (at (- x 3) (+ n 1)))))
(assert (forall ((x Int) (n Int)) (=> (and (at x n) (< x 10)) false)))
(check-sat)
