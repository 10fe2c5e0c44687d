(set-logic UFLIA)
(declare-fun f (Int) Int)(assert (forall ((x Int)) (= (f (+ x 1)) (f x))))(assert (= (f 0) 3))
(check-sat)
