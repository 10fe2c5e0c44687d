(set-logic UFLIA)
(declare-fun f (Int) Int)(declare-fun g (Int) Int)(declare-const c Int)(assert (forall ((x Int)) (=> (> x 0) (> (f x) (g x)))))(assert (forall ((x Int)) (>= (g x) c)))(assert (< (f 3) 10))(assert (> c 5))
(check-sat)
