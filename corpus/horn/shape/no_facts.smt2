; expect: safe
; Nothing starts the loop, so nothing can be derived.
(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (forall ((x Int)) (=> (P x) (P (+ x 1)))))
(assert (forall ((x Int)) (=> (and (P x) (> x 10)) false)))
(check-sat)
