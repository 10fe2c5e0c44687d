; expect: safe
; engines: pdr duality la
; A loop that adds 2 never comes from 0 to 5, whatever else it does (Hojjat 2013, section 4.4).
; Only that z is even matters; x and y do not.
(set-logic HORN)
(declare-fun p (Int Int Int) Bool)
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (= z 0) (<= x y)) (p x y z))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (p x y z) (p (+ x 1) (+ y 1) (+ z 2)))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (= z 5) (> x (* 2 y))) false)))
(check-sat)
