; expect: safe
; engines: recursion-free pdr duality la
; A path that a single interpolant cuts (Hojjat 2013, section 3.3); y - x + i - j = 0 is the one that
; makes the loop of two_counters converge.
(set-logic HORN)
(declare-fun p (Int Int Int Int) Bool)
(assert (forall ((i Int) (j Int) (x Int) (y Int))
  (=> (and (>= i 0) (>= j 0) (= x i) (= y j) (= x 0)) (p i j x y))))
(assert (forall ((i Int) (j Int) (x Int) (y Int))
  (=> (and (p i j x y) (= i j) (distinct x y)) false)))
(check-sat)
