(set-logic UFLIA)
(declare-fun f (Int) Int)(assert (forall ((x Int)) (> (f x) x)))(assert (= (f 0) 7))(assert (= (f 10) 11))
(check-sat)
