(set-logic BV)
(declare-const c (_ BitVec 32))(assert (forall ((x (_ BitVec 32))) (bvule x c)))
(check-sat)
