; expect: safe
; engines: forward kind
; x goes up for ever, and y only in the second phase.
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 0 50))
(assert (forall ((x Int) (y Int))
  (=> (and (p x y) (< x 100)) (p (+ x 1) (ite (< x 50) y (+ y 1))))))
(assert (forall ((x Int) (y Int))
  (=> (and (p x y) (= x 100) (distinct y 100)) false)))
(check-sat)
