(set-logic UFLIA)
(declare-fun f (Int) Int)(assert (forall ((x Int) (y Int)) (=> (<= x y) (<= (f x) (f y)))))(declare-const a0 Int)(declare-const a1 Int)(declare-const a2 Int)(declare-const a3 Int)(declare-const a4 Int)(declare-const a5 Int)(declare-const a6 Int)(declare-const a7 Int)(declare-const a8 Int)(declare-const a9 Int)(assert (< a0 a1))(assert (< a1 a2))(assert (< a2 a3))(assert (< a3 a4))(assert (< a4 a5))(assert (< a5 a6))(assert (< a6 a7))(assert (< a7 a8))(assert (< a8 a9))(assert (< (f a0) (f a9)))
(check-sat)
