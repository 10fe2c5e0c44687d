; expect: safe
; engines: forward bits-ic3 pdr
; A single bit shifted through a word stays single until it falls out.
(set-logic HORN)
(declare-fun loop ((_ BitVec 16)) Bool)
(assert (loop #x0001))
(assert (forall ((x (_ BitVec 16))) (=> (loop x) (loop (bvshl x #x0001)))))
(assert (forall ((x (_ BitVec 16)))
  (=> (and (loop x) (not (= (bvand x (bvsub x #x0001)) #x0000))) false)))
(check-sat)
