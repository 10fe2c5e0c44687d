; expect: safe
; engines: pdr duality la
; As two_counters; y ends at 0 if both began together.
(set-logic HORN)
(declare-fun l2 (Int Int Int Int) Bool)
(assert (forall ((i Int) (j Int))
  (=> (and (>= i 0) (>= j 0)) (l2 i j i j))))
(assert (forall ((i Int) (j Int) (x Int) (y Int))
  (=> (and (l2 i j x y) (distinct x 0)) (l2 i j (- x 1) (- y 1)))))
(assert (forall ((i Int) (j Int) (x Int) (y Int))
  (=> (and (l2 i j x y) (= x 0) (= i j) (distinct y 0)) false)))
(check-sat)
