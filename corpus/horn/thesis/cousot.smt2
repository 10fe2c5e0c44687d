; expect: safe
; engines: pdr duality cegar
; Up together and down together: y ends where x ends.
(set-logic HORN)
(declare-fun up (Int Int) Bool)
(declare-fun down (Int Int) Bool)
(assert (up 0 0))
(assert (forall ((x Int) (y Int))
  (=> (up x y) (up (+ x 1) (+ y 1)))))
(assert (forall ((x Int) (y Int))
  (=> (up x y) (down x y))))
(assert (forall ((x Int) (y Int))
  (=> (and (down x y) (> x 0)) (down (- x 1) (- y 1)))))
(assert (forall ((x Int) (y Int))
  (=> (and (down x y) (<= x 0) (distinct y 0)) false)))
(check-sat)
