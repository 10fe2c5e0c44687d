; expect: safe
; engines: pdr duality la
; An argument that nothing reads must not keep the others from being understood.
(set-logic HORN)
(declare-fun p (Int Int Int Int) Bool)
(assert (forall ((u Int))
  (=> (= u u) (p 0 0 u u))))
(assert (forall ((x Int) (y Int) (u Int) (v Int) (k Int))
  (=> (p x y u v) (p (+ x 1) (+ y 1) (+ u k) (- v u)))))
(assert (forall ((x Int) (y Int) (u Int) (v Int))
  (=> (and (p x y u v) (distinct x y)) false)))
(check-sat)
