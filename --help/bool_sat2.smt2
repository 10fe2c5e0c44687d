(set-logic UFLIA)
(declare-fun f (Bool Bool) Int)(assert (forall ((x Bool) (y Bool)) (=> (distinct x y) (distinct (f x y) (f y x)))))(assert (= (f true false) 4))
(check-sat)
