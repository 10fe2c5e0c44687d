; expect: safe
; engines: pdr duality
; A declared function with an axiom: whatever the steps are, they go up.
(set-logic HORN)
(declare-fun step (Int) Int)
(declare-fun at (Int) Bool)
(assert (forall ((x Int)) (> (step x) 0)))
(assert (forall ((x Int)) (=> (= x 0) (at x))))
(assert (forall ((x Int)) (=> (at x) (at (+ x (step x))))))
(assert (forall ((x Int)) (=> (and (at x) (< x 0)) false)))
(check-sat)
