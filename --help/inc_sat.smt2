(set-logic UFLIA)
(declare-fun f (Int) Int)(assert (forall ((x Int)) (> (f x) x)))
(check-sat)
