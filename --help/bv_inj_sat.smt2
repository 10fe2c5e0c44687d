(set-logic UFBV)
(declare-fun f ((_ BitVec 2)) (_ BitVec 2))(assert (forall ((x (_ BitVec 2)) (y (_ BitVec 2))) (=> (= (f x) (f y)) (= x y))))(assert (distinct (f #b00) #b00))
(check-sat)
