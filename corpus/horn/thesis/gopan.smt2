; expect: safe
; engines: forward
; y goes up and then down; x counts both.
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int) (z Int))
  (=> (and (p x y) (= z (ite (<= x 50) (+ y 1) (- y 1))) (>= z 0)) (p (+ x 1) z))))
(assert (forall ((x Int) (y Int) (z Int))
  (=> (and (p x y) (= z (ite (<= x 50) (+ y 1) (- y 1))) (< z 0) (not (<= 0 x 102))) false)))
(check-sat)
