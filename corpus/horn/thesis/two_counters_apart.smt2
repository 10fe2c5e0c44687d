; expect: unsafe
; engines: pdr duality la
; As two_counters, but the counters may begin apart.
(set-logic HORN)
(declare-fun l2 (Int Int Int Int) Bool)
(assert (forall ((i Int) (j Int))
  (=> (and (>= i 0) (>= j 0)) (l2 i j i j))))
(assert (forall ((i Int) (j Int) (x Int) (y Int))
  (=> (and (l2 i j x y) (distinct x 0)) (l2 i j (- x 1) (- y 1)))))
(assert (forall ((i Int) (j Int) (x Int) (y Int))
  (=> (and (l2 i j x y) (= x 0) (distinct x y)) false)))
(check-sat)
