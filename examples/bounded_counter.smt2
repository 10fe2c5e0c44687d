; expect: safe
; A counter that runs from 0 to 10 and then starts again never shows 11.
(set-logic HORN)
(declare-fun counter (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (counter x))))
(assert (forall ((x Int) (y Int))
  (=> (and (counter x) (= y (ite (= x 10) 0 (+ x 1)))) (counter y))))
(assert (forall ((x Int)) (=> (and (counter x) (> x 10)) false)))
(check-sat)
