(set-logic BV)
(declare-const c (_ BitVec 4))(assert (forall ((x (_ BitVec 4))) (= (bvand x c) x)))
(check-sat)
