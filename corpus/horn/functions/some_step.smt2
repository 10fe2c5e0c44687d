; expect: safe
; engines: pdr duality
; There is a step with which six is never reached.
(set-logic HORN)
(declare-fun step () Int)
(declare-fun at (Int) Bool)
(assert (>= step 0))
(assert (at 0))
(assert (forall ((x Int)) (=> (at x) (at (+ x step)))))
(assert (forall ((x Int)) (=> (and (at x) (= x 6)) false)))
(check-sat)
