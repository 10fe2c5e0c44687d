; expect: safe
; engines: recursion-free pdr duality la
; One step or two, twice, from at least 0 (Hojjat 2013, example of succinct expansion).
(set-logic HORN)
(declare-fun r (Int Int) Bool)
(declare-fun s (Int Int) Bool)
(assert (forall ((x Int) (y Int))
  (=> (= y (+ x 1)) (r x y))))
(assert (forall ((x Int) (y Int))
  (=> (= y (+ x 2)) (r x y))))
(assert (forall ((x Int) (y Int) (z Int))
  (=> (and (r x y) (r y z)) (s x z))))
(assert (forall ((x Int) (z Int))
  (=> (and (s x z) (>= x 0) (<= z 0)) false)))
(check-sat)
