; expect: safe
; engines: pdr
; z is what x has counted more than y; each step moves one of them.
(set-logic HORN)
(declare-fun p (Int Int Int) Bool)
(assert (p 0 0 0))
(assert (forall ((x Int) (y Int) (z Int)) (=> (p x y z) (p (+ x 1) y (+ z 1)))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (p x y z) (p x (+ y 1) (- z 1)))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (= x y) (distinct z 0)) false)))
(check-sat)
