; expect: safe
; engines: pdr duality la
; An output that follows an input at a limited rate.
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((o Int) (i Int) (x Int))
  (=> (and (p o) (<= (- 100) i 100) (= x (ite (> i (+ o 10)) (+ o 10) (ite (< i (- o 10)) (- o 10) i)))) (p x))))
(assert (forall ((x Int))
  (=> (and (p x) (not (<= (- 100) x 100))) false)))
(check-sat)
