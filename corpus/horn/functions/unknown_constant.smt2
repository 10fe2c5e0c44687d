; expect: safe
; engines: pdr duality
; A declared constant is one value, the same in all clauses; some value above ten keeps the loop below it.
(set-logic HORN)
(declare-const limit Int)
(declare-fun loop (Int) Bool)
(assert (> limit 10))
(assert (forall ((x Int)) (=> (= x 0) (loop x))))
(assert (forall ((x Int) (y Int)) (=> (and (loop x) (< x limit) (= y (+ x 1))) (loop y))))
(assert (forall ((x Int)) (=> (and (loop x) (> x limit)) false)))
(check-sat)
