(set-logic BV)
(declare-const c (_ BitVec 32))(assert (forall ((x (_ BitVec 32))) (bvult x c)))
(check-sat)
