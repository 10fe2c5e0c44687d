(set-logic UF)
(declare-fun f (Bool Bool) Bool)(assert (forall ((x Bool) (y Bool)) (= (f x y) (not (f y x)))))
(check-sat)
