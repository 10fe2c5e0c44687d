(set-logic UFLIA)
(declare-fun f (Int) Int)(assert (forall ((x Int) (y Int)) (=> (= (f x) (f y)) (= x y))))(declare-const a Int)(declare-const b Int)(assert (= (f (+ a b)) (f (* 2 a))))(assert (distinct a b))
(check-sat)
