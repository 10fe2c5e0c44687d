; expect: unsafe
; engines: accelerate-pdr accelerate-bmc abmc
; Two counters that go up together meet a million.
(set-logic HORN)
(declare-fun count (Int Int) Bool)
(assert (count 0 3))
(assert (forall ((x Int) (y Int))
  (=> (and (count x y) (< x 1000000)) (count (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (count x y) (= y 2000003)) false)))
(check-sat)
