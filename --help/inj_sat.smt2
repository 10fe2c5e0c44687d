(set-logic UFLIA)
(declare-fun f (Int) Int)(assert (forall ((x Int) (y Int)) (=> (= (f x) (f y)) (= x y))))(assert (distinct (f 1) 1))
(check-sat)
