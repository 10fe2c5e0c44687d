; expect: safe
; No two squares above 1 follow each other. There is a model, and none in linear arithmetic: engines
; may say unknown, and nothing but that or safe (Hojjat 2013).
(set-logic HORN)
(declare-fun sq (Int Int) Bool)
(assert (sq 1 0))
(assert (forall ((n Int) (x Int)) (=> (sq n x) (sq (+ n 2) (+ x n)))))
(assert (forall ((n Int) (m Int) (x Int)) (=> (and (> x 1) (sq n x) (sq m (+ x 1))) false)))
(check-sat)
