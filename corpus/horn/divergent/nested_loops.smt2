; expect: safe
; engines: pdr duality
; What an inner loop adds does not depend on how often the outer one ran.
(set-logic HORN)
(declare-fun outer (Int Int Int) Bool)
(declare-fun inner (Int Int Int Int) Bool)
(assert (forall ((n Int))
  (=> (>= n 1) (outer n 0 0))))
(assert (forall ((n Int) (i Int) (s Int))
  (=> (and (outer n i s) (< i n)) (inner n i 0 s))))
(assert (forall ((n Int) (i Int) (j Int) (s Int))
  (=> (and (inner n i j s) (< j i)) (inner n i (+ j 1) (+ s 1)))))
(assert (forall ((n Int) (i Int) (j Int) (s Int))
  (=> (and (inner n i j s) (>= j i)) (outer n (+ i 1) s))))
(assert (forall ((n Int) (i Int) (s Int))
  (=> (and (outer n i s) (< s 0)) false)))
(check-sat)
