; expect: safe
; engines: pdr
; No table of finitely many values is above its argument everywhere; the argument and one more is.
(set-logic HORN)
(declare-fun above (Int) Int)
(declare-fun at (Int) Bool)
(assert (forall ((x Int)) (> (above x) x)))
(assert (forall ((x Int)) (=> (= x 3) (at x))))
(assert (forall ((x Int)) (=> (at x) (at (above x)))))
(assert (forall ((x Int)) (=> (and (at x) (< x 0)) false)))
(check-sat)
