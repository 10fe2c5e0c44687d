; expect: safe
; engines: duality la
; There and back again between 0 and 1000.
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 0 1))
(assert (forall ((x Int) (d Int) (e Int))
  (=> (and (p x d) (= e (ite (= x 0) 1 (ite (= x 1000) (- 1) d)))) (p (+ x e) e))))
(assert (forall ((x Int) (d Int))
  (=> (and (p x d) (not (<= 0 x 1000))) false)))
(check-sat)
