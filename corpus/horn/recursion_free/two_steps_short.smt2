; expect: unsafe
; engines: recursion-free
; Two steps of one or two can go up by two.
(set-logic HORN)
(declare-fun step (Int Int) Bool)
(declare-fun twice (Int Int) Bool)
(assert (forall ((x Int)) (step x (+ x 1))))
(assert (forall ((x Int)) (step x (+ x 2))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (step x y) (step y z)) (twice x z))))
(assert (forall ((x Int) (z Int)) (=> (and (twice x z) (>= x 0) (<= z (+ x 2))) false)))
(check-sat)
