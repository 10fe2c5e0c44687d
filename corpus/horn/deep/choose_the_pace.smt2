; expect: unsafe
; engines: accelerate-pdr accelerate-bmc abmc
; Two runners with a choice of paces, who must meet at a place that no constant paces lead to.
(set-logic HORN)
(declare-fun run (Int Int) Bool)
(assert (run 0 10))
(assert (forall ((x Int) (y Int) (u Int) (v Int))
  (=> (and (run x y) (<= (+ x 2) u (+ x 3)) (<= (+ y 1) v (+ y 2))) (run u v))))
(assert (forall ((x Int) (y Int)) (=> (and (run x y) (= x 250001) (= y 150010)) false)))
(check-sat)
