; expect: unsafe
; engines: pdr duality
; A counterexample that is twenty-five steps deep.
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int))
  (=> (p x y) (p (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int))
  (=> (and (p x y) (>= y 50)) false)))
(check-sat)
