; A loop that multiplies by adding: products are associative. No linear model is finite.
; expect: safe
; engines: polynomials
(set-logic HORN)
(declare-fun times (Int Int Int) Bool)
(assert (forall ((y Int)) (=> (>= y 0) (times 0 0 y))))
(assert (forall ((z Int) (x Int) (y Int)) (=> (times z x y) (times (+ z y) (+ x 1) y))))
(assert (forall ((a Int) (b Int) (c Int) (d Int) (x Int) (y Int) (z Int))
  (=> (and (times a x d) (times d y z) (times c b z) (times b x y) (not (= a c))) false)))
(check-sat)
