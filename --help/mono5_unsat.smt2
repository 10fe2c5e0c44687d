(set-logic UFLIA)
(declare-fun f (Int) Int)(assert (forall ((x Int) (y Int)) (=> (<= x y) (<= (f x) (f y)))))(declare-const a0 Int)(declare-const a1 Int)(declare-const a2 Int)(declare-const a3 Int)(declare-const a4 Int)(assert (< a0 a1))(assert (< a1 a2))(assert (< a2 a3))(assert (< a3 a4))(assert (> (f a0) (f a4)))
(check-sat)
