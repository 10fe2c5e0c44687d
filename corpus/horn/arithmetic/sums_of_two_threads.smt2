; Two threads that add what the other has to their own, three times each, in steps: load, add, count.
; Their sums are those of Fibonacci if they take turns, and smaller in every other order.
; expect: safe
; engines: polyhedra
; ticks: 20000000
(set-logic HORN)
; counts, places, sums and what was loaded, of the one and of the other
(declare-fun s (Int Int Int Int Int Int Int Int) Bool)
(assert (s 0 0 1 0 0 0 1 0))
(assert (forall ((i Int) (p Int) (x Int) (t Int) (j Int) (q Int) (y Int) (u Int)) (=> (and (s i p x t j q y u) (= p 0) (< i 3)) (s i 1 x y j q y u))))
(assert (forall ((i Int) (p Int) (x Int) (t Int) (j Int) (q Int) (y Int) (u Int)) (=> (and (s i p x t j q y u) (= p 1)) (s i 2 (+ x t) t j q y u))))
(assert (forall ((i Int) (p Int) (x Int) (t Int) (j Int) (q Int) (y Int) (u Int)) (=> (and (s i p x t j q y u) (= p 2)) (s (+ i 1) 0 x t j q y u))))
(assert (forall ((i Int) (p Int) (x Int) (t Int) (j Int) (q Int) (y Int) (u Int)) (=> (and (s i p x t j q y u) (= q 0) (< j 3)) (s i p x t j 1 y x))))
(assert (forall ((i Int) (p Int) (x Int) (t Int) (j Int) (q Int) (y Int) (u Int)) (=> (and (s i p x t j q y u) (= q 1)) (s i p x t j 2 (+ y u) u))))
(assert (forall ((i Int) (p Int) (x Int) (t Int) (j Int) (q Int) (y Int) (u Int)) (=> (and (s i p x t j q y u) (= q 2)) (s i p x t (+ j 1) 0 y u))))
(assert (forall ((i Int) (p Int) (x Int) (t Int) (j Int) (q Int) (y Int) (u Int)) (=> (and (s i p x t j q y u) (or (> x 21) (> y 21))) false)))
(check-sat)
