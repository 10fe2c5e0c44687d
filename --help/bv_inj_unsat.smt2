(set-logic UFBV)
(declare-fun f ((_ BitVec 3)) (_ BitVec 2))(assert (forall ((x (_ BitVec 3)) (y (_ BitVec 3))) (=> (= (f x) (f y)) (= x y))))
(check-sat)
