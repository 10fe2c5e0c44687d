; expect: safe
; engines: recursion-free pdr duality la forward
; A predicate that one body uses twice: the solution for it is the conjunction of those of its uses
; (Hojjat 2013).
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(declare-fun q (Int Int) Bool)
(declare-fun r (Int Int) Bool)
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y) (p y z)) (r x z))))
(assert (forall ((x Int) (y Int)) (=> (q x y) (p x y))))
(assert (forall ((x Int)) (=> (>= x 0) (q x x))))
(assert (forall ((x Int) (z Int)) (=> (and (r x z) (or (< x 0) (distinct x z))) false)))
(check-sat)
