(set-logic UFBV)
(declare-fun f ((_ BitVec 4)) (_ BitVec 4))(assert (forall ((x (_ BitVec 4))) (bvugt (f x) x)))
(check-sat)
