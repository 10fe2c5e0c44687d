(set-logic BV)
(declare-const c (_ BitVec 8))(assert (forall ((x (_ BitVec 8))) (bvult x c)))
(check-sat)
