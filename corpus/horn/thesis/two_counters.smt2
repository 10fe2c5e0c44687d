; expect: safe
; engines: pdr duality la
; Two counters go down together: i - j = x - y (Hojjat 2013, figure 2.1a).
(set-logic HORN)
(declare-fun l2 (Int Int Int Int) Bool)
(assert (forall ((i Int) (j Int))
  (=> (and (>= i 0) (>= j 0)) (l2 i j i j))))
(assert (forall ((i Int) (j Int) (x Int) (y Int))
  (=> (and (l2 i j x y) (distinct x 0)) (l2 i j (- x 1) (- y 1)))))
(assert (forall ((i Int) (j Int) (x Int) (y Int))
  (=> (and (l2 i j x y) (= x 0) (= i j) (distinct x y)) false)))
(check-sat)
