; expect: safe
; engines: pdr duality la
; Two numbers change places; their sum is what it was.
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 1 2))
(assert (forall ((x Int) (y Int))
  (=> (p x y) (p y x))))
(assert (forall ((x Int) (y Int))
  (=> (and (p x y) (> x 0)) (p (- x 1) (+ y 1)))))
(assert (forall ((x Int) (y Int))
  (=> (and (p x y) (distinct (+ x y) 3)) false)))
(check-sat)
