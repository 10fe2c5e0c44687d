; expect: safe
; engines: recursion-free pdr duality la
; Clauses of McCarthy's function that are a tree: those without recursion (Hojjat 2013).
(set-logic HORN)
(declare-fun r0 (Int Int) Bool)
(declare-fun r1 (Int Int) Bool)
(declare-fun rf (Int Int) Bool)
(declare-fun r4 (Int Int) Bool)
(declare-fun r5 (Int Int) Bool)
(declare-fun r6 (Int Int) Bool)
(assert (forall ((n Int) (r Int)) (r0 n r)))
(assert (forall ((n Int) (r Int)) (=> (and (r0 n r) (> n 100)) (r1 n r))))
(assert (forall ((n Int) (r Int) (s Int)) (=> (and (r1 n r) (= s (- n 10))) (rf n s))))
(assert (forall ((x Int) (y Int)) (r4 x y)))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (r4 x y) (<= z 100)) (r5 z y))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (r5 x y) (rf x z)) (r6 x z))))
(assert (forall ((x Int) (y Int)) (=> (and (r6 x y) (distinct y 91)) false)))
(check-sat)
