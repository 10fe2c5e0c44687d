; expect: safe
; engines: pdr duality la
; One loop in three clauses; lemmas about single points never end.
(set-logic HORN)
(declare-fun p (Int Int Int) Bool)
(assert (forall ((n Int))
  (=> (>= n 0) (p n 0 0))))
(assert (forall ((n Int) (x Int) (y Int))
  (=> (and (p n x y) (< x n)) (p n (+ x 1) (+ y 3)))))
(assert (forall ((n Int) (x Int) (y Int))
  (=> (and (p n x y) (>= x n) (distinct y (* 3 n))) false)))
(check-sat)
