; expect: safe
; engines: forward
; Two nested loops that end together.
(set-logic HORN)
(declare-fun outer (Int Int) Bool)
(declare-fun inner (Int Int) Bool)
(assert (outer 0 0))
(assert (forall ((i Int) (j Int))
  (=> (and (outer i j) (< i 50)) (inner i 0))))
(assert (forall ((i Int) (j Int))
  (=> (and (inner i j) (< j 50)) (inner (+ i 1) (+ j 1)))))
(assert (forall ((i Int) (j Int))
  (=> (and (inner i j) (>= j 50)) (outer (+ (- i j) 1) j))))
(assert (forall ((i Int) (j Int))
  (=> (and (outer i j) (>= i 50) (not (and (= i 50) (= j 50)))) false)))
(check-sat)
