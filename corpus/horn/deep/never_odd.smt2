; expect: safe
; engines: accelerate-pdr
; A number that goes up by two is never odd, however large.
(set-logic HORN)
(declare-fun even (Int) Bool)
(assert (even 0))
(assert (forall ((x Int)) (=> (even x) (even (+ x 2)))))
(assert (forall ((x Int)) (=> (and (even x) (= x 3000001)) false)))
(check-sat)
