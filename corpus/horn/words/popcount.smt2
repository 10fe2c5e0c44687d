; expect: safe
; engines: bits-ic3 pdr
; Counting the bits of a byte by clearing the lowest one: there are no more than eight.
(set-logic HORN)
(declare-fun count ((_ BitVec 8) (_ BitVec 8)) Bool)
(assert (forall ((x (_ BitVec 8))) (count x #x00)))
(assert (forall ((x (_ BitVec 8)) (n (_ BitVec 8)))
  (=> (and (count x n) (not (= x #x00))) (count (bvand x (bvsub x #x01)) (bvadd n #x01)))))
(assert (forall ((x (_ BitVec 8)) (n (_ BitVec 8)))
  (=> (and (count x n) (bvult #x08 n)) false)))
(check-sat)
